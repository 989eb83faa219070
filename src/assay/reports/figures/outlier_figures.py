"""Figures of outlier detection: ROC and PR curves, areas by contamination, scores of a detector."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from assay.evidence.views.threshold_table import ThresholdTable
from assay.reports.figures.curve_figures import plot_precision_recall_curve
from assay.reports.figures.figure import Figure, only_view
from assay.reports.figures.roc_figures import plot_roc
from assay.reports.figures.score_density_figures import densities_figure
from assay.reports.figures.series_figures import interval_lines
from assay.selection.learning_tasks.outliers import NORMAL, OUTLIER, OutlierDetection
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns


def outlier_figures(result: OutlierDetection) -> dict[str, Figure]:
    """Return ROC and PR curves, the area by contamination, and the scores of the best detector."""
    best = result.scores.best_first("AUC")[0].system
    curve = result.curve.filter(pl.col("measure") == "AUC")
    scored = only_view(_evidence(result, [best]), ThresholdTable)
    axes = ("share of outliers in the training items", "AUC")
    title = "Area under the ROC curve by contamination of the training items"
    every = _evidence(result, list(result.item_scores))
    return {
        "roc": plot_roc(every),
        "precision-recall": plot_precision_recall_curve(every),
        "contamination": interval_lines(curve, "contamination", title, axes),
        "scores": replace(
            densities_figure(scored, title=f"score by {best}"),
            title=f"Scores by {best} of outliers (positive) and normal items (negative)",
        ),
    }


def _evidence(result: OutlierDetection, names: list[str]) -> ClassificationEvidence:
    """Return the scores of some detectors as evidence of a classification."""
    columns = {name: result.item_scores[name] for name in names}
    truth = [OUTLIER if each else NORMAL for each in result.truth.tolist()]
    return ClassificationEvidence.read(
        pl.DataFrame({"truth": truth, **columns}),
        ClassificationColumns(truth="truth", score=names, positive=OUTLIER),
    )
