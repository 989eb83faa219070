"""A further column of a run, such as what a query cost: named by its header, or by its number.

A TREC run has no header: its fields are numbered from 1, and those after the sixth are further
columns. Where there is only one of them, any name means it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import FormatError, UsageError, did_you_mean
from assay.core.tables import Run, Source, Table
from assay.formats import nested_dicts, trec
from assay.formats.column_names import SYNONYMS
from assay.formats.containers import open_head, to_frame
from assay.formats.format import FileHead
from assay.formats.text.input_files import STANDARD_INPUT
from assay.formats.text.line_layout import LineLayout
from assay.formats.text.line_reader import read_lines

_NOTHING_MORE = (
    "this run has no further columns; give a run with a column '{0}', or the file of a table (CSV)"
    " with the columns system and {0}"
)


def extra_column(run: Any, column: str) -> tuple[pl.DataFrame, Source]:
    """The query and that column (as ``value``, perhaps empty) of each row of a run."""
    if str(run) == STANDARD_INPUT:
        raise UsageError(
            f"the column '{column}' cannot be read from standard input, which is read only once;"
            " give the run as a file"
        )
    if isinstance(run, str | Path):
        form, head = open_head(run, "run")
        if form.name == trec.FORMAT.name:
            return _column_of_lines(head, column)
        if form.name in ("msmarco", "json"):
            raise FormatError(_NOTHING_MORE.format(column), str(run))
    elif isinstance(run, Table) or nested_dicts.is_nested(run):
        raise FormatError(_NOTHING_MORE.format(column), "a run in memory")
    return _column_of_table(*to_frame(run, "run"), column)


def _column_of_lines(head: FileHead, column: str) -> tuple[pl.DataFrame, Source]:
    fields, usual = len(head.rows[0]) if head.rows else 0, len(trec.RUN_LAYOUT.names)
    if fields <= usual:
        raise FormatError(_NOTHING_MORE.format(column), head.file.name)
    number = int(column) if column.isdecimal() else usual + 1
    if not usual < number <= fields or (not column.isdecimal() and fields > usual + 1):
        raise FormatError(
            f"the fields of a TREC run have no names: '{column}' is not one of {usual + 1} to"
            f" {fields}; name the column by its number",
            head.file.name,
        )
    skipped = tuple(f"_{each}" for each in range(usual, number - 1))
    names = (*(f"_{name.strip('_')}" for name in trec.RUN_LAYOUT.names[1:]), *skipped)
    form = f"{trec.RUN_LAYOUT.form}, and further fields up to {number}"
    layout = LineLayout(("query", *names, "value"), form, numbers=("value",))
    rows = pl.concat(list(read_lines(head.file, layout, ["query", "value"])))
    return rows, trec.line_source(head.file)


def _column_of_table(
    frame: pl.DataFrame, source: Source, column: str
) -> tuple[pl.DataFrame, Source]:
    folded = {name.strip().casefold(): name for name in frame.columns}
    query = next((folded[name] for name in SYNONYMS["query"] if name in folded), None)
    if query is None or column.casefold() not in folded:
        missing = "query" if query is None else column
        raise FormatError(
            f"there is no column '{missing}' among {', '.join(frame.columns)}."
            + did_you_mean(missing, frame.columns),
            source.name,
        )
    ids = Run.of(frame.select(query=query, doc=query, score=pl.lit(0.0)), source).frame["query"]
    return pl.DataFrame({"query": ids, "value": frame[folded[column.casefold()]]}), source
