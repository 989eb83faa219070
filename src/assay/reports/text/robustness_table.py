"""The robustness table: each measure by degree of missing input, and what it has lost."""

from __future__ import annotations

from assay.engine.scores import Scores
from assay.reports.text.table_text import Rows, align_columns, number


def robustness_rows(scores: Scores, digits: int) -> Rows:
    """A row for each degree; beside each value its difference from the first degree."""
    rows = [["missing", *(cell for name in scores.measures for cell in (name, "lost"))]]
    values = {name: scores[name] for name in scores.measures}
    start = scores.systems[0]
    for degree in scores.systems:
        cells = []
        for name in scores.measures:
            value, first = values[name][degree], values[name][start]
            cells += [number(value, digits), number(first - value, digits)]
        rows.append([degree, *cells])
    return rows


def robustness_text(scores: Scores, digits: int) -> str:
    """The table, for a terminal."""
    return align_columns(robustness_rows(scores, digits))
