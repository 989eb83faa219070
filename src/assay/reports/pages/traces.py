"""Traces in a page: the table from which a number comes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.names import measure as measure_named
from assay.engine.local import select_evidence
from assay.reports.markup import Markup, tag
from assay.reports.pages.sections import page_table
from assay.reports.text.table_text import frame_rows
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

MOST_ROWS = 20
MOST_TRACES = 1200
"""A page has no more traces of rankings than these; it says so, and how to see any other."""


def measure_trace(view: Any, name: str, task: str) -> pl.DataFrame | None:
    """The table behind a measure of a view of one unit; None if it cannot show its work."""
    asked = measure_named(name, task)
    definition = asked.definition
    if not definition.tracer or not isinstance(view, definition.view):
        return None
    seen = select_evidence(view, asked)
    if len(seen.units) != 1 and definition.unit is not None:
        return None
    return pl.DataFrame(asked.trace(seen))


def trace_panels(views: Iterable[Any], measures: Sequence[str], task: str) -> list[Markup]:
    """For each measure that can show its work a part to open, with the table behind it."""
    shown = []
    for view in views:
        for name in measures:
            found = measure_trace(view, name, task)
            if found is not None:
                shown.append(
                    tag("details", tag("summary", f"How {name} comes about"), _table(found, name))
                )
    return shown


def _table(found: pl.DataFrame, name: str) -> Markup:
    caption = f"{name}, step by step"
    if found.height > MOST_ROWS:
        caption += f": the first {MOST_ROWS - 1} rows and the last of {found.height}"
    head, *rows = frame_rows(found.columns, _shorten_table(found).rows(), 4)
    return page_table(head, [[tag("td", cell) for cell in row] for row in rows], caption)


def _shorten_table(table: pl.DataFrame) -> pl.DataFrame:
    """The first rows, and the last one, which has the number."""
    if table.height <= MOST_ROWS:
        return table
    return pl.concat([table.head(MOST_ROWS - 1), table.tail(1)])


def ranking_traces(evidence: RetrievalEvidence, name: str, kept: Sequence[str]) -> dict[str, Any]:
    """Return the traces of a measure: its columns, and rows by query and number of the system."""
    traced = kept[: max(1, MOST_TRACES // max(len(evidence.runs), 1))]
    found: dict[str, dict[int, list[list[Any]]]] = {}
    columns: list[str] = []
    for number, system in enumerate(evidence.systems):
        rankings = evidence.rankings(system)
        place = {query: n for n, query in enumerate(rankings.queries)}
        for query in traced:
            table: pl.DataFrame | None = pl.DataFrame()
            if query in place:
                one = rankings.take(np.asarray([place[query]]))
                table = measure_trace(one, name, "retrieval")
            if table is None:
                return {}
            columns = table.columns
            rows = _shorten_table(table).rows()
            found.setdefault(query, {})[number] = [
                [_format_cell(cell) for cell in row] for row in rows
            ]
    return {"columns": columns, "rows": found} if found else {}


def _format_cell(cell: Any) -> Any:
    if not isinstance(cell, float):
        return cell
    return round(cell, 4) if math.isfinite(cell) else None
