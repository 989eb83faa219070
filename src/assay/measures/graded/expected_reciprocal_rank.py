"""Expected reciprocal rank, as it is and normalised."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio, segment_scan
from assay.core.catalogue import Columns, define
from assay.core.parameters import Depth, Scale
from assay.evidence.rankings import Hits, Rankings
from assay.measures.graded.gain import stopping

NO_GAIN = "no document that could satisfy is known"


def cascade(listed: Hits, gmax: Scale) -> tuple[Hits, Floats, Floats]:
    """The documents that may satisfy, how likely each does, and how likely it is reached."""
    likely = stopping(listed.grade, gmax)
    useful = listed.where(likely > 0)
    likely = likely[likely > 0]
    left = segment_scan(np.multiply, 1 - likely, useful.offsets)
    reached = np.ones(len(left))
    reached[1:] = np.where(useful.place[1:] > 1, left[:-1], 1.0)
    return useful, likely, reached


def expected(listed: Hits, gmax: Scale) -> Floats:
    """The expected reciprocal of the rank at which a user is satisfied."""
    useful, likely, reached = cascade(listed, gmax)
    return useful.sum(likely * reached / useful.rank)


def best_list(rankings: Rankings, gmax: Scale, cutoff: int | None) -> Hits:
    """The judged documents, the most satisfying first."""
    pool = rankings.best()
    order = np.lexsort((-stopping(pool.grade, gmax), pool.query))
    best = Hits(pool.offsets, pool.place, pool.grade[order])
    return best if cutoff is None else best.where(best.rank <= cutoff)


def _can_satisfy(rankings: Rankings, gmax: Scale) -> Floats:
    pool = rankings.best()
    return pool.sum(stopping(pool.grade, gmax) > 0)


@define(
    "ERR",
    better="higher",
    bounds=(0, 1),
    aliases=["err"],
    undefined=NO_GAIN,
    variants=["ERR(gmax=9)", "ERR(gmax=9)@3", "ERR(gmax={1:0.2,2:0.5,3:0.7})@5"],
    label="expected reciprocal rank",
)
def expected_reciprocal_rank(
    rankings: Rankings, gmax: Scale, cutoff: Depth | None = None
) -> Floats:
    """The expected reciprocal of the rank at which a user, reading downwards, is satisfied.

    A document of grade g satisfies with the probability (2^g − 1)/2^gmax. The highest grade of
    the scale must be said, since the judgments of a query may not have it (gdeval always takes 4);
    or the probabilities themselves: ``gmax={1:0.2,2:0.7}``. With ``gmax={1:1}`` it is RR.

    >>> measure("ERR(gmax=3)")(rankings("302")).round(3)
    array([0.891])
    """
    value = expected(rankings.judged(cutoff), gmax)
    return np.where(_can_satisfy(rankings, gmax) > 0, value, np.nan)


@expected_reciprocal_rank.trace
def trace(rankings: Rankings, gmax: Scale, cutoff: Depth | None = None) -> Columns:
    """Each document that may satisfy, with the probabilities and its part."""
    useful, likely, reached = cascade(rankings.judged(cutoff), gmax)
    part = likely * reached / useful.rank
    return {
        "rank": useful.rank,
        "satisfies": likely,
        "is reached": reached,
        "part": part,
        "sum": np.cumsum(part),
    }


@define(
    "nERR",
    better="higher",
    bounds=(0, 1),
    aliases=["nerr"],
    undefined=NO_GAIN,
    variants=["nERR(gmax=9)", "nERR(gmax=9)@3", "nERR(gmax={1:0.2,2:0.5,3:0.7})@5"],
    label="normalised expected reciprocal rank",
)
def normalised(rankings: Rankings, gmax: Scale, cutoff: Depth | None = None) -> Floats:
    """The expected reciprocal rank, as a share of that of the ideal list at the same depth.

    >>> measure("nERR(gmax=3)")(rankings("203")).round(3)
    array([0.62])
    """
    ideal = expected(best_list(rankings, gmax, cutoff), gmax)
    return ratio(expected(rankings.judged(cutoff), gmax), ideal)


@normalised.trace
def normalised_trace(rankings: Rankings, gmax: Scale, cutoff: Depth | None = None) -> Columns:
    """Each document that may satisfy, and its part as a share of the ideal list's value."""
    columns = trace(rankings, gmax, cutoff)
    ideal = expected(best_list(rankings, gmax, cutoff), gmax)[0]
    return columns | {"share": ratio(columns["part"], ideal)}
