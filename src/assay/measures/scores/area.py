"""The area under the ROC curve, and the curve."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, curve, define
from assay.evidence.thresholds import ThresholdTable


@define(
    "AUC",
    better="higher",
    bounds=(0, 1),
    aggregate="whole",
    aliases=["roc_auc", "AUROC", "ROC_AUC"],
    undefined="the items are all positive or all negative",
    label="area under the ROC curve",
    standard=True,
)
def area_under_roc(table: ThresholdTable) -> Floats:
    """The chance that a positive item scores higher than a negative one; a tie counts one half.

    >>> measure("AUC")(scored("PPNPPPNNPNPNPNNNPNPN"))
    array([0.68])
    """
    above = table.fp - table.negatives
    won = (table.positives * (above + table.negatives / 2)).sum(axis=1)
    pairs = table.positives.sum(axis=1) * table.negatives.sum(axis=1)
    return 1 - ratio(won, pairs)


@curve("ROC")
def roc(table: ThresholdTable) -> Columns:
    """The share of positives and of negatives at or above each distinct score, from none to all."""
    positives, negatives = table.tp[0], table.fp[0]
    return {
        "threshold": np.concatenate(([np.inf], table.score)),
        "FPR": ratio(np.concatenate(([0.0], negatives)), negatives[-1]),
        "TPR": ratio(np.concatenate(([0.0], positives)), positives[-1]),
    }
