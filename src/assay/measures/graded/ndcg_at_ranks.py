"""Experimental measures of trec_eval: nDCG averaged over ranks, and the G measure."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, Ints, ratio, sum_at
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import MONOTONE, Range, Settings
from assay.core.parameters import Gain, Grade
from assay.evidence.unjudged.unjudged_documents import Fill, Holes
from assay.evidence.unjudged.unjudged_runs import RankMatrix
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import (
    gain_at_ranks,
    grade_gain,
    ideal_gains,
    one_gain,
    rank_discount,
    with_gains,
)
from assay.measures.trace_tables import running_mean


def running_dcg(listed: Hits) -> Floats:
    """Return the discounted gain up to and with each document."""
    return listed.total(listed.grade * rank_discount(listed.rank))


def ndcg_at(found: Hits, best: Hits, query: Ints, rank: Ints) -> Floats:
    """Return the nDCG for pairs of a query and a rank; 0 where there is no gain."""
    reached = found.at(running_dcg(found), query, rank)
    possible = best.at(running_dcg(best), query, rank)
    return np.nan_to_num(ratio(reached, possible))


@define(
    "ndcg_rel",
    undefined="no document with a gain is known",
    variants=["ndcg_rel(gain=exp)"],
    label="nDCG averaged over relevant documents",
    facts=MONOTONE.but(falls_with_pool=False),
)
def ndcg_rel(rankings: Rankings, gain: Gain = "grade") -> Floats:
    """The mean of the nDCG at the rank of each document with a gain.

    For a document that was not retrieved the nDCG at the end of the list counts, over the whole
    ideal list. An experimental measure of trec_eval.

    >>> measure("ndcg_rel")(rankings("-+|+")).round(4)
    array([0.3869])
    """
    listed, ideal = with_gains(rankings.judged(), gain), ideal_gains(rankings, gain)
    found, best = listed.where(listed.grade > 0), ideal.where(ideal.grade > 0)
    at_each = found.sum(ndcg_at(listed, best, found.query, found.rank))
    at_end = ratio(
        listed.sum(listed.grade * rank_discount(listed.rank)),
        best.sum(best.grade * rank_discount(best.rank)),
    )
    return ratio(at_each + (best.count - found.count) * at_end, best.count)


@ndcg_rel.trace
def ndcg_rel_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the nDCG at each retrieved document with a gain, and at the end for the others."""
    listed, best = with_gains(rankings.judged(), s.gain), ideal_gains(rankings, s.gain)
    found = listed.where(listed.grade > 0)
    missed = float((best.grade > 0).sum() - len(found.rank))
    at_end = ratio(running_dcg(listed)[-1:].sum(), running_dcg(best)[-1:].sum())
    value = np.append(ndcg_at(listed, best, found.query, found.rank), at_end)
    documents = np.append(np.ones(len(found.rank)), missed)
    shown = documents > 0
    return {
        "rank": np.append(found.rank, rankings.retrieved[0])[shown],
        "documents": documents[shown],
        "nDCG": value[shown],
        "mean so far": running_mean(value, documents)[shown],
    }


Last = Literal["trec_eval", "always"]


def ndcg_points(rankings: Rankings, gain: Gain, last: Last) -> tuple[Ints, Ints, Floats]:
    """Return the query, the rank and the nDCG of each point at which the measure looks."""
    listed, ideal = with_gains(rankings.judged(), gain), ideal_gains(rankings, gain)
    best = ideal.where(ideal.grade > 0)
    ends = np.ones(len(best.rank), dtype=bool)
    ends[:-1] = (best.grade[:-1] != best.grade[1:]) | (best.query[:-1] != best.query[1:])
    size = np.diff(best.offsets)
    beyond = size + 1 if last == "trec_eval" else size
    longer = np.flatnonzero((size > 0) & (rankings.retrieved > beyond))
    query = np.concatenate((best.query[ends], longer))
    rank = np.concatenate((best.rank[ends], rankings.retrieved[longer]))
    order = np.lexsort((rank, query))
    query, rank = query[order], rank[order]
    return query, rank, ndcg_at(listed, best, query, rank)


@define(
    "Rndcg",
    undefined="no document with a gain is known",
    variants=["Rndcg(last=always)", "Rndcg(gain=exp)", "Rndcg(rel=2)"],
    label="nDCG averaged over levels of gain",
    facts=MONOTONE.but(
        sum_over_documents=True,
        rises_with_grades=one_gain,
        falls_with_pool=lambda s, grades: s.last == "always",
    ),
)
def r_ndcg(
    rankings: Rankings, gain: Gain = "grade", last: Last = "trec_eval", rel: Grade | None = None
) -> Floats:
    """The mean of the nDCG at each rank where the gain of the ideal list changes, and at the end.

    The end of the list counts only where it lies below the last of these ranks. trec_eval, from
    which this experimental measure comes, forgets it also where the list is longer by one
    document; that is kept here, and ``last=always`` follows its description. With ``rel`` the value
    is undefined where no document of that grade is known; it changes nothing else, as in trec_eval.

    >>> [measure(name)(rankings("-+")).round(3) for name in ("Rndcg", "Rndcg(last=always)")]
    [array([0.]), array([0.315])]
    """
    query, _, value = ndcg_points(rankings, gain, last)
    count = len(rankings.queries)
    mean = ratio(sum_at(query, value, count), sum_at(query, np.ones(len(query)), count))
    return mean if rel is None else np.where(rankings.relevant_count(rel) > 0, mean, np.nan)


@r_ndcg.extremes
def r_ndcg_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return outer bounds, since it is a mean of nDCG at ranks below documents of the best gain.

    At a rank nDCG is at least what is gained now beside the ideal list with all holes at the best
    grade, and at most what is gained with all of them beside the ideal list of what is known.
    """
    if isinstance(s.gain, tuple):
        return None
    worth = grade_gain(grades, s.gain)
    steps = np.diff(worth, prepend=0.0)
    known = np.stack([rankings.relevant_count(grade) for grade in grades.tolist()])
    first = np.maximum(known[np.argmax(worth == worth[-1])], 1)
    holes = rankings.depth() - rankings.judged().count
    low, high = np.full((2, len(holes)), np.nan)
    for grid in RankMatrix.blocks(rankings, np.nextafter(0, 1), None):
        own = grid.queries
        gained = grade_gain(grid.grades, s.gain)
        now, most = (
            _sums(each, int((known[0, own] + holes[own]).max(initial=0)))
            for each in (gained, np.where(grid.holes, worth[-1], gained))
        )
        rank = np.arange(1, now.shape[1] + 1)
        with_all = _ideal_sums(known[:, own] + holes[own], steps, rank)
        least = ratio(now, with_all)
        greatest = ratio(most, _ideal_sums(known[:, own], steps, rank))
        seen = rank >= first[own, None]
        low[own] = np.where(seen & (with_all > 0), least, np.inf).min(axis=1, initial=1.0)
        high[own] = np.where(seen, np.nan_to_num(greatest, nan=1.0), 0.0).max(axis=1, initial=0.0)
    return low, np.minimum(high, 1.0), False


def _sums(gained: Floats, length: int) -> Floats:
    """Return the discounted gain up to each rank, also beyond the list."""
    width = gained.shape[1]
    added = np.zeros((len(gained), max(width, length)))
    added[:, :width] = gained * rank_discount(np.arange(1, width + 1))
    return np.cumsum(added, axis=1)


def _ideal_sums(reaching: Floats, steps: Floats, rank: Ints) -> Floats:
    """Return the same for ideal lists in which so many documents reach each level of gain."""
    total = np.append(0.0, np.cumsum(rank_discount(rank)))
    result = np.zeros((reaching.shape[1], len(rank)))
    for step, count in zip(steps.tolist(), reaching, strict=True):
        result += step * total[np.minimum(rank, count[:, None]).astype(np.int64)]
    return result


@r_ndcg.trace
def r_ndcg_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the ranks at which the measure looks, and the nDCG there."""
    _, rank, value = ndcg_points(rankings, s.gain, s.last)
    return {
        "rank": rank,
        "nDCG": value,
        "mean so far": np.cumsum(value) / np.arange(1, len(value) + 1),
    }


def gain_shares(listed: Hits, best: Hits) -> tuple[Floats, Floats, Floats]:
    """Return for each document of a list the cost and gain so far, and its part."""
    cost = best.at(best.total(np.maximum(best.grade, 1)), listed.query, listed.rank)
    cost += np.maximum(listed.rank - best.count[listed.query], 0)
    gained = listed.total(listed.grade)
    return cost, gained, listed.grade / np.log2(2 + cost - gained)


@define(
    "G",
    undefined="no document with a gain is known",
    variants=["G(gain=exp)"],
    label="G",
    exempt=Exemption(
        "promotion",
        "earlier gain offsets cost, so the better of two may gain more in second place",
        ("+23|", 1),
    ),
    facts=MONOTONE.but(rises_with_order=one_gain, rises_with_grades=one_gain),
)
def g_measure(rankings: Rankings, gain: Gain = "grade") -> Floats:
    """The sum of gain / log2(2 + cost − gain so far), as a share of all gain.

    Each document costs what the ideal list gains at its rank, and at least 1. An experimental
    measure of trec_eval between average precision and nDCG.

    >>> measure("G")(rankings("-2+")).round(4)
    array([0.6309])
    """
    listed, best = with_gains(rankings.judged(), gain), ideal_gains(rankings, gain)
    return ratio(listed.sum(gain_shares(listed, best)[2]), best.sum(best.grade))


@g_measure.trace
def g_measure_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, cost and gain so far, and its part."""
    listed, best = gain_at_ranks(rankings, s.gain, None), ideal_gains(rankings, s.gain)
    cost, gained, part = gain_shares(listed, best)
    return {
        "rank": listed.rank,
        "gain": listed.grade,
        "cost so far": cost,
        "gain so far": gained,
        "part": ratio(part, best.grade.sum()),
        "sum": np.cumsum(ratio(part, best.grade.sum())),
    }


@g_measure.extremes
def g_measure_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return outer bounds: at least the known gain, with all unjudged in the ideal list.

    Cost is never below the gain so far, so a part is never above its gain, and the whole never
    above the share of all gain that is found, which is greatest with all holes at the best grade.
    """
    if isinstance(s.gain, tuple):
        return None
    holes, best = Holes(rankings), float(grades[-1])
    everyone, count = np.arange(len(holes.count)), holes.count
    fill = Fill(everyone, everyone, everyone, count, best, best)
    low = g_measure(replace(holes.empty_lists_with(fill), hits=holes.bare.hits), gain=s.gain)
    listed, ideal = with_gains(rankings.judged(), s.gain), ideal_gains(rankings, s.gain)
    more = count * grade_gain(grades[-1:], s.gain)
    high = ratio(listed.sum(listed.grade) + more, ideal.sum(ideal.grade) + more)
    return low, np.minimum(high, 1.0), False
