"""The rates of a confusion matrix, each class against the rest."""

from __future__ import annotations

from assay.core.catalogue import Ratio, Undefined, define
from assay.evidence.confusion import Confusion

NO_POSITIVE = "no item is truly of the class"
NO_NEGATIVE = "every item is truly of the class"
NOT_PREDICTED = Undefined(answer="no item was predicted to be of the class")
ALL_PREDICTED = Undefined(answer="every item was predicted to be of the class")


@define(
    "TPR",
    better="higher",
    bounds=(0, 1),
    unit="class",
    undefined=NO_POSITIVE,
    aliases=["R", "recall", "sensitivity", "hit_rate"],
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
    aliases=["specificity", "selectivity"],
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
    aliases=["fallout", "fall_out"],
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
    aliases=["miss_rate"],
    label="false negative rate",
)
def false_negative_rate(confusion: Confusion) -> Ratio:
    """The share of the positive items that is missed.

    >>> measure("FNR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.33])
    """
    return Ratio(confusion.fn, confusion.tp + confusion.fn)


@define(
    "PPV",
    better="higher",
    bounds=(0, 1),
    unit="class",
    undefined=NOT_PREDICTED,
    aliases=["P", "precision"],
    label="positive predictive value",
    standard=True,
)
def positive_predictive_value(confusion: Confusion) -> Ratio:
    """The share of the items predicted positive that is positive: precision.

    >>> measure("PPV")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.1])
    """
    return Ratio(confusion.tp, confusion.tp + confusion.fp)


@define(
    "NPV",
    better="higher",
    bounds=(0, 1),
    unit="class",
    undefined=ALL_PREDICTED,
    aliases=["negative_predictive_value"],
    label="negative predictive value",
)
def negative_predictive_value(confusion: Confusion) -> Ratio:
    """The share of the items predicted negative that is negative.

    >>> measure("NPV")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.995])
    """
    return Ratio(confusion.tn, confusion.tn + confusion.fn)


@define(
    "FDR",
    better="lower",
    bounds=(0, 1),
    unit="class",
    undefined=NOT_PREDICTED,
    aliases=["false_discovery_rate"],
    label="false discovery rate",
)
def false_discovery_rate(confusion: Confusion) -> Ratio:
    """The share of the items predicted positive that is not.

    >>> measure("FDR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(2)
    array([0.9])
    """
    return Ratio(confusion.fp, confusion.tp + confusion.fp)


@define(
    "FOR",
    better="lower",
    bounds=(0, 1),
    unit="class",
    undefined=ALL_PREDICTED,
    aliases=["false_omission_rate"],
    label="false omission rate",
)
def false_omission_rate(confusion: Confusion) -> Ratio:
    """The share of the items predicted negative that is positive.

    >>> measure("FOR")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.005])
    """
    return Ratio(confusion.fn, confusion.tn + confusion.fn)


@define(
    "prevalence",
    better="neither",
    bounds=(0, 1),
    unit="class",
    undefined="there are no items",
    aliases=["generality"],
    label="prevalence",
)
def prevalence(confusion: Confusion) -> Ratio:
    """The share of all items that is positive.

    >>> measure("prevalence")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.015])
    """
    return Ratio(confusion.tp + confusion.fn, confusion.matrix.sum(axis=(1, 2)))
