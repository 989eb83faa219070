"""Binary preference, and its geometric mean over queries."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, define
from assay.core.parameters import Grade
from assay.evidence.rankings import Hits, Rankings

NO_RELEVANT = "no relevant document is known"


def preferences(rankings: Rankings, rel: float) -> tuple[Hits, Floats, Floats]:
    """The relevant documents, the others judged above each, and the part that each brings."""
    judged, known = rankings.judged(), rankings.relevant_count(rel)
    is_relevant = judged.grade >= rel
    above = judged.running(~is_relevant)[is_relevant].astype(np.float64)
    found = judged.where(is_relevant)
    others = rankings.pool.sum((rankings.pool.grade >= 0) & (rankings.pool.grade < rel))
    R, N = known[found.query], others[found.query]
    counted = np.minimum(above, R)
    return found, above, np.where(above == 0, 1.0, 1 - ratio(counted, np.minimum(N, R)))


@define(
    "bpref",
    better="higher",
    bounds=(0, 1),
    aliases=["Bpref", "BPref"],
    undefined=NO_RELEVANT,
    variants=["bpref(rel=2)"],
    label="binary preference",
)
def bpref(rankings: Rankings, rel: Grade = 1) -> Floats:
    """How seldom documents judged not relevant stand above relevant ones.

    Each relevant document brings 1 − min(n, R)/min(N, R), where n documents judged not relevant
    stand above it and N are known; the sum is divided by R. Documents that were not judged, or
    pooled but not judged, are passed over. Without any n a document brings 1, also when N is 0
    (ranx divides by 0 there).

    >>> measure("bpref")(rankings("+-?+|+--"))
    array([0.55555556])
    """
    found, _, part = preferences(rankings, rel)
    return ratio(found.sum(part), rankings.relevant_count(rel))


@bpref.trace
def trace(rankings: Rankings, rel: Grade = 1) -> Columns:
    """Each relevant document, the others judged above it, and its part."""
    found, above, part = preferences(rankings, rel)
    return {
        "rank": found.rank,
        "judged not relevant above": above,
        "part": part,
        "sum": np.cumsum(part / rankings.relevant_count(rel)[0]),
    }


@define(
    "GMbpref",
    better="higher",
    bounds=(0, 1),
    aggregate="geometric",
    aliases=["gm_bpref"],
    undefined=NO_RELEVANT,
    variants=["GMbpref(rel=2)"],
    label="geometric mean of binary preference",
)
def geometric_bpref(rankings: Rankings, rel: Grade = 1) -> Floats:
    """Binary preference, summed up over queries by the geometric mean.

    A value below 0.00001 counts as 0.00001, as in trec_eval.

    >>> measure("GMbpref")(rankings("+-", "-+"))
    array([1., 0.])
    """
    return bpref(rankings, rel=rel)


@geometric_bpref.trace
def geometric_trace(rankings: Rankings, rel: Grade = 1) -> Columns:
    """Each relevant document, the others judged above it, and its part."""
    return trace(rankings, rel)
