"""Estimates from judgments that were sampled."""

from __future__ import annotations

from functools import partial

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Gain, Grade
from assay.evidence.views.judged_rankings import QuerySample, SampledRankings
from assay.measures.graded.gain import grade_gain, rank_discount

define_estimate = partial(define, bounds=(0, np.inf), estimates=(0, 1))


@define_estimate("statAP", undefined="no relevant document was sampled", variants=["statAP(rel=2)"])
def statistical_average_precision(rankings: SampledRankings, rel: Grade = 1) -> Floats:
    """Average precision estimated from documents sampled with known probabilities.

    A drawn relevant document counts 1/π, where π is its probability, in the number of relevant
    documents and in the average over them; so do those above it in the precision at its rank,
    where it counts 1 itself: it is there for certain. With everything drawn it is AP.

    >>> measure("statAP")(sampled("+-+")).round(3)
    array([0.833])
    """
    return rankings.per_query(lambda one: _stat_average(one, rel))


def _stat_average(one: QuerySample, rel: float) -> float:
    counted = np.where(one.grade >= rel, ratio(1, one.probability), 0.0)
    total = float(counted.sum())
    if not total:
        return np.nan
    listed = counted[one.listed]
    return float(listed @ _certain_precisions(one, listed)) / total


def _certain_precisions(one: QuerySample, listed: Floats) -> Floats:
    """Return the precision at each rank, where the document itself counts 1."""
    return (1 + np.cumsum(listed) - listed) / one.rank


@statistical_average_precision.trace
def stat_ap_trace(rankings: SampledRankings, s: Settings) -> Columns:
    """Return for each sampled relevant document its weight, the precision there, and its part."""
    one = rankings.records[0]
    counted = np.where(one.grade >= s.rel, ratio(1, one.probability), 0.0)
    found = counted[one.listed] > 0
    precision = _certain_precisions(one, counted[one.listed])[found]
    return weighted_precisions(
        one.rank[found], counted[one.listed][found], precision, counted.sum()
    )


def weighted_precisions(rank: Ints, weight: Floats, precision: Floats, total: float) -> Columns:
    """Return the weighted precisions, and their mean so far."""
    return {
        "rank": rank,
        "stands for": weight,
        "precision": precision,
        "part": weight * precision,
        "relevant, estimated": np.full(len(rank), total),
        "sum": ratio(np.cumsum(weight * precision), total),
    }


SMOOTHING = 1e-5


@define_estimate(
    "xinfAP",
    undefined="no relevant document was sampled, or not by strata: use statAP for probabilities",
    variants=["xinfAP(rel=2)"],
)
def extended_inferred_average_precision(rankings: SampledRankings, rel: Grade = 1) -> Floats:
    """Average precision estimated from a pool whose strata were sampled.

    At each drawn relevant document the precision is 1/i for itself, and for each stratum the share
    of its documents above, times the share of relevant ones among those that were drawn (smoothed
    as in infAP, unless the whole stratum was drawn). With one stratum this is infAP; with
    everything drawn it is AP. Documents with probabilities of their own are not drawn by strata.

    >>> measure("xinfAP")(sampled("+-+", strata="aab")).round(3)
    array([0.833])
    """
    return rankings.per_query(lambda one: _inferred_average(one, rel))


def _inferred_average(one: QuerySample, rel: float) -> float:
    relevant = one.grade >= rel
    weight = one.weight()
    total = float(weight[relevant].sum())
    if not total or not one.stratified:
        return np.nan
    is_hit = relevant[one.listed]
    precision = _precisions(one, relevant)[is_hit]
    return float(weight[one.listed][is_hit] @ precision) / total


@extended_inferred_average_precision.trace
def extended_inferred_ap_trace(rankings: SampledRankings, s: Settings) -> Columns:
    """Return for each sampled relevant document its weight, the precision there, and its part."""
    one = rankings.records[0]
    relevant, weight = one.grade >= s.rel, one.weight()
    is_hit = relevant[one.listed]
    precision = _precisions(one, relevant)[is_hit]
    stands_for = weight[one.listed][is_hit]
    return weighted_precisions(one.rank[is_hit], stands_for, precision, weight[relevant].sum())


def _precisions(one: QuerySample, relevant: np.ndarray) -> Floats:
    """Return the precision that is expected at the rank of each retrieved document of the pool."""
    member = np.eye(int(one.stratum.max(initial=0)) + 1)[one.stratum[one.listed]]
    drawn = one.drawn[one.listed][:, None]
    pooled = np.cumsum(member, axis=0) - member
    judged = np.cumsum(member * drawn, axis=0) - member * drawn
    useful = member * relevant[one.listed][:, None]
    found = np.cumsum(useful, axis=0) - useful
    complete = np.bincount(one.stratum, one.drawn) == np.bincount(one.stratum)
    smoothing = np.where(complete, 0.0, SMOOTHING)[None, :]
    bottom = judged + 2 * smoothing
    share = np.divide(found + smoothing, bottom, out=np.zeros_like(bottom), where=bottom > 0)
    return (1 + (pooled * share).sum(axis=1)) / one.rank


@define_estimate(
    "infNDCG",
    undefined="no document with a gain was sampled",
    variants=["infNDCG@5", "infNDCG(gain=exp)"],
)
def inferred_normalized_discounted_cumulative_gain(
    rankings: SampledRankings, gain: Gain = "grade", cutoff: Depth | None = None
) -> Floats:
    """The nDCG estimated from a pool whose strata were sampled.

    Each drawn document stands for as many of its stratum as there are for each drawn one, or for
    1/π where it has a probability π of its own, in the list and in the ideal list alike.

    >>> measure("infNDCG")(sampled("+-+", strata="aab")).round(3)
    array([0.92])
    """
    return rankings.per_query(lambda one: _ndcg(one, gain, cutoff))


def _ndcg(one: QuerySample, gain: Gain, cutoff: int | None) -> float:
    worth, weight = grade_gain(one.grade, gain), one.weight()
    within = one.rank <= (cutoff or np.inf)
    seen = one.listed[within]
    gained = float((worth * weight)[seen] @ rank_discount(one.rank[within]))
    best = _ideal(worth, weight, cutoff)
    return gained / best if best else np.nan


@inferred_normalized_discounted_cumulative_gain.trace
def ndcg_trace(rankings: SampledRankings, s: Settings) -> Columns:
    """Return for each sampled document its weight, its part, and the share of the ideal list."""
    one = rankings.records[0]
    worth, weight = grade_gain(one.grade, s.gain), one.weight()
    shown = (one.rank <= (s.cutoff or np.inf)) & (weight[one.listed] > 0)
    rank, listed = one.rank[shown], one.listed[shown]
    part = (worth * weight)[listed] * rank_discount(rank)
    best = _ideal(worth, weight, s.cutoff)
    return {
        "rank": rank,
        "stands for": weight[listed],
        "gain": worth[listed],
        "discount": rank_discount(rank),
        "part": part,
        "sum": np.cumsum(part),
        "ideal list": np.full(len(rank), best),
        "infNDCG": ratio(np.cumsum(part), best),
    }


def _ideal(worth: Floats, weight: Floats, cutoff: int | None) -> float:
    """Return the discounted gain of the ideal list, in which a document may take part of a rank."""
    order = np.argsort(-worth, kind="stable")
    order = order[(worth * weight)[order] > 0]
    ends = np.cumsum(weight[order])
    depth = int(np.ceil(ends[-1])) if len(ends) else 0
    rank = np.arange(1, min(depth, cutoff or depth) + 1, dtype=np.float64)
    taken = np.minimum(ends[None, :], rank[:, None])
    begun = np.maximum((ends - weight[order])[None, :], rank[:, None] - 1)
    share = np.maximum(taken - begun, 0)
    return float((share @ worth[order]) @ rank_discount(rank))
