"""What predictions are worth: predictive values, F-measure and Jaccard index."""

from __future__ import annotations

from typing import Literal

from assay.core.arrays import ratio
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Flag, Share, Weight
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.counts import define_rate
from assay.measures.trace_tables import Lines, show_formula

NOT_PREDICTED = Undefined(answer="no item was predicted to be of the class")
ALL_PREDICTED = Undefined(answer="every item was predicted to be of the class")


@define_rate(
    "PPV",
    "TP / (TP + FP), or by a given prevalence",
    undefined=NOT_PREDICTED,
    aliases=["P", "precision", "precision_score", "positive_predictive_value"],
    variants=["PPV(prevalence=0.01)", "PPV(average=micro)"],
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
    "TN / (TN + FN), or by a given prevalence",
    undefined=ALL_PREDICTED,
    aliases=["negative_predictive_value"],
    variants=["NPV(prevalence=0.01)"],
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
)
def markedness(confusion: Confusion) -> Ratio:
    """PPV + NPV − 1: how reliable predictions are, beyond chance.

    >>> measure("markedness")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.69])
    """
    said, not_said = confusion.tp + confusion.fp, confusion.fn + confusion.tn
    return Ratio(confusion.tp * confusion.tn - confusion.fp * confusion.fn, said * not_said)


@define(
    "F",
    unit="class",
    undefined=Undefined(
        truth="no item belongs to the class", answer="no item was predicted to be of the class"
    ),
    aliases=[
        "F1",
        "f1",
        "f1_score",
        "fbeta_score",
        "F_measure",
        "F_score",
        "F1_measure",
        "F_beta",
        "F2(beta=2)",
        "F_*(beta=*)",
        "F_0.*(beta=0.*)",
        "F0.5(beta=0.5)",
        "dice(form=count)",
    ],
    variants=["F(beta=2)", "F(alpha=0.3)", "F(form=count)", "F(average=micro)"],
    label="F measure",
    standard=True,
)
def f_measure(
    confusion: Confusion,
    beta: Weight = 1.0,
    alpha: Share | None = None,
    form: Literal["ratio", "count"] = "ratio",
) -> Ratio:
    """The harmonic mean of precision and recall, in which recall weighs ``beta`` times as much.

    ``alpha`` says the same in the older way, 1 / (alpha / P + (1 − alpha) / R): it is
    1 / (1 + beta²). The form ``ratio`` is undefined where precision or recall is; the form
    ``count``, (1 + beta²) TP / ((1 + beta²) TP + beta² FN + FP), is then 0.

    >>> measure("F")(outcomes(tp=7, fp=7, fn=13, tn=100)).round(2)
    array([0.41])
    """
    share = 1 / (1 + beta**2) if alpha is None else alpha
    tp, fp, fn = confusion.tp, confusion.fp, confusion.fn
    undefined = (tp + fp == 0) | (tp + fn == 0) if form == "ratio" else None
    return Ratio(tp, share * (tp + fp) + (1 - share) * (tp + fn), undefined)


@show_formula(f_measure, "TP / sum of both")
def f_measure_trace(confusion: Confusion, s: Settings) -> Lines:
    """Return precision, recall and their weights, one per line."""
    share = 1 / (1 + s.beta**2) if s.alpha is None else s.alpha
    tp, fp, fn = confusion.tp[0], confusion.fp[0], confusion.fn[0]
    return {
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "alpha: weight of precision": share,
        "TP + FP, weighted": share * (tp + fp),
        "TP + FN, weighted": (1 - share) * (tp + fn),
    }


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
