"""Items with features, a target and slices, read with the place of every problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, UsageError, no_rows
from assay.core.phrases import list_phrase, quantity
from assay.core.tables import Source, ids_as_text
from assay.evidence.views.points import matching_columns
from assay.selection.learning.training_data import choose_task
from assay.selection.learning_tasks.item_columns import (
    read_columns,
    split_commas,
    word_among_numbers,
)


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
    only_slices: tuple[str, ...] = ()
    """Columns that define slices and are for that reason no features, though none were chosen."""
    words: Mapping[str, str] = field(default_factory=dict)
    """By feature of text that is mostly numbers, the place of its first word."""

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

    def require_differences(self) -> None:
        """Raise an error where no item differs from another in any feature."""
        if not (self.features != self.features[0]).any():
            raise DataError(
                f"{self.source.name}: all items are equal ({quantity(len(self), 'item')}): there is"
                " nothing to learn; add items, or choose other `features`"
            )

    def feature_notes(self) -> list[str]:
        """Return notes on features of one value, names of rows, and words among numbers."""
        counts = {
            name: len(np.unique(column[~np.isnan(column)]))
            for name, column in zip(self.names, self.features.T, strict=True)
        }
        same = [name for name, count in counts.items() if count < 2]
        text = [name for name in self.categories if name not in self.words]
        every = [name for name in text if 2 < counts[name] == len(self)]
        notes = [
            f"{place}, so each value of the feature is a category; correct or empty it, or choose"
            " other `features`"
            for place in self.words.values()
        ]
        if same:
            notes.append(
                f"{quantity(len(same), 'feature')} with the same value in every row:"
                f" {list_phrase(same)}; no item differs from another in it"
            )
        if self.only_slices:
            notes.append(
                f"{list_phrase(self.only_slices)}: used for slices, not as"
                f" {'features' if len(self.only_slices) > 1 else 'a feature'}"
            )
        if every:
            notes.append(
                f"{quantity(len(every), 'text feature')} with a different value in every row:"
                f" {list_phrase(every)}; if it names the items, choose the others with `features`"
            )
        return notes


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
    frame, source, named, slices = read_columns(data, target, by)
    if not frame.height:
        raise no_rows(source.name)
    apart = {named, *slices, *left_out}
    others = [name for name in frame.columns if name not in apart]
    patterns = [features] if isinstance(features, str) else features
    listed = None if patterns is None else split_commas(patterns, frame.columns)
    chosen = others if listed is None else matching_columns(others, listed, source)
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
        tuple(name for name in slices if patterns is None and _is_column(by, name)),
        {name: place for name in chosen if (place := word_among_numbers(frame[name], source))},
    )


def _is_column(by: Any, name: str) -> bool:
    """Return whether slices are given by the name of this column, not by values."""
    if hasattr(by, "dtype"):
        return False
    given = by.values() if isinstance(by, Mapping) else [by] if isinstance(by, str) else by
    return any(isinstance(each, str) and each == name for each in given)


LARGEST = 1e100
"""Larger numbers are refused: sums of squares would be infinite."""


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
    _refuse_large(numbers, f"feature {column.name}", source)
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


def _refuse_large(numbers: Floats, what: str, source: Source) -> None:
    """Raise an error for a number that is infinite, or whose square would be."""
    wrong = np.flatnonzero(np.abs(numbers) > LARGEST)
    if len(wrong):
        value = numbers[wrong[0]]
        found = "is infinite" if np.isinf(value) else f"is {value:g}"
        raise DataError(
            f"{source.place(int(wrong[0]))}: the {what} {found}; a finite number up to"
            f" {LARGEST:g} is expected"
        )


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
        raise DataError(
            f"{source.name}: the target {column.name} is missing in all"
            f" {quantity(len(plain), 'row')}: there is nothing to learn"
        )
    if len(empty) and not allow.unlabeled:
        raise DataError(
            f"{source.place(int(empty[0]))}: the {column.name} is missing"
            f" ({quantity(len(empty), 'row')} in all); fill the values or remove the rows"
        )
    if task == "regression" and (place := word_among_numbers(column, source)):
        raise DataError(f"{place}: correct it, or remove the row")
    kind = choose_task(plain, task)
    if kind == "regression":
        numbers = plain.cast(pl.Float64)
        _refuse_large(numbers.fill_null(np.nan).to_numpy(), f"target {column.name}", source)
        return numbers, kind
    classes = ids_as_text(plain)
    if classes.n_unique() - (1 if len(empty) else 0) < 2:
        raise DataError(
            f"{source.name}: every {column.name} is {classes.drop_nulls()[0]}: two classes or more"
            " are needed"
        )
    return classes, kind
