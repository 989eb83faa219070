"""True and false rates, and what follows from them."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import Ratio, Undefined
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.counts import define_rate

NO_POSITIVE = "no item belongs to the class"
NO_NEGATIVE = "every item belongs to the class"
NO_ITEMS = "there are no items"


@define_rate(
    "TPR",
    "TP / (TP + FN)",
    undefined=NO_POSITIVE,
    aliases=["R", "recall", "recall_score", "sensitivity", "hit_rate", "true_positive_rate"],
    variants=["TPR(average=micro)", "TPR(average=weighted)", "TPR(undefined=0)"],
    standard=True,
)
def true_positive_rate(confusion: Confusion) -> Ratio:
    """The share of the positive items that are predicted positive: recall, sensitivity.

    >>> measure("TPR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.67])
    """
    return Ratio(confusion.tp, confusion.tp + confusion.fn)


@define_rate(
    "TNR",
    "TN / (TN + FP)",
    undefined=NO_NEGATIVE,
    aliases=["specificity", "selectivity", "true_negative_rate"],
    standard=True,
)
def true_negative_rate(confusion: Confusion) -> Ratio:
    """The share of the negative items that are predicted negative: specificity.

    >>> measure("TNR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.91])
    """
    return Ratio(confusion.tn, confusion.tn + confusion.fp)


@define_rate(
    "FPR",
    "FP / (TN + FP)",
    better="lower",
    undefined=NO_NEGATIVE,
    aliases=["fallout", "fall_out", "false_positive_rate"],
)
def false_positive_rate(confusion: Confusion) -> Ratio:
    """The share of the negative items that are predicted positive: fall-out.

    >>> measure("FPR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.09])
    """
    return Ratio(confusion.fp, confusion.tn + confusion.fp)


@define_rate(
    "FNR",
    "FN / (TP + FN)",
    better="lower",
    undefined=NO_POSITIVE,
    aliases=["miss_rate", "false_negative_rate"],
)
def false_negative_rate(confusion: Confusion) -> Ratio:
    """The share of the positive items that are predicted negative.

    >>> measure("FNR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.33])
    """
    return Ratio(confusion.fn, confusion.tp + confusion.fn)


@define_rate(
    "prevalence", "(TP + FN) / items", better="neither", undefined=NO_ITEMS, aliases=["generality"]
)
def prevalence(confusion: Confusion) -> Ratio:
    """The share of all items that are positive.

    >>> measure("prevalence")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.015])
    """
    return Ratio(confusion.tp + confusion.fn, confusion.items)


@define_rate(
    "predicted_prevalence",
    "(TP + FP) / items",
    better="neither",
    undefined=NO_ITEMS,
    aliases=["positive_rate", "selection_rate"],
)
def predicted_prevalence(confusion: Confusion) -> Ratio:
    """The share of all items that are predicted positive.

    >>> measure("predicted_prevalence")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.099])
    """
    return Ratio(confusion.tp + confusion.fp, confusion.items)


ONE_SIDE = "the items are all positive or all negative"


@define_rate(
    "Youden",
    "TPR + TNR − 1",
    bounds=(-1, 1),
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


@define_rate(
    "LR+",
    "TPR / FPR",
    bounds=(0, np.inf),
    undefined=Undefined(truth="no positive item, or no false positive"),
    aliases=["PLR", "positive_likelihood_ratio"],
)
def positive_likelihood_ratio(confusion: Confusion) -> Ratio:
    """How many times likelier a positive prediction is for a positive item: TPR / FPR.

    >>> measure("LR+")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([3.17])
    """
    positives, negatives = confusion.tp + confusion.fn, confusion.fp + confusion.tn
    return Ratio(confusion.tp * negatives, confusion.fp * positives)


@define_rate(
    "LR-",
    "FNR / TNR",
    better="lower",
    bounds=(0, np.inf),
    undefined=Undefined(
        truth="no positive item, or no negative item",
        answer="no negative item was predicted negative",
    ),
    aliases=["NLR", "negative_likelihood_ratio"],
)
def negative_likelihood_ratio(confusion: Confusion) -> Ratio:
    """How many times likelier a negative prediction is for a positive item: FNR / TNR.

    >>> measure("LR-")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(3)
    array([0.071])
    """
    positives, negatives = confusion.tp + confusion.fn, confusion.fp + confusion.tn
    return Ratio(confusion.fn * negatives, confusion.tn * positives)


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
