"""Normalised discounted cumulative gain averaged over levels of gain (trec_eval)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, Ints, counted, ratio
from assay.core.catalogue import Columns, define
from assay.core.parameters import Gain
from assay.evidence.rankings import Rankings
from assay.measures.graded.gain import gains, ideal_gains
from assay.measures.graded.ndcg_rel import ndcg_at

Last = Literal["trec_eval", "always"]


def points(rankings: Rankings, gain: Gain, last: Last) -> tuple[Ints, Ints, Floats]:
    """The query, the rank and the nDCG of each point at which the measure looks."""
    listed, ideal = gains(rankings, gain), ideal_gains(rankings, gain)
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
    better="higher",
    bounds=(0, 1),
    undefined="no document with a gain is known",
    variants=["Rndcg(last=always)", "Rndcg(gain=exp)"],
    label="nDCG averaged over levels of gain",
)
def r_ndcg(rankings: Rankings, gain: Gain = "grade", last: Last = "trec_eval") -> Floats:
    """The mean of the nDCG at each rank where the gain of the ideal list changes, and at the end.

    The end of the list counts only where it lies below the last of these ranks. trec_eval, from
    which this experimental measure comes, forgets it also where the list is longer by one
    document; that is kept here, and ``last=always`` follows its description.

    >>> [measure(name)(rankings("-+")).round(3) for name in ("Rndcg", "Rndcg(last=always)")]
    [array([0.]), array([0.315])]
    """
    query, _, value = points(rankings, gain, last)
    count = len(rankings.queries)
    return ratio(counted(query, value, count), counted(query, np.ones(len(query)), count))


@r_ndcg.trace
def trace(rankings: Rankings, gain: Gain = "grade", last: Last = "trec_eval") -> Columns:
    """The ranks at which the measure looks, and the nDCG there."""
    _, rank, value = points(rankings, gain, last)
    return {"rank": rank, "nDCG": value}
