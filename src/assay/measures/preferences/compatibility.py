"""Compatibility: the similarity of a ranking to the most similar ideal ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from assay.core.arrays import Floats, Ints, ratio, unit_ranks
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Facts, Range, Settings
from assay.core.parameters import Depth, Flag, Grade, Persistence
from assay.evidence.unjudged.unjudged_runs import RankMatrix
from assay.evidence.views.rankings import Hits, Rankings

DEEPEST = 1000
"""How far lists are compared by default."""
CompareTo = Literal["cutoff", "lists"]


def _one_relevant_grade(s: Settings, grades: Floats) -> bool:
    return len(np.unique(grades[grades >= s.rel])) <= 1


@define(
    "Compat",
    aliases=["compatibility"],
    undefined="no relevant document is known",
    variants=[
        "Compat(p=0.8)",
        "Compat(normalize=false)",
        "Compat@3",
        "Compat(compare_to=lists)",
        "Compat(normalize=false,compare_to=lists)@3",
    ],
    facts=Facts(
        unjudged_as_zero=True,
        sum_over_documents=lambda s, grades: s.cutoff == 1 or _one_relevant_grade(s, grades),
        fixed_weights=lambda s, grades: s.compare_to == "cutoff" and _one_relevant_grade(s, grades),
        rises_with_order=True,
    ),
)
def compatibility(
    rankings: Rankings,
    p: Persistence = 0.95,
    rel: Grade = 1,
    normalize: Flag = True,
    compare_to: CompareTo = "cutoff",
    reverse_ties: Flag = False,
    cutoff: Depth | None = None,
) -> Floats:
    """The rank-biased overlap of the ranking with the ideal ranking that is most like it.

    The ideal has the documents by falling grade; documents of equal grade are in the order of
    the ranking. The overlap at depth i weighs p^(i−1), down to the cutoff (1000), and the sum is
    divided by that of the ideal with itself (``normalize=false``: by the weights). With
    ``compare_to=lists`` it ends where the longer of both lists does, as in ir_measures, which also
    orders documents of equal score the other way for this measure (``reverse_ties``).

    >>> measure("Compat(p=0.8)")(rankings("1-3|2")).round(3)
    array([0.337])
    >>> measure("Compat(p=0.8,compare_to=lists)")(rankings("1-3|2")).round(3)
    array([0.175])
    """
    rankings = _reverse_ties(rankings) if reverse_ties else rankings
    known = rankings.relevant_count(rel)
    weights = _Weights.of(p, _depth(rankings, known, compare_to, cutoff))
    overlap = _overlap(rankings, rankings.relevant(rel), weights, 0 * rankings.retrieved)
    return ratio(overlap, weights.most(known, normalize))


def _reverse_ties(rankings: Rankings) -> Rankings:
    """Return the rankings with documents of equal score in the opposite order."""
    hits = rankings.hits
    rank = rankings.tie_first + rankings.tie_last - hits.rank
    order = np.lexsort((rank, hits.query))
    return rankings.with_hits(Hits(hits.offsets, rank[order], hits.grade[order]), order)


def _depth(rankings: Rankings, known: Floats, compare_to: CompareTo, cutoff: int | None) -> Ints:
    """Return the rank down to which the lists of each query are compared."""
    if compare_to == "cutoff":
        return np.full(len(known), cutoff or DEEPEST)
    longer = np.maximum(rankings.retrieved, known.astype(np.int64))
    return longer if cutoff is None else np.minimum(longer, cutoff)


@dataclass(frozen=True)
class _Weights:
    """What the depths weigh, added up from the top; 0 below the depth of a query."""

    weight: Floats
    shared: Floats
    """The same of weights that are divided by their depth."""
    depth: Ints

    @classmethod
    def of(cls, p: float, depth: Ints) -> Self:
        """Return weights that fall by the factor p."""
        rank = np.arange(1, depth.max(initial=0) + 1)
        weight = p ** (rank - 1.0)
        return cls(np.append(0, weight.cumsum()), np.append(0, (weight / rank).cumsum()), depth)

    def remaining_weight(self, rank: Ints, query: Ints) -> Floats:
        """Return what a document brings that both lists of the query have from that rank on."""
        depth = self.depth[query]
        return self.shared[depth] - self.shared[np.minimum(rank - 1, depth)]

    def most(self, known: Floats, normalize: bool) -> Floats:
        """Return the divisor of the overlap, for that many relevant documents."""
        if not normalize:
            return np.where(known > 0, self.weight[self.depth], 0.0)
        first = np.minimum(known.astype(np.int64), self.depth)
        return self.weight[first] + first * (self.shared[self.depth] - self.shared[first])


def _overlap(rankings: Rankings, found: Hits, weights: _Weights, shift: Ints) -> Floats:
    """Return what relevant documents add if the ideal list has that many others before them."""
    least = found.grade.min(initial=np.inf)
    pool = rankings.pool.where(rankings.pool.grade >= least)
    met = np.maximum(found.rank, _ideal_rank(found, pool) + shift[found.query])
    return found.sum(weights.remaining_weight(met, found.query))


@compatibility.trace
def compatibility_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return for each relevant document its ideal rank, where both lists have it, and its part."""
    rankings = _reverse_ties(rankings) if s.reverse_ties else rankings
    known, found = rankings.relevant_count(s.rel), rankings.relevant(s.rel)
    weights = _Weights.of(s.p, _depth(rankings, known, s.compare_to, s.cutoff))
    ideal = _ideal_rank(found, rankings.pool.where(rankings.pool.grade >= s.rel))
    met = np.maximum(found.rank, ideal)
    part, most = (
        weights.remaining_weight(met, found.query),
        weights.most(known, s.normalize)[found.query],
    )
    return {
        "rank": found.rank,
        "ideal rank": ideal,
        "in both from": met,
        "weight from there": part,
        "sum": np.cumsum(part),
        "divided by": most,
        "Compat": ratio(np.cumsum(part), most),
    }


@compatibility.extremes
def compatibility_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return bounds: at most what is known, and the topmost unjudged ranks at their ideal.

    At least what is known, with all holes before it in the ideal: more of them move a document
    down there, and add to the divisor.
    """
    found, known = rankings.relevant(s.rel), rankings.relevant_count(s.rel)
    if s.compare_to == "lists":  # The depth moves with the ideal list.
        return 0 * known, 0 * known + 1, False
    depth = s.cutoff or DEEPEST
    weights = _Weights.of(s.p, np.full(len(known), depth))
    count = rankings.retrieved - rankings.judged().count.astype(np.int64)
    low = ratio(_overlap(rankings, found, weights, count), weights.most(known + count, s.normalize))
    overlap, high = _overlap(rankings, found, weights, 0 * count), np.full(len(known), np.nan)
    for grid in RankMatrix.blocks(rankings, s.rel, depth):
        own = grid.queries
        filled = np.cumsum(grid.holes, axis=1)
        left = weights.remaining_weight(
            np.arange(1, grid.holes.shape[1] + 1), np.zeros(1, np.int64)
        )
        more = overlap[own, None] + np.cumsum(grid.holes * left, axis=1)
        most = replace(weights, depth=weights.depth[own, None]).most
        high[own] = np.nanmax(
            ratio(more, most(known[own, None] + filled, s.normalize)), axis=1, initial=0.0
        )
    return low, np.minimum(high, 1.0), False


def _ideal_rank(found: Hits, pool: Hits) -> Ints:
    """Return the ideal rank of each hit: after better ones, among equals as in the ranking."""
    grades = np.unique(pool.grade)
    found_key = found.query * len(grades) - np.searchsorted(grades, found.grade)
    pool_key = pool.query * len(grades) - np.searchsorted(grades, pool.grade)
    better = np.searchsorted(pool_key, found_key) - pool.offsets[found.query]
    order = np.argsort(found_key, kind="stable")
    _, counts = np.unique(found_key, return_counts=True)
    among = np.empty(len(order), dtype=np.int64)
    among[order] = unit_ranks(np.concatenate(([0], np.cumsum(counts))))
    return better + among
