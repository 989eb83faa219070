"""Scores as an HTML table: for a file, and for a notebook."""

from __future__ import annotations

from assay.engine.scores import Scores
from assay.reports.frames import Shown
from assay.reports.markup import Markup, joined, tag
from assay.reports.tables import Layout, leaderboard, notes, written_rows

NOTEBOOK_ROWS = 60
"""A notebook shows so many rows at most."""


def html_table(scores: Scores, layout: Layout) -> str:
    """The table alone, to put into a page."""
    head, *rows = written_rows(scores, layout)
    return _table(head, rows)


def frame_table(shown: Shown) -> str:
    """Any small table."""
    head, *rows = shown.rows()
    return _table(head, rows)


def notebook(scores: Scores) -> str:
    """What a notebook shows: the leaderboard, best first, and the notes below it."""
    sort = scores.measures[0] if len(scores.systems) > 1 else None
    head, *rows = leaderboard(scores, Layout(sort=sort))
    said = [*scores.warnings, *notes(scores)]
    if len(rows) > NOTEBOOK_ROWS:
        said.append(f"{NOTEBOOK_ROWS} of {len(rows)} systems")
    below = [tag("div", each, style="font-size: smaller; opacity: 0.8") for each in said]
    return joined(_table(head, rows[:NOTEBOOK_ROWS]), below)


def _table(head: list[str], rows: list[list[str]]) -> Markup:
    top = tag("tr", [tag("th", cell, scope="col") for cell in head])
    body = [
        tag("tr", tag("th", row[0], scope="row"), [tag("td", cell) for cell in row[1:]])
        for row in rows
    ]
    return tag("table", tag("thead", top), tag("tbody", body))
