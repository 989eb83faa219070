"""Items without a prediction: what is done with them, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.tables import Source

Policy: TypeAlias = Literal["error", "drop", "wrong"]
POLICIES = ("error", "drop", "wrong")
NOTHING = "(nothing)"
"""The class into which the policy ``wrong`` puts an item that was given no class."""


ROW = "row number"
"""The column that keeps the place of each row in what was given."""


def numbered(frame: pl.DataFrame, item: str | None) -> pl.DataFrame:
    """The rows with their numbers in what was given, where no column names the items."""
    if item is not None or ROW in frame.columns:
        return frame
    return frame.with_columns(pl.int_range(1, pl.len() + 1).alias(ROW))


def settled(
    frame: pl.DataFrame,
    source: Source,
    predictions: Iterable[str | None],
    policy: Policy,
    classes: bool = True,
) -> tuple[pl.DataFrame, Source, int]:
    """The rows after the policy, where they came from, and how many had no prediction.

    ``error`` refuses the first gap; ``drop`` leaves such items out; ``wrong`` counts them as
    decided wrongly, which is possible for a predicted class but not for a score or a number.
    """
    if policy not in POLICIES:
        raise UsageError(f"missing={policy} is not one of {', '.join(POLICIES)}")
    present = [name for name in predictions if name in frame.columns]
    if not frame.height or not present:
        return frame, source, 0
    empty = frame.select(pl.any_horizontal([_gap(frame, name) for name in present])).to_series()
    count = int(empty.sum())
    if not count:
        return frame, source, 0
    if policy == "drop":
        return frame.filter(~empty), kept_rows(source, ~empty), count
    can_be_wrong = classes and len(present) == 1 and not frame[present[0]].dtype.is_float()
    if policy == "error":
        row = int(empty.arg_true()[0])
        nan = [name for name in present if frame[name][row] != frame[name][row]]  # NaN alone
        said = f", {nan[0]} is nan" if nan else ""
        raise DataError(
            f"{source.place(row)}: there is no prediction{said} ({count} of {frame.height} items"
            " have none); missing=drop leaves such items out"
            + (", missing=wrong counts them as wrong" if can_be_wrong else "")
        )
    if not can_be_wrong:
        raise UsageError(
            "missing=wrong is for predicted classes alone: a missing score is neither right nor"
            " wrong; say missing=drop"
        )
    filled = pl.when(_gap(frame, present[0])).then(pl.lit(NOTHING))
    return (
        frame.with_columns(filled.otherwise(pl.col(present[0]).cast(pl.String)).alias(present[0])),
        source,
        count,
    )


def kept_rows(source: Source, kept: pl.Series) -> Source:
    """The source of the rows that are kept, so that a complaint still names the right line."""
    rows = kept.arg_true()
    if source.lines is None:
        return source
    lines = source.lines
    found = (lambda row: lines(int(rows[row]))) if callable(lines) else lines.gather(rows)
    return replace(source, lines=found)


def _gap(frame: pl.DataFrame, name: str) -> pl.Expr:
    column, dtype = pl.col(name), frame[name].dtype
    if dtype == pl.String:
        return column.is_null() | (column == "")
    return column.is_null() | column.is_nan() if dtype.is_float() else column.is_null()
