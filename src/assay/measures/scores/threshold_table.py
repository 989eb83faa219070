"""The whole threshold table: every count and rate at every distinct score."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, curve
from assay.evidence.thresholds import ThresholdTable

Rule: TypeAlias = Literal["at or above", "above"]
"""Whether an item whose score is the threshold is positive."""


@curve("thresholds")
def thresholds(
    table: ThresholdTable, rule: Rule = "at or above", with_end: bool = False
) -> Columns:
    """One row for each distinct score, highest first: the decisions that this threshold gives.

    ``with_end`` adds the one choice that no score stands for: nobody positive (the threshold ∞)
    under the rule "at or above", everybody (−∞) under "above".
    """
    if with_end:
        threshold, tp, fp = choices(table, rule)
        sides = table.positives[0].sum(), table.negatives[0].sum()
        return {"threshold": threshold} | outcomes(tp, fp, *sides) | rates(tp, fp, *sides)
    counts = threshold_counts(table, rule)
    tp, fp = counts["TP"], counts["FP"]
    return counts | rates(tp, fp, table.positives[0].sum(), table.negatives[0].sum())


def threshold_counts(table: ThresholdTable, rule: Rule = "at or above") -> Columns:
    """The four counts alone at each distinct score: a third of the memory of the whole table."""
    tp, fp = table.tp[0], table.fp[0]
    if rule == "above":
        tp, fp = tp - table.positives[0], fp - table.negatives[0]
    sides = table.positives[0].sum(), table.negatives[0].sum()
    return {"threshold": table.score} | outcomes(tp, fp, *sides)


def choices(table: ThresholdTable, rule: Rule) -> tuple[Floats, Floats, Floats]:
    """All thresholds that decide differently, with true and false positives, of the first unit."""
    tp = np.concatenate(([0.0], table.tp[0]))
    fp = np.concatenate(([0.0], table.fp[0]))
    if rule == "at or above":
        return np.concatenate(([np.inf], table.score)), tp, fp
    return np.concatenate((table.score, [-np.inf])), tp, fp


def outcomes(
    tp: Floats, fp: Floats, positives: Floats | float, negatives: Floats | float
) -> Columns:
    """The four counts of a choice."""
    return {"TP": tp, "FP": fp, "FN": positives - tp, "TN": negatives - fp}


def rates(tp: Floats, fp: Floats, positives: Floats | float, negatives: Floats | float) -> Columns:
    """The rates that a choice of thresholds looks at; any shape of arrays."""
    fn, tn = positives - tp, negatives - fp
    return {
        "TPR": ratio(tp, positives),
        "FPR": ratio(fp, negatives),
        "TNR": ratio(tn, negatives),
        "PPV": ratio(tp, tp + fp),
        "NPV": ratio(tn, tn + fn),
        "ACC": ratio(tp + tn, np.asarray(positives + negatives)),
        "F": ratio(2 * tp, 2 * tp + fp + fn),
        "Youden": ratio(tp, positives) - ratio(fp, negatives),
    }
