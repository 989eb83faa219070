"""What a test tells of a case: Youden's J, likelihood ratios and the diagnostic odds ratio."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Ratio, Undefined, define
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.count_traces import show_counts

ONE_SIDE = "the items are all positive or all negative"


@define(
    "Youden",
    bounds=(-1, 1),
    unit="class",
    undefined=ONE_SIDE,
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


@define(
    "LR+",
    bounds=(0, np.inf),
    unit="class",
    undefined=Undefined(
        truth="no positive item, or no negative item that was taken for positive",
    ),
    aliases=["PLR", "positive_likelihood_ratio"],
    label="positive likelihood ratio",
)
def positive_likelihood_ratio(confusion: Confusion) -> Ratio:
    """How many times likelier a yes is for a positive item than for a negative one: TPR / FPR.

    >>> measure("LR+")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([3.17])
    """
    positives, negatives = confusion.tp + confusion.fn, confusion.fp + confusion.tn
    return Ratio(confusion.tp * negatives, confusion.fp * positives)


@define(
    "LR-",
    better="lower",
    bounds=(0, np.inf),
    unit="class",
    undefined=Undefined(
        truth="no positive item, or no negative item",
        answer="no negative item was left alone",
    ),
    aliases=["NLR", "negative_likelihood_ratio"],
    label="negative likelihood ratio",
)
def negative_likelihood_ratio(confusion: Confusion) -> Ratio:
    """How many times likelier a no is for a positive item than for a negative one: FNR / TNR.

    >>> measure("LR-")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(3)
    array([0.071])
    """
    positives, negatives = confusion.tp + confusion.fn, confusion.fp + confusion.tn
    return Ratio(confusion.fn * negatives, confusion.tn * positives)


@define(
    "DOR",
    bounds=(0, np.inf),
    unit="class",
    undefined=Undefined(truth="there are no false positives or no false negatives"),
    aliases=["diagnostic_odds_ratio"],
    label="diagnostic odds ratio",
)
def diagnostic_odds_ratio(confusion: Confusion) -> Floats:
    """The odds of a yes among positive items over those among negative ones: LR+ / LR−.

    >>> measure("DOR")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(1)
    array([44.3])
    """
    return ratio(confusion.tp * confusion.tn, confusion.fp * confusion.fn)


show_counts(youden, "TPR + TNR − 1")
show_counts(positive_likelihood_ratio, "TPR / FPR")
show_counts(negative_likelihood_ratio, "FNR / TNR")
show_counts(diagnostic_odds_ratio, "TP · TN / (FP · FN)")
