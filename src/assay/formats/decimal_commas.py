"""Tables whose numbers have a decimal comma, as in 0,25."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.tables import Table
from assay.formats.arrays import is_array, is_frame
from assay.formats.containers import is_text_file, to_frame
from assay.formats.input_files import Input

_FIELD = re.compile(
    rb'(?<![^\s;|"])([-+]?\d*),(\d+(?:[eE][-+]?\d+)?)(?![^\s;|"])',
)
"""A number with a comma between white space, semicolons, bars or quotes."""
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


def with_decimal_points(data: Any, asked: bool = True) -> Any:
    """Return judgments or runs whose numbers have a point, in place of a comma.

    A file of lines keeps its lines: only fields that are numbers with a comma change. A folder, and
    what is neither a file nor a table, is returned as it is.
    """
    if not asked or isinstance(data, Table):  # a table that was read has numbers
        return data
    if is_text_file(data):
        if Path(data).is_dir():
            return data
        content = Input(data).text_content()
        return Input(data, _FIELD.sub(rb"\1.\2", content))
    if is_frame(data):
        return read_decimal_commas(data).frame
    if isinstance(data, Mapping) and any(map(_may_have_commas, data.values())):
        return {name: with_decimal_points(each) for name, each in data.items()}
    if isinstance(data, list | tuple) and any(map(_may_have_commas, data)):
        return [with_decimal_points(each) for each in data]
    return data


def _may_have_commas(given: Any) -> bool:
    return isinstance(given, str | Path) or (is_frame(given) and not isinstance(given, Table))


def _numbers(column: pl.Series) -> pl.Series:
    if column.dtype != pl.String:
        return column
    filled = column.str.strip_chars().replace("", None)
    known = filled.drop_nulls()
    if not known.str.contains(_NUMBER).all() or not known.str.contains(",", literal=True).any():
        return column
    return filled.str.replace(",", ".", literal=True).cast(pl.Float64)
