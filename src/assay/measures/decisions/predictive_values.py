"""What a decision is worth: the share of the yes and of the no that is right."""

from __future__ import annotations

from assay.core.arrays import ratio
from assay.core.definition import Ratio, Undefined
from assay.core.parameters import Share
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.counts import define_rate

NOT_PREDICTED = Undefined(answer="no item was predicted to be of the class")
ALL_PREDICTED = Undefined(answer="every item was predicted to be of the class")


@define_rate(
    "PPV",
    "TP / (TP + FP), or by the prevalence that is said",
    undefined=NOT_PREDICTED,
    aliases=["P", "precision", "precision_score", "positive_predictive_value"],
    variants=["PPV(prevalence=0.01)", "PPV(average=micro)"],
    label="positive predictive value",
    standard=True,
)
def positive_predictive_value(confusion: Confusion, prevalence: Share | None = None) -> Ratio:
    """The share of the predicted positives that are positive: precision.

    With ``prevalence`` it is what the same sensitivity and specificity would give where that
    share of all items is positive.

    >>> measure("PPV")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.1])
    >>> measure("PPV(prevalence=0.5)")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.88])
    """
    if prevalence is None:
        return Ratio(confusion.tp, confusion.tp + confusion.fp)
    found = prevalence * ratio(confusion.tp, confusion.tp + confusion.fn)
    taken = (1 - prevalence) * ratio(confusion.fp, confusion.fp + confusion.tn)
    return Ratio(found, found + taken)


@define_rate(
    "NPV",
    "TN / (TN + FN), or by the prevalence that is said",
    undefined=ALL_PREDICTED,
    aliases=["negative_predictive_value"],
    variants=["NPV(prevalence=0.01)"],
    label="negative predictive value",
)
def negative_predictive_value(confusion: Confusion, prevalence: Share | None = None) -> Ratio:
    """The share of the predicted negatives that are negative.

    With ``prevalence`` it is what the same sensitivity and specificity would give where that
    share of all items is positive.

    >>> measure("NPV")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.995])
    """
    if prevalence is None:
        return Ratio(confusion.tn, confusion.tn + confusion.fn)
    cleared = (1 - prevalence) * ratio(confusion.tn, confusion.fp + confusion.tn)
    missed = prevalence * ratio(confusion.fn, confusion.tp + confusion.fn)
    return Ratio(cleared, cleared + missed)


@define_rate(
    "FDR",
    "FP / (TP + FP)",
    better="lower",
    undefined=NOT_PREDICTED,
    aliases=["false_discovery_rate"],
    label="false discovery rate",
)
def false_discovery_rate(confusion: Confusion) -> Ratio:
    """The share of the predicted positives that are negative.

    >>> measure("FDR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.9])
    """
    return Ratio(confusion.fp, confusion.tp + confusion.fp)


@define_rate(
    "FOR",
    "FN / (TN + FN)",
    better="lower",
    undefined=ALL_PREDICTED,
    aliases=["false_omission_rate"],
    label="false omission rate",
)
def false_omission_rate(confusion: Confusion) -> Ratio:
    """The share of the predicted negatives that are positive.

    >>> measure("FOR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.005])
    """
    return Ratio(confusion.fn, confusion.tn + confusion.fn)


@define_rate(
    "markedness",
    "PPV + NPV − 1",
    bounds=(-1, 1),
    undefined=Undefined(answer="all items were predicted to be on one side"),
    aliases=["MK", "deltaP"],
    label="markedness",
)
def markedness(confusion: Confusion) -> Ratio:
    """PPV + NPV − 1: how reliable predictions are, beyond chance.

    >>> measure("markedness")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.69])
    """
    said, not_said = confusion.tp + confusion.fp, confusion.fn + confusion.tn
    return Ratio(confusion.tp * confusion.tn - confusion.fp * confusion.fn, said * not_said)
