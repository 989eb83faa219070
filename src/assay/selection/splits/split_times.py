"""Splits by time: every part is later than the one before, with a gap between them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError

LONGEST_GAP = timedelta(days=36525)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_times(column: pl.Series, where: str) -> pl.Series:
    """Return times as numbers or points in time; text is read as ISO 8601.

    A date is its first moment, so that a gap of hours counts between dates too.
    """
    if column.dtype.is_numeric():
        bad = ~column.cast(pl.Float64).is_finite()
        parsed = column
    elif column.dtype.is_temporal():
        return column.cast(pl.Datetime("us")) if column.dtype == pl.Date else column
    else:
        text = column.cast(pl.String)
        parsed = text.cast(pl.Float64, strict=False)
        if parsed.null_count():
            parsed = text.str.to_datetime(strict=False, time_zone="UTC", ambiguous="earliest")
        if parsed.null_count():
            parsed = text.str.to_date(strict=False).cast(pl.Datetime("us"))
        bad = parsed.is_null()
    if bad.any():
        row = int(bad.arg_true()[0])
        raise DataError(
            f"{where}: row {row + 1}: '{column[row]}' is not a time; numbers or ISO 8601 are"
            " expected, such as 2026-05-31 or 2026-05-31T12:00:00Z"
        )
    return parsed


def read_gap(gap: str | float | None, dtype: pl.DataType) -> Any:
    """Return a gap in the unit of the times: a number, or a duration such as 7d."""
    if gap is None:
        return None
    text = str(gap).strip()
    if dtype.is_numeric():
        try:
            found = float(text)
        except ValueError:
            raise UsageError(f"`gap` is '{gap}': the times are numbers, so give a number") from None
        if not found >= 0:
            raise UsageError(f"`gap` is {gap}: a number from 0 is expected")
        return found
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw])", text)
    if match is None:
        raise UsageError(f"`gap` is '{gap}': a duration is expected, such as 7d, 12h or 30m")
    try:
        found_gap = timedelta(**{_UNITS[match[2]]: float(match[1])})
    except OverflowError:
        found_gap = timedelta.max
    if found_gap > LONGEST_GAP:
        raise UsageError(f"`gap` is '{gap}': at most 100 years (36525d) are possible")
    return found_gap


def split_by_time(
    times: pl.Series, shares: Floats, gap: Any
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the part of each item, and whether it is within the gap before a later part.

    The times are sorted. Items of equal time are in the same part.
    """
    ends = np.floor(np.cumsum(shares) * len(times) + 0.5).astype(np.int64)
    position = times.search_sorted(times, side="left").to_numpy()
    parts = np.searchsorted(ends, position, side="right").clip(max=len(shares) - 1)
    near = np.zeros(len(times), dtype=np.bool_)
    if gap is not None:
        for part in np.unique(parts)[1:]:
            begin = times[int(np.argmax(parts == part))]
            near |= (parts < part) & (times > begin - gap).to_numpy()
    return parts, near
