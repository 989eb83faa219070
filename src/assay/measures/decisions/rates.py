"""What becomes of the items of a class, and of the others: the rates given the truth."""

from __future__ import annotations

from assay.core.definition import Ratio, define
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.count_traces import show_counts

NO_POSITIVE = "no item is truly of the class"
NO_NEGATIVE = "every item is truly of the class"
NO_ITEMS = "there are no items"


@define(
    "TPR",
    better="higher",
    bounds=(0, 1),
    unit="class",
    undefined=NO_POSITIVE,
    aliases=[
        "R",
        "recall",
        "recall_score",
        "sensitivity",
        "hit_rate",
        "true_positive_rate",
    ],
    variants=["TPR(average=micro)", "TPR(average=weighted)", "TPR(undefined=0)"],
    label="true positive rate",
    standard=True,
)
def true_positive_rate(confusion: Confusion) -> Ratio:
    """The share of the positive items that is found: recall, sensitivity.

    >>> measure("TPR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.67])
    """
    return Ratio(confusion.tp, confusion.tp + confusion.fn)


@define(
    "TNR",
    better="higher",
    bounds=(0, 1),
    unit="class",
    undefined=NO_NEGATIVE,
    aliases=["specificity", "selectivity", "true_negative_rate"],
    label="true negative rate",
    standard=True,
)
def true_negative_rate(confusion: Confusion) -> Ratio:
    """The share of the negative items that is left alone: specificity.

    >>> measure("TNR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.91])
    """
    return Ratio(confusion.tn, confusion.tn + confusion.fp)


@define(
    "FPR",
    better="lower",
    bounds=(0, 1),
    unit="class",
    undefined=NO_NEGATIVE,
    aliases=["fallout", "fall_out", "false_positive_rate"],
    label="false positive rate",
)
def false_positive_rate(confusion: Confusion) -> Ratio:
    """The share of the negative items that is taken for positive: fall-out.

    >>> measure("FPR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.09])
    """
    return Ratio(confusion.fp, confusion.tn + confusion.fp)


@define(
    "FNR",
    better="lower",
    bounds=(0, 1),
    unit="class",
    undefined=NO_POSITIVE,
    aliases=["miss_rate", "false_negative_rate"],
    label="false negative rate",
)
def false_negative_rate(confusion: Confusion) -> Ratio:
    """The share of the positive items that is missed.

    >>> measure("FNR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.33])
    """
    return Ratio(confusion.fn, confusion.tp + confusion.fn)


@define(
    "prevalence",
    better="neither",
    bounds=(0, 1),
    unit="class",
    undefined=NO_ITEMS,
    aliases=["generality"],
    label="prevalence",
)
def prevalence(confusion: Confusion) -> Ratio:
    """The share of all items that is positive.

    >>> measure("prevalence")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.015])
    """
    return Ratio(confusion.tp + confusion.fn, confusion.items)


@define(
    "predicted_prevalence",
    better="neither",
    bounds=(0, 1),
    unit="class",
    undefined=NO_ITEMS,
    aliases=["positive_rate", "selection_rate"],
    label="predicted prevalence",
)
def predicted_prevalence(confusion: Confusion) -> Ratio:
    """The share of all items that is predicted to be positive.

    >>> measure("predicted_prevalence")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.099])
    """
    return Ratio(confusion.tp + confusion.fp, confusion.items)


show_counts(true_positive_rate, "TP / (TP + FN)")
show_counts(true_negative_rate, "TN / (TN + FP)")
show_counts(false_positive_rate, "FP / (TN + FP)")
show_counts(false_negative_rate, "FN / (TP + FN)")
show_counts(prevalence, "(TP + FN) / items")
show_counts(predicted_prevalence, "(TP + FP) / items")
