"""Figures of outlier detection: ROC curves, areas by contamination, the scores of one detector."""

from __future__ import annotations

import polars as pl

from assay.reports.figures.figure import Figure
from assay.reports.figures.roc_figures import plot_roc
from assay.reports.figures.score_density_figures import plot_densities
from assay.reports.figures.series_figures import interval_lines
from assay.selection.learning_tasks.outliers import NORMAL, OUTLIER, OutlierDetection
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns


def outlier_figures(result: OutlierDetection) -> dict[str, Figure]:
    """Return the ROC curves, the area by contamination, and the scores of the best detector."""
    best = result.scores.best_first("AUC")[0].system
    curve = result.curve.filter(pl.col("measure") == "AUC")
    axes = ("share of outliers in the training items", "AUC")
    title = "Area under the ROC curve by contamination of the training items"
    return {
        "roc": plot_roc(_evidence(result, list(result.item_scores))),
        "contamination": interval_lines(curve, "contamination", title, axes),
        "scores": plot_densities(_evidence(result, [best])),
    }


def _evidence(result: OutlierDetection, names: list[str]) -> ClassificationEvidence:
    """Return the scores of some detectors as evidence of a classification."""
    columns = {name: result.item_scores[name] for name in names}
    truth = [OUTLIER if each else NORMAL for each in result.truth.tolist()]
    return ClassificationEvidence.read(
        pl.DataFrame({"truth": truth, **columns}),
        ClassificationColumns(truth="truth", score=names, positive=OUTLIER),
    )
