"""Curves over thresholds, and the tables behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns, curve
from assay.core.parameters import Count
from assay.evidence.views.threshold_table import ThresholdTable

Rule: TypeAlias = Literal["at or above", "above"]
"""Whether an item whose score is the threshold is positive."""


class Outcomes(dict[str, Floats]):
    """The four counts of a choice of threshold, in any shape; rates are made when asked for."""

    def __init__(
        self, tp: Floats, fp: Floats, positives: Floats | float, negatives: Floats | float
    ) -> None:
        super().__init__(TP=tp, FP=fp, FN=positives - tp, TN=negatives - fp)
        self.positives, self.negatives = positives, negatives

    def __missing__(self, rate: str) -> Floats:
        self[rate] = RATES[rate](self)
        return self[rate]

    def with_rates(self) -> Columns:
        """Return the counts and all rates."""
        return {name: self[name] for name in ("TP", "FP", "FN", "TN", *RATES)}


RATES: dict[str, Callable[[Outcomes], Floats]] = {
    "TPR": lambda at: ratio(at["TP"], at.positives),
    "FPR": lambda at: ratio(at["FP"], at.negatives),
    "TNR": lambda at: ratio(at["TN"], at.negatives),
    "PPV": lambda at: ratio(at["TP"], at["TP"] + at["FP"]),
    "NPV": lambda at: ratio(at["TN"], at["TN"] + at["FN"]),
    "ACC": lambda at: ratio(at["TP"] + at["TN"], np.asarray(at.positives + at.negatives)),
    "F": lambda at: ratio(2 * at["TP"], 2 * at["TP"] + at["FP"] + at["FN"]),
    "Youden": lambda at: at["TPR"] - at["FPR"],
}


@curve("thresholds")
def thresholds(
    table: ThresholdTable, rule: Rule = "at or above", with_end: bool = False
) -> Columns:
    """One row for each distinct score, highest first: the decisions that this threshold gives.

    ``with_end`` adds the one choice that no score stands for: nobody positive (the threshold ∞)
    under the rule "at or above", everybody (−∞) under "above".
    """
    if with_end:
        threshold, tp, fp = candidate_thresholds(table, rule)
        return {"threshold": threshold} | Outcomes(tp, fp, *_sides(table)).with_rates()
    return {"threshold": table.score} | _outcomes(table, rule).with_rates()


def _outcomes(table: ThresholdTable, rule: Rule) -> Outcomes:
    tp, fp = table.tp[0], table.fp[0]
    if rule == "above":
        tp, fp = tp - table.positives[0], fp - table.negatives[0]
    return Outcomes(tp, fp, *_sides(table))


def _sides(table: ThresholdTable) -> tuple[float, float]:
    return float(table.positives[0].sum()), float(table.negatives[0].sum())


def candidate_thresholds(
    table: ThresholdTable, rule: Rule = "at or above"
) -> tuple[Floats, Floats, Floats]:
    """Return all distinct thresholds, with true and false positives, of the first unit."""
    tp = np.concatenate(([0.0], table.tp[0]))
    fp = np.concatenate(([0.0], table.fp[0]))
    if rule == "at or above":
        return np.concatenate(([np.inf], table.score)), tp, fp
    return np.concatenate((table.score, [-np.inf])), tp, fp


@curve("ROC")
def roc(table: ThresholdTable) -> Columns:
    """The share of positives and of negatives at or above each distinct score, from none to all."""
    threshold, tp, fp = candidate_thresholds(table)
    return {"threshold": threshold, "FPR": ratio(fp, fp[-1]), "TPR": ratio(tp, tp[-1])}


@curve("DET")
def det(table: ThresholdTable) -> Columns:
    """Both error rates at each distinct score, and the same as normal deviates."""
    from scipy.special import ndtri

    threshold, tp, fp = candidate_thresholds(table)
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
    threshold, tp, fp = candidate_thresholds(table)
    taken = ratio(tp + fp, tp[-1] + fp[-1])
    return {"threshold": threshold, "taken": taken, "lift": ratio(ratio(tp, tp[-1]), taken)}


@curve("gain")
def gain(table: ThresholdTable) -> Columns:
    """The share of the positives among the best scored items, by the share of items taken."""
    threshold, tp, fp = candidate_thresholds(table)
    return {
        "threshold": threshold,
        "taken": ratio(tp + fp, tp[-1] + fp[-1]),
        "gain": ratio(tp, tp[-1]),
    }


@curve("densities")
def densities(table: ThresholdTable, bins: Count = 20) -> Columns:
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
