"""The forms in which Scores are written, by name."""

from __future__ import annotations

from collections.abc import Callable

from assay.engine.scores import Scores
from assay.reports import html, latex
from assay.reports.tables import Layout, markdown, separated, terminal, trec

FORMATS: dict[str, Callable[[Scores, Layout], str]] = {
    "table": terminal,
    "json": lambda scores, layout: scores.to_json(),
    "csv": lambda scores, layout: separated(scores, layout, ","),
    "tsv": lambda scores, layout: separated(scores, layout, "\t"),
    "markdown": markdown,
    "latex": latex.scores_table,
    "html": html.html_table,
    "trec": trec,
}
