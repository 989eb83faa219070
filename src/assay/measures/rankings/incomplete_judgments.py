"""Measures for incomplete judgments: binary preference and inferred average precision."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Bools, Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import GEOMETRIC_FLOOR, Exemption, define
from assay.core.facts import Facts, Range, Settings
from assay.core.parameters import Grade
from assay.evidence.unjudged.unjudged_documents import MAX_SINGLE_COUNTS, hole_counts
from assay.evidence.unjudged.unjudged_runs import RankMatrix
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.rankings.precision_extremes import Divisor, precision_extremes
from assay.measures.trace_tables import at_every_rank, list_ranks

NO_RELEVANT = "no relevant document is known"


def preferences(rankings: Rankings, rel: float) -> tuple[Hits, Floats, Floats]:
    """Return the relevant documents, the non-relevant ones judged above each, and its part."""
    judged, known = rankings.judged(), rankings.relevant_count(rel)
    is_relevant = judged.grade >= rel
    above = judged.running(~is_relevant)[is_relevant].astype(np.float64)
    found = judged.where(is_relevant)
    others = rankings.pool.sum((rankings.pool.grade >= 0) & (rankings.pool.grade < rel))
    R, N = known[found.query], others[found.query]
    counted = np.minimum(above, R)
    return found, above, np.where(above == 0, 1.0, 1 - ratio(counted, np.minimum(N, R)))


def _all_relevant(s: Settings, grades: Floats) -> bool:
    """Return whether no document is judged not relevant."""
    return bool(grades.min(initial=np.inf) >= s.rel)


@define(
    "bpref",
    aliases=["Bpref", "BPref"],
    undefined=NO_RELEVANT,
    variants=["bpref(rel=2)"],
    facts=Facts(
        sum_over_documents=_all_relevant, fixed_weights=_all_relevant, rises_with_order=True
    ),
)
def binary_preference(rankings: Rankings, rel: Grade = 1) -> Floats:
    """How rarely documents judged not relevant are ranked above relevant ones.

    Each relevant document brings 1 − min(n, R)/min(N, R), where n documents judged not relevant
    are above it and N are known; the sum is divided by R. Documents that are unjudged, or
    pooled but unjudged, are ignored. Without any n a document brings 1, also when N is 0
    (ranx divides by 0 there).

    >>> measure("bpref")(rankings("+-?+|+--"))
    array([0.55555556])
    """
    found, _, part = preferences(rankings, rel)
    return ratio(found.sum(part), rankings.relevant_count(rel))


@binary_preference.trace
def bpref_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, the documents judged not relevant above it, and its part."""
    (found, _, part), judged = preferences(rankings, s.rel), rankings.judged()
    rank = list_ranks(rankings)
    others = np.cumsum(at_every_rank(rank, judged, judged.grade < s.rel))
    return {
        "rank": rank,
        "relevant so far": np.cumsum(at_every_rank(rank, found, 1)),
        "judged not relevant so far": others,
        "part": (parts := at_every_rank(rank, found, part)),
        "sum": np.cumsum(ratio(parts, rankings.relevant_count(s.rel)[0])),
    }


@binary_preference.extremes
def bpref_range(rankings: Rankings, grades: Floats, s: Settings) -> Range:
    """Return the range: of m relevant unjudged ones the topmost give most, the lowest least.

    Where relevance moves to a higher hole, no relevant document has more of the others above it.
    Each brings 1 - min(n/D, 1), where D = min(N, R): more with a larger D. Blocks of m have the
    best list with the largest D and the smallest R, and the worst list the other way round.
    """
    known, count = rankings.relevant_count(s.rel), rankings.depth() - rankings.judged().count
    others = rankings.pool.sum((rankings.pool.grade >= 0) & (rankings.pool.grade < s.rel))
    low, high = np.full((2, len(known)), np.nan)
    for grid in RankMatrix.blocks(rankings, s.rel, None):
        own = grid.queries
        low[own], high[own] = _extremes(grid, known[own], others[own], count[own])
    return low, high, count <= MAX_SINGLE_COUNTS


def _extremes(grid: RankMatrix, R: Floats, N: Floats, count: Floats) -> tuple[Floats, Floats]:
    low, high = np.full((2, len(R)), np.nan)
    place = np.cumsum(grid.holes, axis=1)
    for few, last in [(0, 0), *hole_counts(int(count.max(initial=0)))]:
        most = np.minimum(last, count)
        top = grid.holes & (place <= most[:, None])
        bottom = grid.holes & (place > count[:, None] - few)
        best = _summed_parts(grid, top, np.minimum(N + count - few, R + most)) / (R + few)
        worst = _summed_parts(grid, bottom, np.minimum(N + count - most, R + few)) / (R + most)
        possible = (count >= few) & (R + few > 0)
        high = np.where(possible, np.fmax(high, best), high)
        low = np.where(possible, np.fmin(low, worst), low)
    return low, np.minimum(high, 1.0)


def _summed_parts(grid: RankMatrix, filled: Bools, most: Floats) -> Floats:
    """Return what all relevant documents bring, with these holes relevant and the others not."""
    above = np.cumsum(grid.others | (grid.holes & ~filled), axis=1)
    part = 1 - np.minimum(above / np.maximum(most, 1)[:, None], 1.0)
    part = np.where(above == 0, 1.0, np.where(most[:, None] > 0, part, 0.0))
    # Added up one after the other: the last bit of a plain sum depends on the width of the grid.
    return np.cumsum((grid.relevant | filled) * part, axis=1)[:, -1]


@define(
    "GMbpref",
    aggregate="geometric",
    aliases=["gm_bpref"],
    undefined=NO_RELEVANT,
    variants=["GMbpref(rel=2)"],
    facts=Facts(
        sum_over_documents=_all_relevant, fixed_weights=_all_relevant, rises_with_order=True
    ),
)
def geometric_mean_of_binary_preference(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Binary preference, averaged over queries by the geometric mean.

    A value below 0.00001 counts as 0.00001, as in trec_eval.

    >>> measure("GMbpref")(rankings("+-", "-+"))
    array([1., 0.])
    """
    return binary_preference(rankings, rel=rel)


geometric_mean_of_binary_preference.extremes(bpref_range)


@geometric_mean_of_binary_preference.trace
def geometric_bpref_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return the trace of bpref, and what the geometric mean takes for the sum."""
    columns = bpref_trace(rankings, s)
    return columns | {"at least 0.00001": np.maximum(columns["sum"], GEOMETRIC_FLOOR)}


SMOOTHING = 1e-5


def expected_precision(rankings: Rankings, rel: float) -> tuple[Hits, Floats]:
    """Return the relevant documents, and the precision that is expected at each."""
    pooled = rankings.hits
    is_relevant = pooled.grade >= rel
    found = pooled.where(is_relevant)
    relevant = found.place - 1
    judged = pooled.running(pooled.grade >= 0)[is_relevant] - 1
    above = pooled.place[is_relevant] - 1
    before = found.rank - 1.0
    # The share of the documents above in the pool, and of these the share that is relevant.
    inside = ratio(above, before)
    share = (relevant + SMOOTHING) / (judged + 2 * SMOOTHING)
    inferred = 1 / found.rank + before / found.rank * inside * share
    return found, np.where(before == 0, 1.0, inferred)


@define(
    "infAP",
    undefined="no relevant document is known",
    variants=["infAP(rel=2)"],
    exempt=Exemption(
        "promotion", "a pooled document without a judgment counts as partly relevant", ("??~2|", 2)
    ),
    facts=Facts(rises_with_order=lambda s, grades: bool(grades.min(initial=0) >= 0)),
)
def inferred_average_precision(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Average precision estimated from a pool of which a random sample was judged.

    A negative grade means pooled but unjudged; a document without a judgment is outside the
    pool. At each relevant document the precision is 1/i for itself, and (i − 1)/i times the share
    of the pool above it times the share of relevant ones among the judged there, smoothed by
    0.00001 as in trec_eval.

    >>> measure("infAP")(rankings("+~-+|+")).round(4)
    array([0.5417])
    """
    found, precision = expected_precision(rankings, rel)
    return ratio(found.sum(precision), rankings.relevant_count(rel))


@inferred_average_precision.trace
def inferred_average_precision_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, and the expected precision at those of relevant documents."""
    found, precision = expected_precision(rankings, s.rel)
    rank = list_ranks(rankings)
    expected = at_every_rank(rank, found, precision)
    part = ratio(expected, rankings.relevant_count(s.rel)[0])
    return {
        "rank": rank,
        "relevant so far": np.cumsum(at_every_rank(rank, found, 1)),
        "expected precision": expected,
        "part": part,
        "sum": np.cumsum(part),
    }


@inferred_average_precision.extremes
def inferred_average_precision_range(
    rankings: Rankings, grades: Floats, s: Settings
) -> Range | None:
    """Return the range: with every document judged this is average precision with smoothing.

    Not where some documents are pooled and unjudged: then nothing is known.
    """
    if (rankings.hits.grade < 0).any():
        return None
    divisor = Divisor.relevant(rankings, s.rel)
    low, high = precision_extremes(rankings, s.rel, divisor, precision=_precision)
    return low, high, True


def _precision(rank: Floats) -> tuple[Floats, Floats]:
    """Return what a relevant document has by itself at each rank, and what each above it adds."""
    more = (rank - 1) / rank / (rank - 1 + 2 * SMOOTHING)
    return 1 / rank + more * SMOOTHING, more
