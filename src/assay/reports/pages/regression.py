"""The page of predicted numbers."""

from __future__ import annotations

import numpy as np

from assay.engine.scores import Scores
from assay.evidence.views.value_pairs import ValuePairs
from assay.reports.figures.figure import system_view
from assay.reports.figures.value_figures import MOST, predicted_figure, residuals_figure
from assay.reports.markup import Child, Markup, tag
from assay.reports.pages.page import figure_row, note, page_table, panel_section, trace_panels
from assay.reports.pages.task_page import TaskPage
from assay.tasks.regression.regression import RegressionEvidence

WORST = 10
MOST_SHOWN = 12
"""So many systems have figures and a table of their own."""


def regression_page(evidence: RegressionEvidence, scores: Scores, title: str = "Regression") -> str:
    """Return the page: numbers, and of each system residuals and its largest errors."""
    pairs = evidence.first.pairs
    work = trace_panels([pairs], scores) if len(evidence.systems) == 1 else []
    shown = {
        name: system_view(evidence, name, ValuePairs) for name in evidence.systems[:MOST_SHOWN]
    }
    figures = [
        (name, figure_row([residuals_figure(each), predicted_figure(each)]))
        for name, each in shown.items()
    ]
    worst = [(name, _worst(each)) for name, each in shown.items()]
    middle = [
        *panel_section("residuals", "Residuals", ("residuals-of", "system"), figures, _left(pairs)),
        *panel_section("worst", "The largest errors", ("worst-of", "system"), worst),
    ]
    predicted = ", ".join(str(each.columns["predicted"]) for each in evidence.members.values())
    truth = evidence.first.columns["truth"]
    lead = f"{len(pairs.truth)} items: predicted in {predicted}, actual in {truth}."
    return TaskPage(lead, middle, work).render(scores, title)


def _left(pairs: ValuePairs) -> Markup | None:
    count = len(pairs.truth)
    return note(
        f"The figures show {MOST} of {count} items, spread evenly." if count > MOST else None
    )


def _worst(pairs: ValuePairs) -> Markup:
    residual = pairs.truth - pairs.predicted
    order = np.lexsort((np.arange(len(residual)), -np.abs(residual)))[:WORST]
    rows: list[list[Child]] = [
        [
            pairs.items[n],
            f"{pairs.truth[n]:g}",
            f"{pairs.predicted[n]:g}",
            tag("td", f"{residual[n]:+.4g}", class_="up" if residual[n] > 0 else "down"),
        ]
        for n in order.tolist()
    ]
    head: list[Child] = ["item", "actual", "predicted", "actual − predicted"]
    return page_table(head, rows, "Items whose prediction is furthest off")
