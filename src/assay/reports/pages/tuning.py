"""The page of a search: its trials, the value against each parameter, the choice and its worth."""

from __future__ import annotations

from assay.reports.figures.tuning_figures import parameter_figures, search_figure
from assay.reports.markup import tag
from assay.reports.pages.page import figure_block, figure_row, render_page, section
from assay.reports.pages.result_page import table_sections
from assay.reports.text.learning_text import TuningText
from assay.selection.tuning.tune import Tuning


def tuning_page(result: Tuning, title: str = "Tuning") -> str:
    """Return a page with the search, the curves of the parameters, the choice and the tables."""
    text = TuningText(result)
    notes = tag("ul", [tag("li", each) for each in text.notes()])
    parts = [
        section("choice", "Choice", notes),
        section("search", "Search", figure_block(search_figure(result))),
    ]
    if curves := parameter_figures(result):
        parts.append(section("parameters", "Parameters", figure_row(curves, kind="row")))
    return render_page(title, "", [*parts, *table_sections(text)])
