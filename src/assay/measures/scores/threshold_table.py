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
    threshold, tp, fp = choices(table, rule)
    columns = rates(tp, fp, table.positives[0].sum(), table.negatives[0].sum())
    own = slice(None) if with_end else slice(1, None) if rule == "at or above" else slice(-1)
    return {"threshold": threshold[own]} | {name: each[own] for name, each in columns.items()}


def choices(table: ThresholdTable, rule: Rule) -> tuple[Floats, Floats, Floats]:
    """All thresholds that decide differently, with true and false positives, of the first unit."""
    tp = np.concatenate(([0.0], table.tp[0]))
    fp = np.concatenate(([0.0], table.fp[0]))
    if rule == "at or above":
        return np.concatenate(([np.inf], table.score)), tp, fp
    return np.concatenate((table.score, [-np.inf])), tp, fp


def rates(tp: Floats, fp: Floats, positives: Floats, negatives: Floats) -> Columns:
    """The counts and rates that a choice of thresholds looks at; any shape of arrays."""
    fn, tn = positives - tp, negatives - fp
    return {
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "TN": tn,
        "TPR": ratio(tp, positives),
        "FPR": ratio(fp, negatives),
        "TNR": ratio(tn, negatives),
        "PPV": ratio(tp, tp + fp),
        "NPV": ratio(tn, tn + fn),
        "ACC": ratio(tp + tn, positives + negatives),
        "F": ratio(2 * tp, 2 * tp + fp + fn),
        "Youden": ratio(tp, positives) - ratio(fp, negatives),
    }
