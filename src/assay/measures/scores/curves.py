"""The curves of a score: what each threshold gives, from the highest score to the lowest."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns, curve
from assay.core.parameters import Depth
from assay.evidence.views.threshold_table import ThresholdTable


def _add_zero_point(table: ThresholdTable) -> tuple[Floats, Floats, Floats]:
    """Thresholds, true and false positives, beginning with a threshold that nothing reaches."""
    return (
        np.concatenate(([np.inf], table.score)),
        np.concatenate(([0.0], table.tp[0])),
        np.concatenate(([0.0], table.fp[0])),
    )


@curve("ROC")
def roc(table: ThresholdTable) -> Columns:
    """The share of positives and of negatives at or above each distinct score, from none to all."""
    threshold, tp, fp = _add_zero_point(table)
    return {"threshold": threshold, "FPR": ratio(fp, fp[-1]), "TPR": ratio(tp, tp[-1])}


@curve("DET")
def det(table: ThresholdTable) -> Columns:
    """Both error rates at each distinct score, and the same as normal deviates."""
    from scipy.special import ndtri

    threshold, tp, fp = _add_zero_point(table)
    false_alarm, miss = ratio(fp, fp[-1]), 1 - ratio(tp, tp[-1])
    return {
        "threshold": threshold,
        "FPR": false_alarm,
        "FNR": miss,
        "FPR deviate": ndtri(false_alarm),
        "FNR deviate": ndtri(miss),
    }


@curve("PR by threshold")
def precision_recall(table: ThresholdTable) -> Columns:
    """Precision and recall at or above each distinct score."""
    return {
        "threshold": table.score,
        "R": ratio(table.tp[0], table.tp[0][-1]),
        "P": ratio(table.tp[0], table.tp[0] + table.fp[0]),
    }


@curve("lift")
def lift(table: ThresholdTable) -> Columns:
    """How many times as many positives the items at or above a score hold as a random choice."""
    threshold, tp, fp = _add_zero_point(table)
    taken = ratio(tp + fp, tp[-1] + fp[-1])
    return {"threshold": threshold, "taken": taken, "lift": ratio(ratio(tp, tp[-1]), taken)}


@curve("gain")
def gain(table: ThresholdTable) -> Columns:
    """The share of the positives among the best scored items, by the share of items taken."""
    threshold, tp, fp = _add_zero_point(table)
    return {
        "threshold": threshold,
        "taken": ratio(tp + fp, tp[-1] + fp[-1]),
        "gain": ratio(tp, tp[-1]),
    }


@curve("densities")
def densities(table: ThresholdTable, bins: Depth = 20) -> Columns:
    """How the scores of positive and of negative items lie: the density of each in equal bins."""
    edges = np.linspace(table.score[-1], table.score[0], bins + 1)
    if table.score[0] == table.score[-1]:
        edges = np.asarray([table.score[0] - 0.5, table.score[0] + 0.5])
    positives, _ = np.histogram(table.score, edges, weights=table.positives[0])
    negatives, _ = np.histogram(table.score, edges, weights=table.negatives[0])
    width = np.diff(edges)
    return {
        "low": edges[:-1],
        "high": edges[1:],
        "positive": ratio(positives, positives.sum() * width),
        "negative": ratio(negatives, negatives.sum() * width),
    }
