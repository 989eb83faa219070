"""Traces in a page: the table from which a number comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from assay.core.names import measure as measure_named
from assay.engine.local import select_evidence
from assay.reports.markup import Markup, tag
from assay.reports.pages.page import page_table
from assay.reports.text.table_text import frame_rows
from assay.tasks.explanation.ranking_explanations import steps_of_ranks

MOST_ROWS = 20


def measure_trace(view: Any, name: str, task: str) -> pl.DataFrame | None:
    """The table behind a measure of a view of one unit; None if it cannot show its work."""
    asked = measure_named(name, task)
    definition = asked.definition
    if not definition.tracer or not isinstance(view, definition.view):
        return None
    seen = select_evidence(view, asked)
    if len(seen.units) != 1 and definition.unit is not None:
        return None
    return pl.DataFrame(definition.tracer[0](seen, *asked.arguments))


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
    caption, shown = f"{name}, step by step", shorten_table(found)
    if shown.height < found.height:
        first = (
            f"the first {shown.height - 1} rows" if shown.height == MOST_ROWS else "relevant ones"
        )
        caption += f": {first} and the last of {found.height}"
    head, *rows = frame_rows(found.columns, shown.rows(), 4)
    return page_table(head, [[tag("td", cell) for cell in row] for row in rows], caption)


def shorten_table(table: pl.DataFrame) -> pl.DataFrame:
    """The first rows, and the last one, which has the number; of ranks those of relevant ones."""
    if table.height > MOST_ROWS:
        table = steps_of_ranks(table)
    if table.height <= MOST_ROWS:
        return table
    return pl.concat([table.head(MOST_ROWS - 1), table.tail(1)])
