"""The whole threshold table: every count and rate at every distinct score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns, curve
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
        """The counts and all rates."""
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


def candidate_thresholds(table: ThresholdTable, rule: Rule) -> tuple[Floats, Floats, Floats]:
    """All thresholds that decide differently, with true and false positives, of the first unit."""
    tp = np.concatenate(([0.0], table.tp[0]))
    fp = np.concatenate(([0.0], table.fp[0]))
    if rule == "at or above":
        return np.concatenate(([np.inf], table.score)), tp, fp
    return np.concatenate((table.score, [-np.inf])), tp, fp
