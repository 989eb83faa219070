"""Measures for graded relevance by Sakai: Q, O, P and P+."""

from __future__ import annotations

from functools import partial

import numpy as np

from assay.core.arrays import Bools, Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import MONOTONE, Range, Settings, only_first_rank
from assay.core.parameters import Depth, Gain, Weight
from assay.evidence.unjudged.unjudged_runs import RankMatrix
from assay.evidence.views.rankings import Rankings
from assay.measures.graded.blended_ratio import Blend, blended_ratios, first_maximum
from assay.measures.graded.gain import grade_gain, ideal_gains, one_gain
from assay.measures.trace_tables import at_every_rank, list_ranks, running_mean

NO_GAIN = "no document with a gain is known"


WIDEST = 2.5
"""Q is bounded by mixed views if 1 + beta·gain of the best grade is at most this multiple of that
of the least one: beyond 2.8 a low grade at the top lowers Q below the bound (``?-?3??|3``)."""


def _narrow_gains(s: Settings, grades: Floats) -> bool:
    worth = grade_gain(grades, s.gain)
    worth = worth[worth > 0]
    return not len(worth) or bool(1 + s.beta * worth.max() <= WIDEST * (1 + s.beta * worth.min()))


@define(
    "Q",
    aliases=["Q-measure", "Q_measure"],
    undefined=NO_GAIN,
    variants=["Q@3", "Q(beta=10)", "Q(gain={1:1,2:4,3:9})"],
    label="Q-measure",
    facts=MONOTONE.but(
        sum_over_documents=only_first_rank,
        fixed_weights=only_first_rank,
        rises_with_grades=_narrow_gains,
    ),
)
def q_measure(
    rankings: Rankings, gain: Gain = "grade", beta: Weight = 1, cutoff: Depth | None = None
) -> Floats:
    """Average precision for graded relevance: the mean of the blended ratio at each gain.

    The ratio is (C + beta·cg) / (i + beta·cg*) at rank i, with C documents found so far, their
    gain cg, and the gain cg* of the ideal list. With ``beta=0`` it is average precision. With a
    cutoff k the sum is divided by min(R, k), as in NTCIREVAL.

    >>> measure("Q")(rankings("03?2|3322" + "1111")).round(4)
    array([0.0967])
    """
    found = blended_ratios(rankings, gain, beta, cutoff)
    total = found.known if cutoff is None else np.minimum(found.known, cutoff)
    return ratio(found.found.sum(found.ratio), total)


@define(
    "O-measure",
    aliases=["O", "O_measure"],
    undefined=NO_GAIN,
    variants=["O-measure(beta=10)", "O-measure(gain=exp)"],
    label="O-measure",
    facts=MONOTONE,
)
def o_measure(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Floats:
    """The blended ratio at the first document with a gain: reciprocal rank for graded relevance.

    >>> measure("O-measure")(rankings("-2|3")).round(3)
    array([0.429])
    """
    found = blended_ratios(rankings, gain, beta)
    at_first = found.found.sum(np.where(found.found.place == 1, found.ratio, 0.0))
    return np.where(found.known > 0, at_first, np.nan)


define_at_preferred = partial(
    define,
    undefined=NO_GAIN,
    exempt=Exemption(
        "promotion", "the preferred rank moves up, where less has been found", ("-+2|", 1)
    ),
    facts=MONOTONE.but(rises_with_order=one_gain, rises_with_grades=one_gain),
)
"""Declares a measure that depends on the preferred rank: the first with the highest gain."""


@define_at_preferred(
    "P-measure",
    aliases=["P_measure"],
    variants=["P-measure(beta=10)", "P-measure(gain=exp)"],
    label="P-measure",
)
def p_measure(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Floats:
    """The blended ratio at the preferred rank: that of the first of the best documents retrieved.

    >>> measure("P-measure")(rankings("1-3|3")).round(3)
    array([0.6])
    """
    found, is_preferred = _preferred_ratios(rankings, gain, beta)
    value = found.found.sum(np.where(is_preferred, found.ratio, 0.0))
    return np.where(found.known > 0, value, np.nan)


@define_at_preferred(
    "P+", aliases=["P-plus", "P_plus"], variants=["P+(beta=10)", "P+(gain=exp)"], label="P+"
)
def p_plus(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Floats:
    """The mean of the blended ratio at each document with a gain down to the preferred rank.

    >>> measure("P+")(rankings("1-3|3")).round(3)
    array([0.55])
    """
    found = blended_ratios(rankings, gain, beta)
    preferred = first_maximum(found.found)
    above = found.found.place <= preferred[found.found.query]
    total = found.found.sum(np.where(above, found.ratio, 0.0))
    return np.where(found.known > 0, total / np.maximum(preferred, 1), np.nan)


@p_measure.extremes
@p_plus.extremes
def p_measure_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return the range: both are ratios, or means of ratios, at relevant or unjudged ranks.

    So they lie between the least and the greatest that the ratio can be at such a rank.
    """
    low, high = np.full((2, len(rankings.queries)), np.nan)
    if isinstance(s.gain, tuple):
        return None
    count = rankings.depth() - rankings.judged().count
    worth = grade_gain(grades[[0, -1]], s.gain)
    for grid in RankMatrix.blocks(rankings, np.nextafter(0, 1), None):
        own = grid.queries
        possible = _ideal_sums(rankings, s.gain, grid)
        ends = _ratio_ends(grid, s.gain, possible, count[own], worth, s.beta)
        candidate = grid.relevant | grid.holes
        low[own] = np.where(candidate, ends[0], np.inf).min(axis=1, initial=np.inf)
        high[own] = np.where(candidate, ends[1], 0.0).max(axis=1, initial=0.0)
    return low, high, False


def _ideal_sums(rankings: Rankings, gain: Gain, grid: RankMatrix) -> Floats:
    """Return the gain of the ideal list of what is known, up to each rank and before the first."""
    size, width = grid.relevant.shape
    best = ideal_gains(rankings, gain)
    start, end = best.offsets[grid.queries.start], best.offsets[grid.queries.start + size]
    own = slice(int(start), int(end))
    laid = np.zeros((size, max(int(best.rank.max(initial=0)), width) + 1))
    laid[best.query[own] - grid.queries.start, best.rank[own]] = best.grade[own]
    return np.cumsum(laid, axis=1)[:, : width + 1]


def _ratio_ends(
    grid: RankMatrix, gain: Gain, possible: Floats, count: Floats, worth: Floats, beta: float
) -> tuple[Floats, Floats]:
    """Return the least and the greatest ratio at each rank.

    The least has the hole of that rank alone, and all holes in the ideal list, best first; the
    greatest has all holes down to the rank, which the ideal list then has too.
    """
    rank = np.arange(1, grid.relevant.shape[1] + 1)
    found, filled = np.cumsum(grid.relevant, axis=1), np.cumsum(grid.holes, axis=1)
    gained = np.cumsum(np.where(grid.relevant, grade_gain(grid.grades, gain), 0.0), axis=1)
    ahead = np.minimum(rank, count[:, None]).astype(np.int64)
    behind = np.take_along_axis(possible, rank - ahead, axis=1)
    fewest = found + grid.holes + beta * (gained + grid.holes * worth[0])
    low = fewest / (rank + beta * (ahead * worth[1] + behind))
    most = gained + filled * worth[1]
    high = (found + filled + beta * most) / (rank + beta * np.maximum(possible[:, 1:], most))
    return low, np.minimum(high, 1.0)


def _table(rankings: Rankings, s: Settings, cutoff: int | None = None) -> tuple[Blend, Columns]:
    """Return the documents with a gain, and each rank with the ratio where there is a gain."""
    found, best = blended_ratios(rankings, s.gain, s.beta, cutoff), ideal_gains(rankings, s.gain)
    rank, ideal = list_ranks(rankings, cutoff), best.total(np.maximum(best.grade, 0))
    gain = at_every_rank(rank, found.found, found.found.grade)
    return found, {
        "rank": rank,
        "gain": gain,
        "relevant so far": np.cumsum(gain > 0),
        "gain so far": np.cumsum(gain),
        "ideal gain so far": best.at(ideal, np.zeros_like(rank), rank),
        "blended ratio": at_every_rank(rank, found.found, found.ratio),
    }


@q_measure.trace
def q_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, and the sum of the blended ratios at those with a gain."""
    found, columns = _table(rankings, s, s.cutoff)
    total = found.known if s.cutoff is None else np.minimum(found.known, s.cutoff)
    sums = np.cumsum(columns["blended ratio"])
    return columns | {
        "sum": sums,
        "divided by": np.full(len(sums), total[0]),
        "Q": ratio(sums, total[0]),
    }


@o_measure.trace
def o_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank; the ratio at the first with a gain counts."""
    found, columns = _table(rankings, s)
    return columns | {"at the first": np.full(len(columns["rank"]), found.ratio[:1].sum())}


@p_measure.trace
def p_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank; the ratio at the preferred one counts."""
    columns, is_preferred = _preferred_table(rankings, s)
    ratio_there = columns["blended ratio"][is_preferred].sum()
    return columns | {
        "preferred": is_preferred,
        "at the preferred": np.full(len(is_preferred), ratio_there),
    }


@p_plus.trace
def p_plus_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, and the mean of the ratios at those with a gain to the preferred one."""
    columns, is_preferred = _preferred_table(rankings, s)
    above: Bools = (np.cumsum(is_preferred) - is_preferred == 0) & (columns["gain"] > 0)
    return columns | {
        "preferred": is_preferred,
        "mean down to it": running_mean(columns["blended ratio"], above.astype(np.float64)),
    }


def _preferred_table(rankings: Rankings, s: Settings) -> tuple[Columns, Bools]:
    """Return each rank, and whether it is the preferred one."""
    _, is_preferred = _preferred_ratios(rankings, s.gain, s.beta)
    found, columns = _table(rankings, s)
    return columns, at_every_rank(columns["rank"], found.found, is_preferred) > 0


def _preferred_ratios(rankings: Rankings, gain: Gain, beta: float) -> tuple[Blend, Bools]:
    found = blended_ratios(rankings, gain, beta)
    return found, found.found.place == first_maximum(found.found)[found.found.query]
