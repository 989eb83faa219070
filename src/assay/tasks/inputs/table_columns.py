"""The columns that a caller names, the items in them, and the slices they define."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.errors import DataError, UsageError, missing_column
from assay.core.tables import Source, Table
from assay.engine.result import natural_key
from assay.formats.arrays import none_if_missing
from assay.formats.containers import to_frame
from assay.tasks.inputs.missing_values import CompleteRows, MissingPolicy, handle_missing

ROW = "row number"
"""The column with the number of each row in the input."""
MOST_SLICES = 1000
"""More slices than this are a mistake: the column holds names, not groups."""
MOST_NUMBERS = 20
"""Numbers with more different values than these make slices of ranges."""
LONG_NUMBER = 12
"""A longer number is shortened in the name of a slice, so far that names still differ."""


@dataclass(frozen=True, kw_only=True)
class SplitChoice:
    """The split whose items are evaluated, by default all items."""

    split: str | None = None
    splits: Any = None
    """A table of item and split, with folds on request, as of 'assay split items'."""
    fold: str | int | None = None

    def select_items(self, table: Table, item: str | None) -> Table:
        """Return the rows of the split; without a column of items their numbers name them."""
        if self.split is None and self.splits is None:
            if self.fold is not None:
                raise UsageError("a fold is one of splits: name the table with `splits=…`")
            return table
        from assay.formats.splits import Splits

        units = Splits.select(self.splits, self.split, self.fold, "item")
        frame = number_rows(table.frame, item)
        if item is not None and item not in frame.columns:
            raise missing_column(table.source.name, item, frame.columns, "for `item`")
        names = frame[item or ROW].cast(pl.String)
        missing = pl.Series(units).filter(~pl.Series(units).is_in(names.implode()))
        if len(missing):
            raise DataError(
                f"{table.source.name}: the item {missing[0]} of the split {self.split} is missing"
                f" ({len(missing):,} of {len(units):,}); `item` names the column by which the items"
                " were split"
            )
        rows = names.is_in(units).arg_true()
        return Table(frame[rows], table.source.of(rows))

    def describe_split(self) -> dict[str, Any]:
        """Return what was evaluated, and the digest of the splits."""
        if self.split is None or self.splits is None:
            return {}
        from assay.formats.splits import Splits

        fold = {} if self.fold is None else {"fold": str(self.fold)}
        return {"split": self.split, **fold, "splits": Splits.read(self.splits, "item").digest}


def needed_columns(*given: Any) -> frozenset[str] | None:
    """Return the columns that arguments name; None for all, where an argument is a pattern.

    An argument is a name, a sequence of names, or a dict with names as values.
    """
    names: set[str] = set()
    for each in given:
        if isinstance(each, str):
            if not {*each}.isdisjoint("*?["):
                return None
            names.add(each)
        elif each is not None:
            listed = each.values() if isinstance(each, Mapping) else each
            if (further := needed_columns(*listed)) is None:
                return None
            names |= further
    return frozenset(names)


def select_columns(
    data: Any, names: Mapping[str, str | None], what: str
) -> tuple[pl.DataFrame, Source]:
    """Return the named columns of the data and their source, under their declared names."""
    frame, source = to_frame(data, what, needed_columns(names))
    return named_columns(frame, source, names), source


def named_columns(
    frame: pl.DataFrame, source: Source, names: Mapping[str, str | None]
) -> pl.DataFrame:
    """Return the named columns of a frame, under their declared names."""
    chosen = {}
    for declared, given in names.items():
        if given is None:
            continue
        if not isinstance(given, str):
            raise UsageError(
                f"`{declared}` is the name of one column, not a {type(given).__name__}"
            )
        if given not in frame.columns:
            raise missing_column(source.name, given, frame.columns, f"for `{declared}`")
        chosen[declared] = frame[given].alias(declared)
    return pl.DataFrame(list(chosen.values()))


def slice_columns(by: Sequence[str]) -> list[str]:
    """Return the columns whose values define slices.

    Each entry of ``by`` is a column; or several, in a list or separated by commas, whose values are
    crossed.
    """
    entries = [by] if isinstance(by, str) else by
    return list(dict.fromkeys(name for entry in entries for name in crossed_columns(entry)))


def crossed_columns(entry: Any) -> list[str]:
    """Return the columns of an entry of ``by``, whose values are crossed: of "a,b" two."""
    names = entry.split(",") if isinstance(entry, str) else entry
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise UsageError(
            f"`by` has the names of columns, not a {type(entry).__name__}: 'a', or 'a,b' to cross"
            " two"
        )
    return [name.strip() for name in names]


def row_slices(
    frame: pl.DataFrame, source: Source, by: Sequence[str], every: pl.DataFrame | None = None
) -> dict[str, pl.Series]:
    """Return the rows of each slice, by its name such as ``segment=A``.

    Numbers of many different values are cut at the quartiles of ``every`` row: ``age=20 to 34``.
    """
    found: dict[str, pl.Series] = {}
    whole = frame if every is None else every
    for entry in [by] if isinstance(by, str) else by:
        columns = crossed_columns(entry)
        for name in columns:
            if name not in frame.columns:
                raise missing_column(source.name, name, frame.columns, "to slice by")
        values = pl.DataFrame([_cut_at_quartiles(frame[name], whole[name]) for name in columns])
        found |= _slices_of_column(values, source, ",".join(columns))
    return found


def label_column(name: str, labels: Iterable[Any]) -> pl.Series:
    """Return what defines slices as a column: numbers as they are, anything else as text.

    Missing values of pandas and NumPy are null.
    """
    listed = [*map(none_if_missing, labels)]
    known = [each for each in listed if each is not None]
    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in known):
        return pl.Series(name, listed, strict=False)
    return pl.Series(name, [None if each is None else str(each) for each in listed], pl.String)


def _cut_at_quartiles(values: pl.Series, every: pl.Series) -> pl.Series:
    """Return the range of its quarter in place of each number, as an Enum in their order.

    Few different numbers stay; long ones get short names that still differ.
    """
    if not values.dtype.is_numeric():
        return values
    numbers = every.drop_nulls().drop_nans() if every.dtype.is_float() else every.drop_nulls()
    if numbers.n_unique() <= MOST_NUMBERS:
        return _name_numbers(values, numbers)
    ordered = numbers.sort()
    ends = ordered.gather([(len(ordered) - 1) * part // 4 for part in (1, 2, 3)]).unique().sort()
    quarter = ends.search_sorted(ordered, side="left")
    ranges = [
        f"{_short(part[0])} to {_short(part[-1])}"
        for n in range(len(ends) + 1)
        if len(part := ordered.filter(quarter == n))
    ]
    known = values.fill_nan(None) if values.dtype.is_float() else values
    places = pl.select(
        pl.when(known.is_not_null()).then(ends.search_sorted(known, side="left"))
    ).to_series()
    names = pl.Enum(list(dict.fromkeys(ranges)))
    return pl.Series(values.name, ranges, dtype=names).gather(places)


def _name_numbers(values: pl.Series, numbers: pl.Series) -> pl.Series:
    """Return few numbers with names that people can read, as an Enum in their order.

    They stay as they are where none is long, or where items lack one as NaN.
    """
    distinct = numbers.unique().sort()
    exact = distinct.cast(pl.String).to_list()
    is_long = [len(each) > LONG_NUMBER for each in exact]
    if not values.dtype.is_float() or not any(is_long) or values.is_nan().any():
        return values
    for digits in range(4, 17):
        names = [
            f"{number:.{digits}g}" if long else text
            for number, text, long in zip(distinct.to_list(), exact, is_long, strict=True)
        ]
        if len(set(names)) == len(names):
            return values.replace_strict(distinct, names, return_dtype=pl.Enum(names))
    return values


def _sorting_keys(values: pl.Series) -> pl.Series:
    """Return what sorts values: numbers and Enums by their order, anything else as text."""
    if isinstance(values.dtype, pl.Enum):
        return values.to_physical().cast(pl.Int64).fill_null(values.dtype.categories.len())
    if values.dtype.is_numeric():
        known = values.fill_nan(None) if values.dtype.is_float() else values
        return known.rank("dense").cast(pl.Int64).fill_null(len(values) + 1)
    texts = values.cast(pl.String).fill_null("(none)")
    ordered = sorted(texts.unique().to_list(), key=natural_key)
    return texts.replace_strict(ordered, list(range(len(ordered))), return_dtype=pl.Int64)


def _short(number: float) -> str:
    """Return a number with four digits; whole numbers with all."""
    return str(number) if isinstance(number, int) else f"{number:.4g}"


def _slices_of_column(values: pl.DataFrame, source: Source, entry: str) -> dict[str, pl.Series]:
    named = pl.concat_str(
        [
            pl.lit(f"{name}=") + pl.col(name).cast(pl.String).fill_null("(none)")
            for name in values.columns
        ],
        separator=", ",
    )
    names = values.select(slice=named)["slice"]
    first = names.arg_unique()
    if len(first) > MOST_SLICES:
        raise UsageError(
            f"{source.name}: {entry} has {len(first)} different values; slices are made by a"
            f" column with at most {MOST_SLICES}"
        )
    order = pl.DataFrame([_sorting_keys(each) for each in values[first]])
    keys = dict(zip(names[first].to_list(), order.iter_rows(), strict=True))
    return {one: names == one for one in sorted(keys, key=keys.__getitem__)}


def number_rows(frame: pl.DataFrame, item: str | None) -> pl.DataFrame:
    """Return the rows with their numbers in the input, if no column names the items."""
    if item is not None or ROW in frame.columns:
        return frame
    return frame.with_columns(pl.int_range(1, pl.len() + 1).alias(ROW))


@dataclass(frozen=True)
class ItemRows(CompleteRows):
    """The same rows with the columns of one system, and the rows of each slice."""

    named: pl.DataFrame
    """The columns under their declared names."""
    slices: dict[str, pl.Series]


def read_items(
    table: Table,
    names: Mapping[str, str | None],
    needed: Mapping[str, Sequence[str | None]],
    by: Sequence[str],
    policy: MissingPolicy,
) -> ItemRows:
    """Return the rows that the policy leaves; without a column of items these are numbered."""
    frame, source, item = table.frame, table.source, names["item"]
    named_columns(frame, source, names)
    row_slices(frame, source, by)  # An error lists the columns as they were given.
    if by or policy != "error":
        frame = number_rows(frame, item)
    whole = handle_missing(frame, source, needed, policy)
    numbered = item is None and (by or whole.notes or ROW in table.frame.columns)
    named = named_columns(whole.frame, whole.source, {**names, "item": ROW if numbered else item})
    slices = row_slices(whole.frame, whole.source, by, frame)
    return ItemRows(whole.frame, whole.source, whole.notes, named, slices)
