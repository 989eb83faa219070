"""The weighted harmonic mean of precision and recall."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import WEIGHTED_SUM, Settings
from assay.core.parameters import Depth, Grade, Multiple, Share, Weight
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.relevant_steps import precision_and_recall

Form = Literal["ratio", "count"]
UNDEFINED = Undefined(truth="no relevant document is known", answer="nothing was retrieved")


def _alpha(beta: float, alpha: float | None) -> float:
    return 1 / (1 + beta * beta) if alpha is None else alpha


def _weighted_mean(
    rankings: Rankings, rel: float, alpha: float, form: Form, cutoff: int | None
) -> Ratio:
    retrieved, relevant = rankings.depth(cutoff), rankings.relevant_count(rel)
    return Ratio(
        rankings.relevant(rel, cutoff).count,
        alpha * retrieved + (1 - alpha) * relevant,
        undefined=(relevant == 0) | ((retrieved == 0) & (form == "ratio")),
    )


@define(
    "F",
    aliases=["F1", "f1", "SetF"],
    undefined=UNDEFINED,
    variants=["F@3", "F(beta=2)", "F(alpha=0.8)@5", "F(form=count)", "F(rel=2)"],
    label="F-measure",
    facts=WEIGHTED_SUM,
)
def f_measure(
    rankings: Rankings,
    rel: Grade = 1,
    beta: Weight = 1,
    alpha: Share | None = None,
    form: Form = "ratio",
    cutoff: Depth | None = None,
) -> Ratio:
    """The weighted harmonic mean of precision and recall.

    ``beta`` says how many times as important recall is; ``alpha`` = 1/(1 + beta²) is the weight of
    precision instead. As a mean of two ratios it is undefined where one of them is;
    ``form=count``, 2TP/(2TP + FP + FN) for beta = 1, is 0 for a set with nothing in it.

    >>> measure("F")(sets((14, 7, 20), (6, 4, 20))).round(2)
    array([0.41, 0.31])
    """
    return _weighted_mean(rankings, rel, _alpha(beta, alpha), form, cutoff)


@f_measure.trace
def f_trace(rankings: Rankings, s: Settings) -> Columns:
    """Precision, recall and F at each relevant document and at the end."""
    columns = precision_and_recall(rankings, s.rel, s.cutoff)
    weight = _alpha(s.beta, s.alpha)
    both = weight * columns["rank"] + (1 - weight) * rankings.relevant_count(s.rel)[0]
    return columns | {"F": ratio(columns["relevant so far"], both)}


@define(
    "set_F",
    undefined=UNDEFINED,
    variants=["set_F@2"],
    label="F-measure of trec_eval",
    facts=WEIGHTED_SUM,
)
def set_f(rankings: Rankings, rel: Grade = 1, weight: Multiple = 1) -> Ratio:
    """The F-measure of a set as trec_eval has it: what follows its name is beta², not beta.

    >>> [measure(name)(sets((4, 2, 8))).round(4) for name in ("set_F_2", "F(beta=2)")]
    [array([0.3]), array([0.2778])]
    """
    return _weighted_mean(rankings, rel, 1 / (1 + weight), "ratio", None)


@set_f.trace
def set_f_trace(rankings: Rankings, s: Settings) -> Columns:
    """Precision, recall and F at each relevant document and at the end."""
    return f_trace(rankings, f_measure.bind(rel=s.rel, beta=float(np.sqrt(s.weight))))
