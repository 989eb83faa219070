"""Precision, recall, success and F-measure, at a cutoff or of a set."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import MONOTONE, WEIGHTED_SUM, Range, Settings, only_first_rank
from assay.core.parameters import Depth, Grade, Multiple, Share, Weight
from assay.evidence.views.rankings import Rankings
from assay.measures.trace_tables import Lines, show_formula


def relevant_steps(rankings: Rankings, rel: float = 1, cutoff: int | None = None) -> Columns:
    """Return the relevant documents so far at every rank, and at the depth beyond the list."""
    end, length = int(rankings.depth(cutoff)[0]), int(rankings.retrieved[0])
    rank = np.arange(1, min(end, length) + 1)
    if end > length:
        rank = np.append(rank, end)
    so_far = np.searchsorted(rankings.relevant(rel, cutoff).rank, rank, side="right")
    return {"rank": rank, "relevant so far": so_far}


def precision_and_recall(rankings: Rankings, rel: float = 1, cutoff: int | None = None) -> Columns:
    """Return precision and recall at every rank: of a list, and of the depth where it is longer."""
    columns = relevant_steps(rankings, rel, cutoff)
    so_far = columns["relevant so far"]
    return columns | {
        "precision": ratio(so_far, columns["rank"]),
        "recall": ratio(so_far, rankings.relevant_count(rel)[0]),
    }


def highest_at_recall(precision: Floats, so_far: Ints) -> Floats:
    """Return for every rank the highest precision at its recall or a higher one."""
    after = np.maximum.accumulate(precision[::-1])[::-1]
    return after[np.searchsorted(so_far, so_far)]


def set_counts(names: list[str], counts: list[float]) -> Columns:
    """Return a table of counts of documents, for measures of sets."""
    return {"documents": names, "count": np.asarray(counts, dtype=np.float64)}


@define(
    "P",
    aliases=["precision", "set_P", "SetP", "Precision", "SetP[relative=false]"],
    undefined=Undefined(answer="nothing was retrieved"),
    variants=["P@1", "P@5", "P(rel=2)@3"],
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def precision(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the retrieved documents that are relevant.

    With a cutoff k the first k places count, and a shorter list is filled up with documents that
    are not relevant; without one the whole list is taken as a set.

    >>> measure("P@3")(rankings("++-+-+")).round(3)
    array([0.667])
    """
    return Ratio(rankings.relevant(rel, cutoff).count, rankings.depth(cutoff))


@precision.trace
def precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision and recall at each relevant document and at the end."""
    return precision_and_recall(rankings, s.rel, s.cutoff)


@define(
    "relP",
    aliases=[
        "relative_P",
        "set_relative_P",
        "SetRelP",
        "SetP[relative=true]",
        "recall_cap",
        "R_cap",
    ],
    undefined=Undefined(truth="no relevant document is known", answer="nothing was retrieved"),
    variants=["relP@1", "relP@5", "relP(rel=2)@3"],
    facts=WEIGHTED_SUM.but(ignores_pool=only_first_rank),
)
def relative_precision(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The number of relevant documents retrieved, as a share of the maximum at that depth.

    The denominator is the smaller of the places looked at and the relevant documents that are
    known, so that 1 can always be reached.

    >>> measure("relP@5")(rankings("+-+--")).round(3)
    array([1.])
    """
    reachable = np.minimum(rankings.depth(cutoff), rankings.relevant_count(rel))
    return Ratio(rankings.relevant(rel, cutoff).count, reachable)


@relative_precision.trace
def relative_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the relevant documents so far, and how many there could have been."""
    columns = relevant_steps(rankings, s.rel, s.cutoff)
    reachable = np.minimum(columns["rank"], rankings.relevant_count(s.rel)[0])
    return columns | {
        "reachable": reachable,
        "relative precision": ratio(columns["relevant so far"], reachable),
    }


NO_RELEVANT = "no relevant document is known"


@define(
    "R",
    aliases=["recall", "set_recall", "SetR", "Recall", "sensitivity", "TPR"],
    undefined=NO_RELEVANT,
    variants=["R@1", "R@5", "R(rel=2)@3"],
    facts=WEIGHTED_SUM,
)
def recall(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the relevant documents that are retrieved, within the cutoff if there is one.

    >>> measure("R@3")(rankings("++-+-+|+")).round(3)
    array([0.4])
    """
    return Ratio(rankings.relevant(rel, cutoff).count, rankings.relevant_count(rel))


@recall.extremes
def recall_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return the range: lowest with unjudged ranks below the cutoff relevant, highest above.

    A relevant hole that is seen adds 1 to both sides of the ratio, which is never above 1.
    """
    found, known = rankings.relevant(s.rel, s.cutoff).count, rankings.relevant_count(s.rel)
    holes = rankings.depth() - rankings.judged().count
    seen = np.minimum(rankings.depth(), rankings.depth(s.cutoff)) - rankings.judged(s.cutoff).count
    return ratio(found, known + holes - seen), ratio(found + seen, known + seen), True


recall.trace(precision_trace)


@define(
    "Success",
    aliases=[
        "success",
        "hit_rate",
        "hitrate",
        "Hit",
        "HR",
        "top",
        "top1(cutoff=1)",
        "top5(cutoff=5)",
    ],
    undefined=NO_RELEVANT,
    variants=["Success@1", "Success@5", "Success(rel=2)@3"],
    facts=MONOTONE.but(
        ignores_pool=True, sum_over_documents=only_first_rank, fixed_weights=only_first_rank
    ),
)
def success(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """1 where at least one relevant document is retrieved, within the cutoff if there is one.

    Work on question answering often calls this recall at k.

    >>> measure("Success@3")(rankings("--+", "---+")).round(3)
    array([1., 0.])
    """
    found = rankings.relevant(rel, cutoff).count > 0
    return np.where(rankings.relevant_count(rel) > 0, found.astype(np.float64), np.nan)


@success.trace
def success_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the relevant documents so far, and whether that is a success."""
    columns = relevant_steps(rankings, s.rel, s.cutoff)
    return columns | {"success": (columns["relevant so far"] > 0).astype(np.float64)}


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
    aliases=[
        *("F1", "f1", "SetF", "F_measure", "F_score", "F1_score", "F1_measure", "F_beta"),
        *("F0.5(beta=0.5)", "F2(beta=2)", "F_*(beta=*)", "F_0.*(beta=0.*)"),
    ],
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
    """Return precision, recall and F at each relevant document and at the end."""
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
    """The F-measure of a set as in trec_eval: the number after its name is beta², not beta.

    >>> [measure(name)(sets((4, 2, 8))).round(4) for name in ("set_F_2", "F(beta=2)")]
    [array([0.3]), array([0.2778])]
    """
    return _weighted_mean(rankings, rel, 1 / (1 + weight), "ratio", None)


@set_f.trace
def set_f_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return precision, recall and F at each relevant document and at the end."""
    return f_trace(rankings, f_measure.bind(rel=s.rel, beta=float(np.sqrt(s.weight))))


@define(
    "SetAP",
    aliases=["set_map", "SetMAP"],
    undefined=Undefined(truth="no relevant document is known", answer="nothing was retrieved"),
    variants=["SetAP(rel=2)"],
    facts=MONOTONE,
)
def average_precision_of_a_set(rankings: Rankings, rel: Grade = 1) -> Ratio:
    """The product of the precision and the recall of the whole list, taken as a set.

    That is the average precision when every relevant document has the precision of the set.

    >>> measure("SetAP")(sets((4, 2, 8)))
    array([0.125])
    """
    found = rankings.relevant(rel).count
    return Ratio(found * found, rankings.depth() * rankings.relevant_count(rel))


@show_formula(average_precision_of_a_set, "precision × recall")
def set_average_precision_trace(rankings: Rankings, s: Settings) -> Lines:
    """Return the counts from which precision and recall come."""
    found, known = rankings.relevant(s.rel).count[0], rankings.relevant_count(s.rel)[0]
    return {"relevant, retrieved": found, "retrieved": rankings.depth()[0], "relevant": known}
