"""The columns of a table of items, or of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import UsageError, missing_column
from assay.core.phrases import quantity
from assay.core.tables import Source
from assay.formats.containers import to_frame

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


def read_columns(
    data: Any, target: Any, by: Any
) -> tuple[pl.DataFrame, Source, str | None, list[str]]:
    """Return the table, its source, the column of the target and those of the slices."""
    if not hasattr(data, "dtype") and not _is_rows(data):
        given, source = to_frame(data, "the data")
        frame = given.with_columns([_read_numbers(column) for column in given])
        wanted = [by] if isinstance(by, str) else list(by)
        for name, purpose in ((target, "target"), *((each, "by") for each in wanted)):
            if name is not None and name not in frame.columns:
                raise missing_column(source.name, str(name), frame.columns, f"for `{purpose}`")
        return frame, source, target, wanted
    matrix = _read_matrix(data)
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


def _is_rows(data: Any) -> bool:
    """Return whether the data is a list of numbers or of rows, and not of records."""
    return isinstance(data, list) and not (data and isinstance(data[0], Mapping))


def _read_matrix(data: Any) -> Floats:
    """Return an array or a list as rows of numbers."""
    try:
        values = np.asarray(data, dtype=np.float64)
    except (ValueError, TypeError) as failure:
        raise UsageError(
            f"the features are not rows of equally many numbers ({failure}); give an array of"
            " numbers, or a table"
        ) from None
    if values.ndim not in (1, 2):
        raise UsageError(f"the features have the shape {values.shape}: rows of numbers are needed")
    return values[:, None] if values.ndim == 1 else values
