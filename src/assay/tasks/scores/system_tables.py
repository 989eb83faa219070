"""Score tables of several systems, one for each: frames, row dicts, or tuples of ir_measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Number
from typing import Any

import polars as pl

from assay.formats.arrays import is_frame
from assay.formats.containers import to_frame
from assay.formats.records import are_records, index_as_columns, record_columns
from assay.tasks.scores.score_tables import TABLE_COLUMNS


def stack_systems(given: Any) -> Any:
    """Return one table with a column ``system`` of a dict of name to table; others as they are.

    The tables are frames, lists of row dicts, or the tuples of query, measure and value that
    ``ir_measures.iter_calc`` yields.
    """
    if not isinstance(given, Mapping) or any(str(each) in TABLE_COLUMNS for each in given):
        return given
    if not given or not all(map(_is_table, given.values())):
        return given
    read = {
        str(name): list(each) if isinstance(each, Iterator) else each
        for name, each in given.items()
    }
    parts = [
        _to_frame(table, name).select(pl.lit(name).alias("system"), pl.exclude("system"))
        for name, table in read.items()
    ]
    return pl.concat(parts, how="diagonal_relaxed")


def _is_table(given: Any) -> bool:
    return isinstance(given, Iterator) or are_records(given) or is_frame(given)


def _to_frame(given: Any, name: str) -> pl.DataFrame:
    """Return the columns of a table; objects that name a measure become text."""
    if is_frame(given):
        return to_frame(index_as_columns(given), name)[0]
    columns = record_columns(given)
    known = str | Number | None
    return to_frame(
        {
            column: [cell if isinstance(cell, known) else str(cell) for cell in cells]
            for column, cells in columns.items()
        },
        name,
    )[0]
