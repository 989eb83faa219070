"""Cumulated gain of a list: plain, discounted, ideal and normalized."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import WEIGHTED_SUM, Facts, Range, Settings
from assay.core.parameters import Depth, Gain, Grade, Positive
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import (
    Discount,
    Ideal,
    IdealDepth,
    discounted_gain,
    gain_at_ranks,
    grade_gain,
    ideal_gains,
    ideal_list,
    rank_discount,
    with_gains,
)


def _within_scale(s: Settings, grades: Floats) -> bool:
    """Return whether no grade has a higher gain than the highest one of the scale, if given."""
    if s.gmax is None:
        return True
    worth, most = grade_gain(grades, s.gain), grade_gain(np.asarray([float(s.gmax)]), s.gain)
    return bool(np.all(worth <= most))


@define(
    "CG",
    aliases=["cumulative_gain"],
    bounds=(0, math.inf),
    variants=["CG@3", "CG(gain=exp)@5"],
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def cumulated_gain(rankings: Rankings, gain: Gain = "grade", cutoff: Depth | None = None) -> Floats:
    """The sum of the gains of the retrieved documents, within the cutoff if there is one.

    >>> measure("CG")(rankings("323012"))
    array([11.])
    """
    found = with_gains(rankings.judged(cutoff), gain)
    return found.sum(found.grade)


@cumulated_gain.trace
def cumulated_gain_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank, its gain and the sum so far."""
    found = gain_at_ranks(rankings, s.gain, s.cutoff)
    return {"rank": found.rank, "gain": found.grade, "sum": np.cumsum(found.grade)}


@define(
    "nCG",
    aliases=["NCG", "normalized_cumulative_gain"],
    undefined=Undefined(truth="no document with a gain is known", answer="nothing was retrieved"),
    variants=["nCG@3", "nCG(gain=exp)@5", "nCG(gmax=9)@5"],
    facts=WEIGHTED_SUM.but(
        ignores_pool=lambda s, grades: s.gmax is not None, rises_with_grades=_within_scale
    ),
)
def normalized_cumulated_gain(
    rankings: Rankings, gain: Gain = "grade", gmax: Grade | None = None, cutoff: Depth | None = None
) -> Ratio:
    """The cumulated gain, as a share of the maximum.

    That is the gain of the ideal list at the same depth; or, with ``gmax``, of a list whose
    documents all have that grade (with binary relevance and ``gmax=1`` this is the precision).

    >>> measure("nCG(gmax=3)@10")(rankings("0213020313|3322222222"))
    array([0.5])
    >>> measure("nCG@3")(rankings("213|3")).round(3)
    array([0.75])
    """
    gained = cumulated_gain(rankings, gain=gain, cutoff=cutoff)
    if gmax is None:
        best = ideal_gains(rankings, gain, cutoff)
        return Ratio(gained, best.sum(best.grade))
    return Ratio(gained, rankings.depth(cutoff) * grade_gain(np.asarray([float(gmax)]), gain))


@normalized_cumulated_gain.trace
def normalized_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return for each rank and the end its gain, the sum so far, and the maximum."""
    found, best = gain_at_ranks(rankings, s.gain, s.cutoff), ideal_gains(rankings, s.gain, s.cutoff)
    length, deepest = len(found.rank), 0 if s.gmax else int(best.rank.max(initial=0))
    beyond = [end] if (end := s.cutoff or deepest) > length else []
    rank = np.append(found.rank, beyond).astype(np.int64)
    gains = np.append(found.grade, [0.0] * len(beyond))
    if s.gmax is None:
        most = best.at(best.total(best.grade), np.zeros(len(rank), int), rank)
    else:
        most = rank * grade_gain(np.asarray([float(s.gmax)]), s.gain)
    sums = np.cumsum(gains)
    return {"rank": rank, "gain": gains, "sum": sums, "at most": most, "share": ratio(sums, most)}


@define(
    "DCG",
    bounds=(0, math.inf),
    aliases=["dcg", "dcg_score", "dcg_burges(gain=exp)", "discounted-cumulative-gain"],
    variants=["DCG@3", "DCG(gain=exp)@5", "DCG(discount=older)", "DCG(base=10)"],
    facts=WEIGHTED_SUM.but(ignores_pool=True, rises_with_grades=lambda s, grades: s.base > 1),
)
def discounted_cumulative_gain(
    rankings: Rankings,
    gain: Gain = "grade",
    discount: Discount = "standard",
    base: Positive = 2,
    cutoff: Depth | None = None,
) -> Floats:
    """The sum of the gains of the list, each divided by the logarithm of its rank + 1.

    ``discount=older`` is the first published form, R1 + Σ Ri / log2 i: with a logarithm to
    another ``base`` nothing is taken off before that rank. Gains are grades, 2^grade − 1
    (``gain=exp``), or a table such as ``gain={1:0.5,2:3}``. The user model is one of
    positions: attention to a rank does not depend on the documents above it.

    >>> measure("DCG")(rankings("323012")).round(1)
    array([6.9])
    """
    return discounted_gain(with_gains(rankings.judged(cutoff), gain), discount, base)


@define(
    "IDCG",
    better="neither",
    bounds=(0, math.inf),
    aliases=["ideal_dcg", "idcg"],
    variants=["IDCG@3", "IDCG(gain=exp)@5", "IDCG(discount=older)"],
    facts=Facts(unjudged_as_zero=True, rises_with_order=True),
)
def ideal_discounted_cumulative_gain(
    rankings: Rankings,
    gain: Gain = "grade",
    discount: Discount = "standard",
    base: Positive = 2,
    cutoff: Depth | None = None,
) -> Floats:
    """The discounted cumulative gain of all judged documents, best first.

    >>> measure("IDCG")(rankings("323012")).round(1)
    array([7.1])
    """
    return discounted_gain(ideal_gains(rankings, gain, cutoff), discount, base)


def gain_table(listed: Hits, discount: Discount, base: float) -> Columns:
    """Return each document with its gain, its discount and its part of the sum."""
    share = rank_discount(listed.rank, discount, base)
    return {
        "rank": listed.rank,
        "gain": listed.grade,
        "discount": share,
        "part": listed.grade * share,
        "sum": np.cumsum(listed.grade * share),
    }


@discounted_cumulative_gain.trace
def dcg_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank with its part of the sum."""
    return gain_table(gain_at_ranks(rankings, s.gain, s.cutoff), s.discount, s.base)


@ideal_discounted_cumulative_gain.trace
def ideal_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each place of the ideal list with its part of the sum."""
    columns = gain_table(ideal_gains(rankings, s.gain, s.cutoff), s.discount, s.base)
    return {"ideal rank": columns.pop("rank")} | columns


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
    standard=True,
    synonyms={"gains": "gain", "dcg=log2": "gain=grade", "dcg=exp-log2": "gain=exp"},
    facts=WEIGHTED_SUM.but(
        ignores_pool=lambda s, grades: s.ideal == "retrieved",
        sum_over_documents=_judged_ideal,
        fixed_weights=_judged_ideal,
        rises_with_grades=_judged_ideal,
        reads_below_cutoff=lambda s, grades: s.ideal == "retrieved",
    ),
)
def normalized_discounted_cumulative_gain(
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
    gained = discounted_gain(with_gains(rankings.judged(cutoff), gain), discount, base)
    best = ideal_list(rankings, gain, ideal, ideal_depth, cutoff)
    share = ratio(gained, discounted_gain(best, discount, base))
    if ideal == "judged":
        return share
    # A list without any gain is worth 0, unless there was no gain to find.
    known = ideal_gains(rankings, gain)
    return np.where(known.sum(known.grade) > 0, np.nan_to_num(share), np.nan)


@normalized_discounted_cumulative_gain.extremes
def ndcg_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return the range level by level, if a better grade never has a smaller gain."""
    worth = grade_gain(np.append(0.0, grades), s.gain)
    steps = np.diff(worth)
    distinct = steps > 0
    rising = worth[0] == 0 and np.all(steps >= 0) and distinct.any()
    if s.discount != "standard" or s.ideal != "judged" or not rising:
        return None
    from assay.measures.graded.gain_extremes import GainLevels, gain_extremes

    depth = s.cutoff if s.ideal_depth == "cut" else None
    levels = GainLevels(grades[distinct], steps[distinct], s.base, s.cutoff, depth)
    low, high = gain_extremes(rankings, levels)
    return low, high, True


@normalized_discounted_cumulative_gain.trace
def ndcg_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return for each rank gain, discount and DCG, the ideal gain and DCG, and the ratio."""
    found = with_gains(rankings.judged(s.cutoff), s.gain)
    best = ideal_list(rankings, s.gain, s.ideal, s.ideal_depth, s.cutoff)
    depth = int(max(best.rank.max(initial=0), s.cutoff or rankings.retrieved[0]))
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
