"""Normalised discounted cumulative gain."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, define
from assay.core.parameters import Depth, Gain
from assay.evidence.rankings import Rankings
from assay.measures.graded.gain import discount_of, gain_of, ideal_gains


@define(
    "nDCG",
    better="higher",
    bounds=(0, 1),
    aliases=["ndcg", "ndcg_cut", "NDCG", "ndcg_burges(gain=exp)"],
    undefined="no document with a gain is known",
    variants=["nDCG@3", "nDCG(gain=exp)@5", "nDCG(gain={1:0.2,2:0.5,3:0.9})", "nDCG(gain=binary)"],
    label="normalised discounted cumulative gain",
    standard=True,
)
def ndcg(rankings: Rankings, gain: Gain = "grade", cutoff: Depth | None = None) -> Floats:
    """The discounted gain of the list, as a share of that of an ideal list.

    A document of grade g at rank i brings g / log2(i + 1); with ``gain=exp`` it is worth 2^g − 1,
    and a table such as ``gain={1:0.5,2:3}`` sets the worth of each grade. The ideal list has all
    judged documents, best first, cut off at the same depth.

    >>> measure("nDCG@10")(rankings("0213020313|3322222222")).round(2)
    array([0.49])
    """
    found, ideal = rankings.judged(cutoff), ideal_gains(rankings, gain, cutoff)
    gained = found.sum(gain_of(found.grade, gain) * discount_of(found.rank))
    return ratio(gained, ideal.sum(ideal.grade * discount_of(ideal.rank)))


@ndcg.trace
def trace(rankings: Rankings, gain: Gain = "grade", cutoff: Depth | None = None) -> Columns:
    """Rank by rank: gain, discount, DCG, the ideal list's gain and DCG, and their quotient."""
    found, best = rankings.judged(cutoff), ideal_gains(rankings, gain, cutoff)
    depth = int(max(found.rank.max(initial=0), len(best.rank) if cutoff is None else cutoff))
    rank = np.arange(1, depth + 1)
    columns = {"gain": np.zeros(depth), "ideal gain": np.zeros(depth)}
    columns["gain"][found.rank - 1] = gain_of(found.grade, gain)
    columns["ideal gain"][best.rank - 1] = best.grade
    dcg = np.cumsum(columns["gain"] * discount_of(rank))
    ideal = np.cumsum(columns["ideal gain"] * discount_of(rank))
    return {
        "rank": rank,
        "gain": columns["gain"],
        "discount": discount_of(rank),
        "DCG": dcg,
        "ideal gain": columns["ideal gain"],
        "ideal DCG": ideal,
        "nDCG": ratio(dcg, ideal),
    }
