"""Days of rows, from days or from times with a zone."""

from __future__ import annotations

import re

import polars as pl

from assay.core.errors import DataError, UsageError, missing_column
from assay.core.tables import Source

_ZONE = re.compile(r"(?:[zZ]|[+-]\d{2}:?\d{2})$")
_PACKED = (19_000_101, 22_000_101)
"""Whole numbers in this range are days such as 20240531; others are counted days."""


def day_column(
    frame: pl.DataFrame, source: Source, time: str | None, day: str | None, zone: str | None
) -> pl.Series | None:
    """Return the day of each row as YYYY-MM-DD in a zone (UTC by default); None without times."""
    if time is not None and day is not None:
        raise UsageError("`time` and `day` both give the day of a row; name one of them")
    name = time if time is not None else day
    if name is None:
        return None
    if name not in frame.columns:
        raise missing_column(source.name, name, frame.columns, "for the days")
    column = frame[name]
    empty = column.is_null().arg_true()
    if len(empty):
        raise DataError(f"{source.place(int(empty[0]))}: there is no {name}")
    if day is not None:
        return _plain_days(column, source, name)
    return (
        _zoned(column, source, name, zone)
        .dt.convert_time_zone(zone or "UTC")
        .dt.strftime("%Y-%m-%d")
    )


def _plain_days(column: pl.Series, source: Source, name: str) -> pl.Series:
    if column.dtype == pl.Date:
        return column.dt.strftime("%Y-%m-%d")
    if isinstance(column.dtype, pl.Datetime) and (column == column.dt.truncate("1d")).all():
        return column.dt.strftime("%Y-%m-%d")  # pandas has no type of days
    if column.dtype.is_integer() and not bool(column.is_between(*_PACKED).all()):
        return _counted_days(column, source, name)
    text = column.cast(pl.String)
    form, length = ("%Y%m%d", 8) if column.dtype.is_integer() else ("%Y-%m-%d", 10)
    days = text.str.to_date(form, strict=False)
    bad = days.is_null() | (text.str.len_chars() != length)
    if bad.any():
        row = int(bad.arg_true()[0])
        raise DataError(
            f"{source.place(row)}: the {name} '{text[row]}' is not a day such as 2024-05-31; for"
            " times use `time=…`"
        )
    return days.dt.strftime("%Y-%m-%d")


def _counted_days(column: pl.Series, source: Source, name: str) -> pl.Series:
    """Return days that are counted from 0 or 1 on, as text that sorts by number."""
    low = (column < 0).arg_true()
    if len(low):
        row = int(low[0])
        raise DataError(
            f"{source.place(row)}: the {name} {column[row]} is below 0; days are counted from 0 or"
            " 1 on, or written as 2024-05-31"
        )
    width = max(4, len(str(column.max())))
    return column.cast(pl.String).str.zfill(width)


def _zoned(column: pl.Series, source: Source, name: str, zone: str | None) -> pl.Series:
    """Return times in UTC; those without a zone are refused unless one is named."""
    if isinstance(column.dtype, pl.Datetime):
        if column.dtype.time_zone is not None:
            return column.dt.convert_time_zone("UTC")
        if zone is None:
            raise _no_zone(source, 0, name, str(column[0]))
        return _localized(column, zone)
    text = column.cast(pl.String)
    bare = (~text.str.contains(_ZONE.pattern)).arg_true()
    if len(bare) and zone is None:
        raise _no_zone(source, int(bare[0]), name, text[int(bare[0])])
    if len(bare):
        parsed = text.str.to_datetime(strict=False)
        times = _localized(parsed, zone or "UTC")
    else:
        plain = text.str.replace(r"[zZ]$", "+00:00").str.replace(" ", "T", literal=True)
        times = plain.str.to_datetime("%+", strict=False, time_zone="UTC")
    bad = times.is_null().arg_true()
    if len(bad):
        raise DataError(
            f"{source.place(int(bad[0]))}: the {name} '{text[int(bad[0])]}' is not a time such as"
            " 2024-05-31T18:00:00Z"
        )
    return times


def _localized(column: pl.Series, zone: str) -> pl.Series:
    try:
        local = column.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
    except pl.exceptions.PolarsError as failure:
        raise UsageError(
            f"there is no time zone '{zone}': write one such as Europe/Berlin"
        ) from failure
    return local.dt.convert_time_zone("UTC")


def _no_zone(source: Source, row: int, name: str, text: str) -> DataError:
    return DataError(
        f"{source.place(row)}: the {name} '{text}' has no zone; write it as {text}Z or with an"
        " offset such as +02:00, or name the zone with `zone=…`"
    )
