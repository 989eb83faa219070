"""Rows with missing values: refused, left out, or counted as wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.phrases import have, quantity
from assay.core.tables import Source
from assay.evidence.labels import NOTHING

MissingPolicy: TypeAlias = Literal["error", "drop", "wrong"]
MISSING_POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)
"""What may be done with rows that lack a value.

A command offers those that its task can take (``missing_option`` of ``cli/options.py``).
"""
PREDICTION = "prediction"
"""What is needed of a row that can be counted as wrong without it."""


@dataclass(frozen=True)
class CompleteRows:
    """The rows after the policy, their source, and notes on those with missing values."""

    frame: pl.DataFrame
    source: Source
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _MissingRows:
    """Rows with missing values in some columns, or only spaces."""

    what: str
    columns: list[str]
    rows: pl.Series
    count: int


def handle_missing(
    frame: pl.DataFrame,
    source: Source,
    needed: Mapping[str, Sequence[str | None]],
    policy: MissingPolicy,
    of: str = "item",
) -> CompleteRows:
    """Return the rows with all needed values: ``needed`` has the columns of each.

    ``error`` refuses the first missing value; ``drop`` leaves such rows out; ``wrong`` counts a
    missing prediction as wrong, which is possible for a class but not for a score or a number.
    """
    if policy not in MISSING_POLICIES:
        raise UsageError(f"`missing={policy}` is not one of {', '.join(MISSING_POLICIES)}")
    for gap in _find_missing(frame, needed):
        if policy == "drop":
            return _drop_missing(frame, source, needed, of)
        can_be_wrong = gap.what == PREDICTION and _is_class(frame, gap.columns)
        if policy == "error" or gap.what != PREDICTION:
            raise DataError(_missing_error(frame, source, gap, of, can_be_wrong))
        if not can_be_wrong:
            raise UsageError(
                "`missing=wrong` is for predicted classes alone: a missing score is neither right"
                " nor wrong; use `missing=drop`"
            )
        answer = gap.columns[0]
        filled = pl.when(gap.rows).then(pl.lit(NOTHING)).otherwise(pl.col(answer).cast(pl.String))
        notes = (f"{of}s without a prediction: {gap.count}, counted as wrong",)
        return CompleteRows(frame.with_columns(filled.alias(answer)), source, notes)
    return CompleteRows(frame, source, ())


def _drop_missing(
    frame: pl.DataFrame, source: Source, needed: Mapping[str, Sequence[str | None]], of: str
) -> CompleteRows:
    gaps = list(_find_missing(frame, needed))
    kept = ~pl.select(pl.any_horizontal([gap.rows for gap in gaps])).to_series()
    notes = tuple(f"{of}s without a {gap.what}: {gap.count}, left out" for gap in gaps)
    return CompleteRows(frame.filter(kept), source.of(kept.arg_true()), notes)


def _missing_error(
    frame: pl.DataFrame, source: Source, gap: _MissingRows, of: str, can_be_wrong: bool
) -> str:
    row = int(gap.rows.arg_true()[0])
    nan = [name for name in gap.columns if frame[name][row] != frame[name][row]]  # NaN alone
    said = f", {nan[0]} is nan" if nan else ""
    part = " of this part of the data" if source.is_part else ""
    some = f"{gap.count:,} of {quantity(frame.height, of)}{part} {have(gap.count)} none"
    wrong = ", `missing=wrong` counts them as wrong" if can_be_wrong else ""
    whole = " without `engine=streaming`" if source.is_part else ""
    return (
        f"{source.place(row)}: there is no {gap.what}{said} ({some}); `missing=drop`{whole} leaves"
        f" such {of}s out{wrong}"
    )


def _is_class(frame: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Return whether there is one prediction, and it is a class, not a number with decimals."""
    return len(columns) == 1 and not frame[columns[0]].dtype.is_float()


def _find_missing(
    frame: pl.DataFrame, needed: Mapping[str, Sequence[str | None]]
) -> Iterator[_MissingRows]:
    known = {*frame.columns}
    for what, names in needed.items():
        columns = [name for name in dict.fromkeys(names) if name in known]
        found = [empty for name in columns if (empty := _is_missing(frame[name])) is not None]
        if found:
            rows = pl.select(pl.any_horizontal(found)).to_series()
            yield _MissingRows(what, [name for name in columns if name], rows, int(rows.sum()))


def _is_missing(column: pl.Series) -> pl.Series | None:
    """Return where a column has no value; None if it has one everywhere."""
    if column.dtype == pl.String:
        known = column.unique().drop_nulls()
        blank = known.filter(known.str.strip_chars() == "")
        empty = column.is_null() | column.is_in(blank.to_list()) if len(blank) else column.is_null()
    elif column.dtype.is_float():
        if not column.null_count() and not column.is_nan().any():
            return None
        empty = column.is_null() | column.is_nan().fill_null(False)
    elif not column.null_count():
        return None
    else:
        empty = column.is_null()
    return empty if empty.any() else None
