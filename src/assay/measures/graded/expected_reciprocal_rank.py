"""Expected reciprocal rank, as it is and normalized."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio, segment_scan, unit_offsets
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings, only_first_rank
from assay.core.parameters import Depth, Scale
from assay.evidence.tied_rankings import TieGroups
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import satisfaction_chance

NO_GAIN = "no document that could satisfy is known"
ANY_GRADE = float(np.nextafter(0, 1))
"""The least grade above 0: on a scale each of them may satisfy."""


def cascade(listed: Hits, gmax: Scale) -> tuple[Hits, Floats, Floats]:
    """Return the documents that may satisfy, how likely each does, and how likely it is reached."""
    likely = satisfaction_chance(listed.grade, gmax)
    useful = listed.where(likely > 0)
    likely = likely[likely > 0]
    left = segment_scan(np.multiply, 1 - likely, useful.offsets)
    reached = np.ones(len(left))
    reached[1:] = np.where(useful.place[1:] > 1, left[:-1], 1.0)
    return useful, likely, reached


def expected_reciprocal(listed: Hits, gmax: Scale) -> Floats:
    """Return the expected reciprocal of the rank at which a user is satisfied."""
    useful, likely, reached = cascade(listed, gmax)
    return useful.sum(likely * reached / useful.rank)


def ideal_ranking(rankings: Rankings, gmax: Scale, cutoff: int | None) -> Hits:
    """Return the judged documents, the most satisfying first."""
    pool = rankings.best()
    order = np.lexsort((-satisfaction_chance(pool.grade, gmax), pool.query))
    best = Hits(pool.offsets, pool.place, pool.grade[order])
    return best if cutoff is None else best.where(best.rank <= cutoff)


def _can_satisfy(rankings: Rankings, gmax: Scale) -> Floats:
    if not isinstance(gmax, tuple) and gmax > 0:
        return rankings.relevant_count(ANY_GRADE)
    pool = rankings.best()
    return pool.sum(satisfaction_chance(pool.grade, gmax) > 0)


@define(
    "ERR",
    aliases=["err"],
    undefined=NO_GAIN,
    variants=["ERR(gmax=4)", "ERR(gmax=9)@3", "ERR(gmax={1:0.2,2:0.5,3:0.7})@5"],
    facts=MONOTONE.but(
        ignores_pool=True, sum_over_documents=only_first_rank, fixed_weights=only_first_rank
    ),
)
def expected_reciprocal_rank(
    rankings: Rankings, gmax: Scale, cutoff: Depth | None = None
) -> Floats:
    """The expected reciprocal of the rank at which a user, reading downwards, is satisfied.

    A document of grade g satisfies with the probability (2^g − 1)/2^gmax. The highest grade of
    the scale must be given, since the judgments of a query may not have it (gdeval always takes 4);
    or the probabilities themselves: ``gmax={1:0.2,2:0.7}``. With ``gmax={1:1}`` it is RR. The
    user model is a cascade: what is read depends on whether documents above it satisfied.

    >>> measure("ERR(gmax=3)")(rankings("302")).round(3)
    array([0.891])
    """
    value = expected_reciprocal(rankings.judged(cutoff), gmax)
    return np.where(_can_satisfy(rankings, gmax) > 0, value, np.nan)


@expected_reciprocal_rank.trace
def expected_reciprocal_rank_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the probabilities and the part of each rank; an unjudged document never satisfies."""
    listed = rankings.judged(s.cutoff)
    end = int(rankings.retrieved[0])
    rank = np.arange(1, (end if s.cutoff is None else min(end, s.cutoff)) + 1)
    likely = np.zeros(len(rank))
    likely[listed.rank - 1] = satisfaction_chance(listed.grade, s.gmax)
    reached = np.append(1.0, np.cumprod(1 - likely))[: len(likely)]
    part = likely * reached / rank
    return {
        "rank": rank,
        "satisfies": likely,
        "is reached": reached,
        "part": part,
        "sum": np.cumsum(part),
    }


MOST_TIED = 256
"""Up to so many tied documents the expected value is worked out; the work grows with n²."""


@expected_reciprocal_rank.expected
def expected_reciprocal_rank_over_ties(rankings: Rankings, s: Settings) -> Floats:
    """Return the expected value: at rank r a user stops as r documents satisfy more than r - 1."""
    found = _expected_over_ties(rankings, s.gmax, s.cutoff)
    return np.where(_can_satisfy(rankings, s.gmax) > 0, found, np.nan)


def _expected_over_ties(rankings: Rankings, gmax: Scale, cutoff: int | None) -> Floats:
    """Return the sum over groups of tied documents, each reached as the groups above leave it.

    NaN for queries that have larger groups than can be worked out.
    """
    likely = satisfaction_chance(rankings.hits.grade, gmax)
    seen = likely > 0 if cutoff is None else (likely > 0) & (rankings.tie_first <= cutoff)
    large = rankings.tie_last - rankings.tie_first >= MOST_TIED
    unknown = rankings.hits.sum(seen & large) > 0
    seen &= ~large
    groups, likely = TieGroups.of(rankings, seen), likely[seen]
    size = groups.size
    left = _unsatisfied_chance(groups, 1 - likely)
    width = left.shape[1]
    rank = groups.first[:, None] + np.arange(width - 1)
    weight = np.where(rank <= groups.within(cutoff)[:, None], 1 / rank, 0.0)
    # Added from left to right, so that longer groups elsewhere do not change a bit.
    own = np.cumsum(weight * (left[:, :-1] - left[:, 1:]), axis=1)[:, -1]
    ends = left[np.arange(len(size)), size]
    offsets = unit_offsets(np.bincount(groups.query, minlength=groups.queries))
    through = segment_scan(np.multiply, ends, offsets)
    starts = offsets[:-1][groups.query] == np.arange(len(size))
    reached = np.where(starts, 1.0, np.append(1.0, through[:-1])[: len(size)])
    return np.where(unknown, np.nan, groups.sum(own * reached))


def _unsatisfied_chance(groups: TieGroups, unmoved: Floats) -> Floats:
    """Return how likely a user is not satisfied by j of the group's documents, drawn at random.

    One document more: the j have it with the chance j/t, and else are j of the others.
    """
    width = int(groups.size.max(initial=0))
    chosen = np.arange(width + 1)
    left = np.ones((len(groups.size), width + 1))
    for more in range(int(groups.count.max(initial=0))):
        inside = groups.count > more
        place = np.minimum(groups.start + more, max(len(unmoved) - 1, 0))
        left = np.where(
            inside[:, None], _add_document(left, chosen, more + 1, unmoved[place]), left
        )
    for more in range(int(groups.count.min(initial=0)), width):
        inside = (groups.count <= more) & (groups.size > more)
        left = np.where(inside[:, None], _add_document(left, chosen, more + 1, np.ones(1)), left)
    return left


def _add_document(left: Floats, chosen: Ints, total: int, unmoved: Floats) -> Floats:
    share = np.minimum(chosen / total, 1.0)
    moved = np.ones_like(left)
    moved[:, 1:] = left[:, :-1]
    return (1 - share) * left + share * (moved * unmoved[:, None])


@define(
    "nERR",
    aliases=["nerr"],
    undefined=NO_GAIN,
    variants=["nERR(gmax=4)", "nERR(gmax=9)@3", "nERR(gmax={1:0.2,2:0.5,3:0.7})@5"],
    facts=MONOTONE.but(sum_over_documents=only_first_rank, fixed_weights=only_first_rank),
)
def normalized_expected_reciprocal_rank(
    rankings: Rankings, gmax: Scale, cutoff: Depth | None = None
) -> Floats:
    """The expected reciprocal rank, as a share of that of the ideal list at the same depth.

    >>> measure("nERR(gmax=3)")(rankings("203")).round(3)
    array([0.62])
    """
    ideal = expected_reciprocal(ideal_ranking(rankings, gmax, cutoff), gmax)
    return ratio(expected_reciprocal(rankings.judged(cutoff), gmax), ideal)


@normalized_expected_reciprocal_rank.expected
def normalized_over_ties(rankings: Rankings, s: Settings) -> Floats:
    """Return that of ERR, as a share of the value of the ideal list, which has no ties."""
    found = _expected_over_ties(rankings, s.gmax, s.cutoff)
    ideal = expected_reciprocal(ideal_ranking(rankings, s.gmax, s.cutoff), s.gmax)
    return ratio(found, ideal)


@normalized_expected_reciprocal_rank.trace
def normalized_err_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each document that may satisfy, and the sum as a share of the ideal list's value."""
    columns = expected_reciprocal_rank_trace(rankings, s)
    ideal = expected_reciprocal(ideal_ranking(rankings, s.gmax, s.cutoff), s.gmax)[0]
    most = np.full(len(columns["rank"]), ideal)
    return columns | {"ideal list's value": most, "share": ratio(columns["sum"], most)}
