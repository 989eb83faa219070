"""F-measure and Jaccard index."""

from __future__ import annotations

from typing import Literal

from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Flag, Share, Weight
from assay.evidence.views.confusion import Confusion
from assay.measures.decisions.counts import define_rate
from assay.measures.trace_tables import trace_lines


@define(
    "F",
    unit="class",
    undefined=Undefined(
        truth="no item belongs to the class",
        answer="no item was predicted to be of the class",
    ),
    aliases=[
        "F1",
        "f1",
        "f1_score",
        "fbeta_score",
        "F2(beta=2)",
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


@f_measure.trace
def f_measure_trace(confusion: Confusion, s: Settings) -> Columns:
    """Return precision, recall and their weights, one per line."""
    share = 1 / (1 + s.beta**2) if s.alpha is None else s.alpha
    tp, fp, fn = confusion.tp[0], confusion.fp[0], confusion.fn[0]
    return trace_lines(
        {
            "TP": tp,
            "FP": fp,
            "FN": fn,
            "alpha: weight of precision": share,
            "TP + FP, weighted": share * (tp + fp),
            "TP + FN, weighted": (1 - share) * (tp + fn),
            "F: TP / sum of both": f_measure(confusion, beta=s.beta, alpha=s.alpha, form=s.form)[0],
        }
    )


@define_rate(
    "Jaccard",
    "TP / (TP + FP + FN)",
    bounds=(0, 100),
    undefined="no item is of the class, in truth or prediction",
    aliases=["J", "jaccard", "jaccard_score", "IoU", "CSI"],
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
