"""The page of a learning task: its learners, its figures, its tables and notes."""

from __future__ import annotations

from itertools import groupby

from assay.reports.figures.learning_task_figures import task_figures
from assay.reports.markup import tag
from assay.reports.pages.page import (
    best_system_tiles,
    figure_row,
    page_table,
    render_page,
    section,
)
from assay.reports.text.learning_task_text import LearningTaskText
from assay.selection.learning_tasks.task_result import TaskResult

SIDE_BY_SIDE = ("few-bins", "many-bins")
"""Figures that have a row of their own."""


def learning_task_page(result: TaskResult, title: str | None = None) -> str:
    """Return a page with the best learners, all figures, all tables and the notes."""
    text = LearningTaskText(result)
    first, *others = [
        section(
            f"table-{place}",
            table.title,
            page_table(table.rows[0], table.rows[1:], f"{result.title}: {table.title.lower()}"),
        )
        for place, table in enumerate(text.tables())
    ]
    notes = tag("ul", [tag("li", each) for each in text.notes()])
    rows = [
        figure_row([figure for _, figure in group])
        for _, group in groupby(task_figures(result).items(), lambda pair: pair[0] in SIDE_BY_SIDE)
    ]
    parts = [first, section("figures", "Figures", *rows)]
    parts += [*others, section("notes", "Notes", notes)]
    tiles = best_system_tiles(result.scores)
    return render_page(title or result.title, "", parts, tiles=tiles)
