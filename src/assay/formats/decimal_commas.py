"""Tables whose numbers have a decimal comma, as in 0,25."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.tables import Table
from assay.formats.arrays import is_array, is_frame
from assay.formats.containers import to_frame

_NUMBER = r"^\s*[-+]?(\d+(,\d*)?|,\d+)([eE][-+]?\d+)?\s*$"


def read_decimal_commas(given: Any, what: str = "the table") -> Table:
    """Return a table whose columns of numbers with a decimal comma are numbers.

    A column is one of numbers if all its cells are, and one has a comma.
    """
    frame, source = to_frame(given, what)
    return Table(frame.with_columns(map(_numbers, frame.get_columns())), source)


def with_decimal_commas(data: Any, asked: bool = True) -> Any:
    """Return a table, a list of tables or a dict of name to table, read with decimal commas."""
    if not asked or is_array(data):
        return data
    if isinstance(data, list | tuple):
        return [read_decimal_commas(each) for each in data]
    tables = isinstance(data, Mapping) and all(
        isinstance(each, str | Path) or is_frame(each) for each in data.values()
    )
    if tables:
        return {name: read_decimal_commas(each) for name, each in data.items()}
    return read_decimal_commas(data)


def _numbers(column: pl.Series) -> pl.Series:
    if column.dtype != pl.String:
        return column
    filled = column.str.strip_chars().replace("", None)
    known = filled.drop_nulls()
    if not known.str.contains(_NUMBER).all() or not known.str.contains(",", literal=True).any():
        return column
    return filled.str.replace(",", ".", literal=True).cast(pl.Float64)
