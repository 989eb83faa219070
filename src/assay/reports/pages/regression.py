"""The page of predicted numbers."""

from __future__ import annotations

import numpy as np

from assay.engine.scores import Scores
from assay.evidence.views.value_pairs import ValuePairs
from assay.reports.figures.value_figures import MOST, predicted_figure, residuals_figure
from assay.reports.markup import Child, Markup, tag
from assay.reports.pages.page import figure_row, note, page_table, section, trace_panels
from assay.reports.pages.task_page import TaskPage
from assay.tasks.regression.regression import RegressionEvidence

WORST = 10


def regression_page(evidence: RegressionEvidence, scores: Scores, title: str = "Regression") -> str:
    """Return the page: numbers, residuals, predictions against the truth, largest errors."""
    pairs = evidence.first.pairs
    shown = figure_row([residuals_figure(pairs), predicted_figure(pairs)])
    said = f"The figures show {MOST} of {len(pairs.truth)} items, spread evenly."
    work = trace_panels([pairs], scores.measures, "regression")
    middle = [
        section("residuals", "Residuals", shown, note(said if len(pairs.truth) > MOST else None)),
        section("worst", "The largest errors", _worst(pairs)),
    ]
    truth, predicted = (evidence.first.columns[kind] for kind in ("truth", "predicted"))
    lead = f"{len(pairs.truth)} items: {predicted} against the truth in {truth}."
    return TaskPage(lead, middle, work).render(scores, title)


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
    head: list[Child] = ["item", "truth", "prediction", "truth − prediction"]
    return page_table(head, rows, "Items whose prediction is furthest off")
