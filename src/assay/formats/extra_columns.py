"""A further column of a run, such as the cost of a query: by its name, or by its number.

A TREC run has no header: its fields are numbered from 1, and those after the sixth are further
columns. If there is only one of them, any name means it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError, UsageError, missing_column
from assay.core.tables import Run, Source, Table
from assay.formats.containers import open_file, to_frame
from assay.formats.files.trec import RUN_LAYOUT
from assay.formats.input_files import STANDARD_INPUT, Input
from assay.formats.line_layout import LineLayout
from assay.formats.line_reader import read_all_lines
from assay.formats.table_columns import SYNONYMS

_NOTHING_MORE = (
    "this run has no further columns; give a run with a column '{0}', or the file of a table (CSV)"
    " with the columns system and {0}"
)


def extra_column(run: Any, column: str) -> tuple[pl.DataFrame, Source]:
    """Return the query and that column (as ``value``, perhaps empty) of each row of a run."""
    if str(run) == STANDARD_INPUT:
        raise UsageError(
            f"the column '{column}' cannot be read from standard input, which is read only once;"
            " give the run as a file"
        )
    if isinstance(run, str | Path):
        form, file = open_file(run, "run")
        if form.name == "trec":
            return _column_of_lines(file, column)
        if form.name in ("msmarco", "json"):
            raise FormatError(_NOTHING_MORE.format(column), str(run))
    else:
        from assay.formats.nested_dicts import is_nested

        if isinstance(run, Table) or is_nested(run):
            raise FormatError(_NOTHING_MORE.format(column), "a run in memory")
    return _column_of_table(*to_frame(run, "run"), column)


def _column_of_lines(file: Input, column: str) -> tuple[pl.DataFrame, Source]:
    fields, usual = len(file.first_row), len(RUN_LAYOUT.names)
    if fields <= usual:
        raise FormatError(_NOTHING_MORE.format(column), file.name)
    number = int(column) if column.isdecimal() else usual + 1
    if not usual < number <= fields or (not column.isdecimal() and fields > usual + 1):
        raise FormatError(
            f"the fields of a TREC run have no names: '{column}' is not one of {usual + 1} to"
            f" {fields}; name the column by its number",
            file.name,
        )
    skipped = tuple(f"_{each}" for each in range(usual, number - 1))
    names = (*(f"_{name.strip('_')}" for name in RUN_LAYOUT.names[1:]), *skipped)
    form = f"{RUN_LAYOUT.form}, and further fields up to {number}"
    return read_all_lines(file, LineLayout(("query", *names, "value"), form, numbers=("value",)))


def _column_of_table(
    frame: pl.DataFrame, source: Source, column: str
) -> tuple[pl.DataFrame, Source]:
    folded = {name.strip().casefold(): name for name in frame.columns}
    query = next((folded[name] for name in SYNONYMS["query"] if name in folded), None)
    if query is None or column.casefold() not in folded:
        missing = "query" if query is None else column
        raise missing_column(source.name, missing, frame.columns, error=DataError)
    ids = Run.of(frame.select(query=query, doc=query, score=pl.lit(0.0)), source).frame["query"]
    return pl.DataFrame({"query": ids, "value": frame[folded[column.casefold()]]}), source
