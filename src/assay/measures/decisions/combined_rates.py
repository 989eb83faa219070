"""Both kinds of errors in one number: Youden's J, markedness, odds ratio, Jaccard index."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Ratio, Undefined
from assay.core.parameters import Flag
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.counts import define_rate


@define_rate(
    "Youden",
    "TPR + TNR − 1",
    bounds=(-1, 1),
    undefined="the items are all positive or all negative",
    aliases=["youden", "j_index", "informedness", "BM"],
    label="Youden's J",
)
def youden(confusion: Confusion) -> Ratio:
    """Sensitivity + specificity − 1: 0 is chance, below 0 the negated classifier is better.

    >>> measure("Youden")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.65])
    """
    positives, negatives = confusion.tp + confusion.fn, confusion.fp + confusion.tn
    return Ratio(confusion.tp * confusion.tn - confusion.fp * confusion.fn, positives * negatives)


@define_rate(
    "markedness",
    "PPV + NPV − 1",
    bounds=(-1, 1),
    undefined=Undefined(answer="all items were predicted to be on one side"),
    aliases=["MK", "deltaP"],
)
def markedness(confusion: Confusion) -> Ratio:
    """PPV + NPV − 1: how reliable predictions are, beyond chance.

    >>> measure("markedness")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.69])
    """
    said, not_said = confusion.tp + confusion.fp, confusion.fn + confusion.tn
    return Ratio(confusion.tp * confusion.tn - confusion.fp * confusion.fn, said * not_said)


@define_rate(
    "DOR",
    "TP · TN / (FP · FN)",
    bounds=(0, np.inf),
    undefined=Undefined(truth="there are no false positives or no false negatives"),
    aliases=["diagnostic_odds_ratio"],
)
def diagnostic_odds_ratio(confusion: Confusion) -> Floats:
    """The odds of a positive prediction for positive items over those for negative ones: LR+ / LR−.

    >>> measure("DOR")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(1)
    array([44.3])
    """
    return ratio(confusion.tp * confusion.tn, confusion.fp * confusion.fn)


@define_rate(
    "Jaccard",
    "TP / (TP + FP + FN)",
    bounds=(0, 100),
    undefined="no item is of the class, in truth or prediction",
    aliases=["J", "JI", "Jaccard-Index", "jaccard", "jaccard_score", "IoU", "CSI"],
    variants=["Jaccard(percent=true)"],
    label="Jaccard's index",
)
def jaccard(confusion: Confusion, percent: Flag = False) -> Ratio:
    """The items of the class that are predicted as it, as a share of those that are either.

    >>> measure("Jaccard")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.73])
    >>> measure("Jaccard(percent=true)")(outcomes(tp=95, fp=30, fn=5, tn=70)).round()
    array([73.])
    """
    scale = 100 if percent else 1
    return Ratio(scale * confusion.tp, confusion.tp + confusion.fp + confusion.fn)
