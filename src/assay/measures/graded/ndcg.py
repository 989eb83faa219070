"""Normalized discounted cumulative gain."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import WEIGHTED_SUM, Range, Settings
from assay.core.parameters import Depth, Gain, Positive
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import (
    Discount,
    discounted_gain,
    gains_within,
    grade_gain,
    ideal_gains,
    rank_discount,
    sort_by_gain,
)
from assay.measures.graded.gain_extremes import GainLevels, gain_extremes

Ideal = Literal["judged", "retrieved"]
IdealDepth = Literal["cut", "whole"]


def ideal_list(
    rankings: Rankings, gain: Gain, ideal: Ideal, ideal_depth: IdealDepth, cutoff: int | None
) -> Hits:
    """Return the list with which the given one is compared."""
    depth = cutoff if ideal_depth == "cut" else None
    if ideal == "judged":
        return ideal_gains(rankings, gain, depth)
    return sort_by_gain(rankings.judged(), gain, depth)


def _judged_ideal(s: Settings, grades: Floats) -> bool:
    return bool(s.ideal == "judged")


@define(
    "nDCG",
    aliases=["ndcg", "ndcg_cut", "NDCG", "MSnDCG", "ndcg_score", "ndcg_burges(gain=exp)"],
    undefined="no document with a gain is known",
    variants=[
        "nDCG@3",
        "nDCG(gain=exp)@5",
        "nDCG(gain={1:0.2,2:0.5,3:0.9})",
        "nDCG(gain=binary)",
        "nDCG(discount=older)@5",
        "nDCG(discount=older,base=10)",
        "nDCG(ideal_depth=whole)@3",
    ],
    label="normalized discounted cumulative gain",
    standard=True,
    synonyms={"gains": "gain", "dcg=log2": "gain=grade", "dcg=exp-log2": "gain=exp"},
    facts=WEIGHTED_SUM.but(
        ignores_pool=lambda s, grades: s.ideal == "retrieved",
        sum_over_documents=_judged_ideal,
        fixed_weights=_judged_ideal,
        rises_with_grades=_judged_ideal,
    ),
)
def ndcg(
    rankings: Rankings,
    gain: Gain = "grade",
    discount: Discount = "standard",
    base: Positive = 2,
    ideal: Ideal = "judged",
    ideal_depth: IdealDepth = "cut",
    cutoff: Depth | None = None,
) -> Floats:
    """The discounted gain of the list, as a share of that of an ideal list.

    A document of grade g at rank i brings g / log2(i + 1); with ``gain=exp`` it is worth 2^g − 1,
    and a table such as ``gain={1:0.5,2:3}`` sets the worth of the grades that it has.
    ``discount=older`` is the first published form. The ideal list has all judged documents, best
    first, cut off at the same depth (``ideal_depth=whole``: not cut off); ``ideal=retrieved``
    sorts the retrieved ones only, which rewards a list that leaves good documents out.

    >>> measure("nDCG@10")(rankings("0213020313|3322222222")).round(2)
    array([0.49])
    >>> measure("nDCG(ideal=retrieved)")(rankings("323012|3")).round(2)
    array([0.96])
    """
    best = ideal_list(rankings, gain, ideal, ideal_depth, cutoff)
    gained = discounted_gain(gains_within(rankings, gain, cutoff), discount, base)
    share = ratio(gained, discounted_gain(best, discount, base))
    if ideal == "judged":
        return share
    # A list without any gain is worth 0, unless there was no gain to find.
    known = ideal_gains(rankings, gain)
    return np.where(known.sum(known.grade) > 0, np.nan_to_num(share), np.nan)


@ndcg.extremes
def ndcg_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return the range level by level, if a better grade never has a smaller gain."""
    worth = grade_gain(np.append(0.0, grades), s.gain)
    steps = np.diff(worth)
    told_apart = steps > 0
    rising = worth[0] == 0 and np.all(steps >= 0) and told_apart.any()
    if s.discount != "standard" or s.ideal != "judged" or not rising:
        return None
    depth = s.cutoff if s.ideal_depth == "cut" else None
    levels = GainLevels(grades[told_apart], steps[told_apart], s.base, s.cutoff, depth)
    low, high = gain_extremes(rankings, levels)
    return low, high, True


@ndcg.trace
def ndcg_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return for each rank gain, discount and DCG, the ideal gain and DCG, and the ratio."""
    found = gains_within(rankings, s.gain, s.cutoff)
    best = ideal_list(rankings, s.gain, s.ideal, s.ideal_depth, s.cutoff)
    depth = int(max(found.rank.max(initial=0), best.rank.max(initial=0), s.cutoff or 0))
    rank = np.arange(1, depth + 1)
    gained, ideal_gained = np.zeros(depth), np.zeros(depth)
    gained[found.rank - 1] = found.grade
    ideal_gained[best.rank - 1] = best.grade
    share = rank_discount(rank, s.discount, s.base)
    dcg, ideal_dcg = np.cumsum(gained * share), np.cumsum(ideal_gained * share)
    return {
        "rank": rank,
        "gain": gained,
        "discount": share,
        "DCG": dcg,
        "ideal gain": ideal_gained,
        "ideal DCG": ideal_dcg,
        "nDCG": ratio(dcg, ideal_dcg),
    }
