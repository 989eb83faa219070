"""Rates of the four counts: true and false rates, predictive values, likelihood ratios, and F."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import ratio
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Share, Weight
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.counts import define_rate
from assay.measures.trace_tables import Lines, show_formula

NO_POSITIVE = "no item belongs to the class"
NO_NEGATIVE = "every item belongs to the class"
NO_ITEMS = "there are no items"
NOT_PREDICTED = Undefined(answer="no item was predicted to be of the class")
ALL_PREDICTED = Undefined(answer="every item was predicted to be of the class")


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
