"""Tables whose numbers have a decimal comma, as in 0,25."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.core.tables import Table
from assay.formats.containers import to_frame

_NUMBER = r"^\s*[-+]?(\d+(,\d*)?|,\d+)([eE][-+]?\d+)?\s*$"


def read_decimal_commas(given: Any, what: str = "the table") -> Table:
    """Return a table whose columns of numbers with a decimal comma are numbers.

    A column is one of numbers if all its cells are, and one has a comma.
    """
    frame, source = to_frame(given, what)
    return Table(frame.with_columns(map(_numbers, frame.get_columns())), source)


def _numbers(column: pl.Series) -> pl.Series:
    if column.dtype != pl.String:
        return column
    filled = column.str.strip_chars().replace("", None)
    known = filled.drop_nulls()
    if not known.str.contains(_NUMBER).all() or not known.str.contains(",", literal=True).any():
        return column
    return filled.str.replace(",", ".", literal=True).cast(pl.Float64)
