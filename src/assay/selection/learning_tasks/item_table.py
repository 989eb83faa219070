"""Items with features, a target and slices, read with the place of every problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, UsageError, missing_column, no_rows
from assay.core.phrases import list_phrase, quantity
from assay.core.tables import Source, ids_as_text
from assay.evidence.views.points import matching_columns
from assay.formats.containers import to_frame
from assay.selection.learning.training_data import choose_task


@dataclass(frozen=True)
class ItemTable:
    """Features of items as numbers; categories are numbered in their order, NaN is missing."""

    features: Floats
    names: tuple[str, ...]
    categories: Mapping[str, tuple[str, ...]]
    """The values of the features that are text."""
    rows: Ints
    """The row of each item in the input, from 0."""
    source: Source
    target: pl.Series | None = None
    task: str = "classification"
    slices: Mapping[str, pl.Series] | None = None

    def __len__(self) -> int:
        return len(self.features)

    @property
    def items(self) -> list[str]:
        """The names of the items: their row numbers from 1."""
        return [str(row + 1) for row in self.rows.tolist()]

    @property
    def truth(self) -> npt.NDArray[Any]:
        """The target as an array: numbers, or the names of classes."""
        if self.target is None:
            raise UsageError("this needs a target: name its column with `target`")
        return self.target.to_numpy()

    @property
    def category_counts(self) -> list[int]:
        """The number of categories of each feature; 0 for numbers."""
        return [len(self.categories.get(name, ())) for name in self.names]

    def take(self, rows: Any) -> ItemTable:
        """Return some of the items."""
        chosen = np.asarray(rows)
        slices = {name: own.gather(chosen) for name, own in (self.slices or {}).items()}
        return replace(
            self,
            features=self.features[chosen],
            rows=self.rows[chosen],
            target=None if self.target is None else self.target.gather(chosen),
            slices=slices,
        )

    def matrix(self) -> Floats:
        """Return the features as numbers alone: a category becomes a column of 0 and 1."""
        return encode_categories(self.features, self.names, self.categories)

    def matrix_names(self) -> list[str]:
        """Return the names of the columns of the matrix."""
        return [
            label
            for name in self.names
            for label in (
                [f"{name}_{value}" for value in self.categories[name]]
                if name in self.categories
                else [name]
            )
        ]

    def constant_notes(self) -> list[str]:
        """Return a note on features that have the same value in every row."""
        with np.errstate(all="ignore"):
            same = [
                name
                for name, column in zip(self.names, self.features.T, strict=True)
                if len(np.unique(column[~np.isnan(column)])) < 2
            ]
        if not same:
            return []
        return [
            f"{quantity(len(same), 'feature')} with the same value in every row:"
            f" {list_phrase(same)}; no item differs from another in it"
        ]


def encode_categories(
    features: Floats, names: Sequence[str], categories: Mapping[str, tuple[str, ...]]
) -> Floats:
    """Return the features with a column of 0 and 1 for each category; missing stays missing."""
    if not categories:
        return features
    parts = []
    for name, column in zip(names, features.T, strict=True):
        if name not in categories:
            parts.append(column[:, None])
            continue
        codes = np.arange(len(categories[name]))
        parts.append(np.where(np.isnan(column)[:, None], np.nan, column[:, None] == codes))
    return np.concatenate(parts, axis=1).astype(np.float64)


@dataclass(frozen=True)
class Reading:
    """What a task allows in its table."""

    target: bool = True
    """Whether there is a target."""
    missing: bool = False
    """Whether features may be missing."""
    unlabeled: bool = False
    """Whether targets may be missing."""


def read_item_table(
    data: Any,
    target: Any = None,
    features: Sequence[str] | str | None = None,
    task: str | None = None,
    *,
    by: Any = (),
    allow: Reading = Reading(),  # noqa: B008 (frozen)
    left_out: Sequence[str | None] = (),
) -> ItemTable:
    """Read the features, the target and the slices of a table, or of arrays.

    ``features`` are columns or patterns; without them all columns are features but the target, the
    slices and those that are ``left_out``.
    """
    frame, source, named, slices = _read_columns(data, target, by)
    if not frame.height:
        raise no_rows(source.name)
    apart = {named, *slices, *left_out}
    others = [name for name in frame.columns if name not in apart]
    patterns = [features] if isinstance(features, str) else features
    chosen = others if patterns is None else matching_columns(others, list(patterns), source)
    if not chosen:
        raise UsageError(f"{source.name}: there is no feature; name columns with `features`")
    categories = {
        name: tuple(ids_as_text(frame[name]).drop_nulls().unique().sort().to_list())
        for name in chosen
        if not frame[name].dtype.is_numeric()
    }
    columns = [_feature(frame[name], categories.get(name), source, allow) for name in chosen]
    answers = None if named is None else _target(frame[named], task, source, allow)
    return ItemTable(
        np.column_stack(columns),
        tuple(chosen),
        categories,
        np.arange(frame.height),
        source,
        None if answers is None else answers[0],
        "classification" if answers is None else answers[1],
        {name: frame[name] for name in slices},
    )


MISSING_WORDS = ("", "nan", "na", "n/a", "null")
"""Words for a missing number in a column of numbers; in other columns only the first two are."""


def _read_numbers(column: pl.Series) -> pl.Series:
    """Return a text column as numbers where it holds numbers and words for missing ones."""
    if column.dtype != pl.String:
        return column
    words = column.str.strip_chars().str.to_lowercase()
    numbers = words.set(words.is_in(MISSING_WORDS), None).cast(pl.Float64, strict=False)
    unread = numbers.is_null() & words.is_not_null() & ~words.is_in(MISSING_WORDS)
    if numbers.is_not_null().any() and not unread.any():
        return numbers
    return column.set(words.is_in(MISSING_WORDS[:2]), None)


def _read_columns(
    data: Any, target: Any, by: Any
) -> tuple[pl.DataFrame, Source, str | None, list[str]]:
    """Return the table, its source, the column of the target and those of the slices."""
    if not hasattr(data, "dtype") and not isinstance(data, list):
        given, source = to_frame(data, "the data")
        frame = given.with_columns([_read_numbers(column) for column in given])
        wanted = [by] if isinstance(by, str) else list(by)
        for name, purpose in ((target, "target"), *((each, "by") for each in wanted)):
            if name is not None and name not in frame.columns:
                raise missing_column(source.name, str(name), frame.columns, f"for `{purpose}`")
        return frame, source, target, wanted
    values = np.asarray(data, dtype=np.float64)
    matrix = values[:, None] if values.ndim == 1 else values
    if matrix.ndim != 2:
        raise UsageError(f"the features have the shape {values.shape}: rows of numbers are needed")
    columns: dict[str, Any] = {f"x{n + 1}": matrix[:, n] for n in range(matrix.shape[1])}
    slices = by if isinstance(by, Mapping) else {"slice": by} if len(by) else {}
    more = {**({} if target is None else {"target": target}), **slices}
    for name, column in more.items():
        if len(column) != len(matrix):
            raise UsageError(
                f"{name} has {len(column)} values, but there are {quantity(len(matrix), 'item')}"
            )
    columns |= {name: pl.Series(np.asarray(column).tolist()) for name, column in more.items()}
    named = None if target is None else "target"
    return pl.DataFrame(columns), to_frame(pl.DataFrame(), "the data")[1], named, list(slices)


def _feature(
    column: pl.Series, categories: tuple[str, ...] | None, source: Source, allow: Reading
) -> Floats:
    """Return a feature as numbers; a category is its place."""
    if categories is not None:
        places = {value: float(place) for place, value in enumerate(categories)}
        text = ids_as_text(column)
        values = text.replace_strict(places, default=None, return_dtype=pl.Float64)
    else:
        values = column.cast(pl.Float64)
    numbers = values.fill_null(np.nan).to_numpy()
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise DataError(
            f"{source.place(int(infinite[0]))}: the feature {column.name} is infinite; a finite"
            " number is expected"
        )
    empty = np.isnan(numbers)
    if empty.all():
        raise DataError(
            f"{source.name}: the feature {column.name} is missing in all"
            f" {quantity(len(numbers), 'row')}: choose others with `features`"
        )
    if empty.any() and not allow.missing:
        raise DataError(
            f"{source.place(int(np.flatnonzero(empty)[0]))}: the feature {column.name} is missing"
            f" ({quantity(int(empty.sum()), 'row')} in all); fill the values or remove the rows, or"
            " see `assay learn missing`"
        )
    return numbers


def _target(
    column: pl.Series, task: str | None, source: Source, allow: Reading
) -> tuple[pl.Series, str]:
    """Return the target, as text for classes, and whether it is a class or a number."""
    plain = column.fill_nan(None) if column.dtype.is_float() else column
    whole = plain.drop_nulls()
    if column.dtype.is_float() and len(whole) and whole.is_finite().all():
        rounded = whole.round()
        if (rounded == whole).all() and plain.null_count():
            plain = plain.cast(pl.Int64)  # whole numbers beside missing ones were read as floats
    empty = plain.is_null().arg_true()
    if len(empty) == len(plain):
        raise DataError(f"{source.name}: no item has a {column.name}: there is nothing to learn")
    if len(empty) and not allow.unlabeled:
        raise DataError(
            f"{source.place(int(empty[0]))}: the {column.name} is missing"
            f" ({quantity(len(empty), 'row')} in all); fill the values or remove the rows"
        )
    kind = choose_task(plain, task)
    if kind == "regression":
        numbers = plain.cast(pl.Float64)
        wrong = (~numbers.is_finite()).fill_null(False).arg_true()
        if len(wrong):
            raise DataError(f"{source.place(int(wrong[0]))}: the {column.name} is not finite")
        return numbers, kind
    classes = ids_as_text(plain)
    if classes.n_unique() - (1 if len(empty) else 0) < 2:
        raise DataError(
            f"{source.name}: every {column.name} is {classes.drop_nulls()[0]}: two classes or more"
            " are needed"
        )
    return classes, kind
