"""Scores as an HTML table: for a file, and for a notebook."""

from __future__ import annotations

from assay.engine.scores import Scores
from assay.reports.markup import Markup, join_markup, tag
from assay.reports.text.score_tables import Layout, document_rows, leaderboard_rows, score_notes
from assay.reports.text.table_text import FrameLayout

NOTEBOOK_ROWS = 60
"""A notebook shows so many rows at most."""


def html_table(scores: Scores, layout: Layout) -> str:
    """The table alone, to put into a page."""
    head, *rows = document_rows(scores, layout)
    return _table(head, rows)


def html_frame_table(shown: FrameLayout) -> str:
    """Any small table."""
    head, *rows = shown.rows()
    return _table(head, rows)


def notebook_html(scores: Scores) -> str:
    """What a notebook shows: the leaderboard, best first, and the notes below it."""
    sort = scores.measures[0] if len(scores.systems) > 1 else None
    head, *rows = leaderboard_rows(scores, Layout(sort=sort))
    said = [*scores.warnings, *score_notes(scores)]
    if len(rows) > NOTEBOOK_ROWS:
        said.append(f"{NOTEBOOK_ROWS} of {len(rows)} systems")
    below = [tag("div", each, style="font-size: smaller; opacity: 0.8") for each in said]
    return join_markup(_table(head, rows[:NOTEBOOK_ROWS]), below)


def _table(head: list[str], rows: list[list[str]]) -> Markup:
    top = tag("tr", [tag("th", cell, scope="col") for cell in head])
    body = [
        tag("tr", tag("th", row[0], scope="row"), [tag("td", cell) for cell in row[1:]])
        for row in rows
    ]
    return tag("table", tag("thead", top), tag("tbody", body))
