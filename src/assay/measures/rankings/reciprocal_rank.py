"""Reciprocal rank."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Range, Settings, only_first_rank
from assay.core.parameters import Depth, Grade
from assay.evidence.views.rankings import Hits, Rankings


@define(
    "RR",
    aliases=["recip_rank", "mrr", "MRR"],
    undefined="no relevant document is known",
    variants=["RR@2", "RR(rel=2)"],
    standard=True,
    facts=MONOTONE.but(
        ignores_pool=True, sum_over_documents=only_first_rank, fixed_weights=only_first_rank
    ),
)
def reciprocal_rank(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """The reciprocal of the rank of the first relevant document; 0 if none is retrieved.

    >>> measure("RR")(rankings("--+-")).round(3)
    array([0.333])
    """
    first = _first_ranks(rankings.relevant(rel, cutoff), empty=np.inf)
    return np.where(rankings.relevant_count(rel) > 0, 1 / first, np.nan)


def _first_ranks(hits: Hits, empty: float) -> Floats:
    """Return the rank of the first hit of each query; ``empty`` where there is none."""
    starts = hits.offsets[:-1]
    found = np.diff(hits.offsets) > 0
    result = np.full(len(starts), empty)
    result[found] = hits.rank[starts[found]]
    return result


@reciprocal_rank.trace
def reciprocal_rank_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the ranks down to the first relevant document, if there is one within the cutoff."""
    first = int(_first_ranks(rankings.relevant(s.rel, s.cutoff), empty=0)[0])
    rank = np.arange(1, first + 1)
    found = rank == first
    return {"rank": rank, "relevant so far": found.astype(np.int64), "reciprocal": found / rank}


@reciprocal_rank.expected
def reciprocal_rank_over_ties(rankings: Rankings, s: Settings) -> Floats:
    """Return the expected value over the orders of tied documents.

    The first of k relevant documents among n tied ones has rank first + j; for j = 0 the
    probability is k/n; from each j to the next it falls by (n - k - j)/(n - 1 - j).
    """
    from assay.evidence.tied_rankings import TieGroups

    groups = TieGroups.of(rankings, rankings.hits.grade >= s.rel)
    top = groups.before == 0
    first, size, count = groups.first[top], groups.size[top], groups.count[top]
    chance, expected = count / size, np.zeros(len(first))
    for later in range(int((size - count).max(initial=-1)) + 1):
        rank = first + later
        expected += np.where(rank <= (s.cutoff or np.inf), chance / rank, 0.0)
        chance = chance * np.maximum(size - count - later, 0) / np.maximum(size - 1 - later, 1)
    value = np.zeros(groups.queries)
    value[groups.query[top]] = expected
    return np.where(rankings.relevant_count(s.rel) > 0, value, np.nan)


@reciprocal_rank.extremes
def reciprocal_rank_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return the range: up to the reciprocal of the first rank that is relevant or unjudged.

    Where nothing relevant is known, at least with the last unjudged document alone relevant.
    """
    now = reciprocal_rank(rankings, rel=s.rel, cutoff=s.cutoff)
    hits = rankings.hits
    # Judged documents that are not relevant occupy ranks 1, 2, … until another document follows.
    useless = hits.where((hits.grade >= 0) & (hits.grade < s.rel))
    first = useless.sum(useless.place == useless.rank) + 1
    reached = first <= np.minimum(rankings.retrieved, s.cutoff or np.inf)
    high = np.where(reached, 1 / first, 0.0)
    unknown = np.isnan(now)
    if not unknown.any():
        return now, high, True
    last = _last_unjudged_reciprocal(rankings, unknown, s.cutoff)
    return np.where(unknown, last, now), high, True


def _last_unjudged_reciprocal(rankings: Rankings, chosen: Bools, cutoff: int | None) -> Floats:
    """Return the inverse of the last unjudged rank of the chosen queries; 0 below the cutoff."""
    from assay.evidence.unjudged.unjudged_documents import Holes

    result = np.full(len(chosen), np.nan)
    own = np.flatnonzero(chosen)
    holes = Holes(rankings.take(own)).rank
    some = np.flatnonzero(holes.count > 0)
    last = holes.rank[holes.offsets[some + 1] - 1]
    result[own[some]] = np.where(last <= (cutoff or np.inf), 1 / last, 0.0)
    return result
