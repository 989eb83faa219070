"""Cumulated gain, with and without a discount, of a list and of the ideal list."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import WEIGHTED_SUM, Facts, Settings
from assay.core.parameters import Depth, Gain, Grade, Positive
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import (
    Discount,
    discounted_gain,
    gains_within,
    grade_gain,
    ideal_gains,
    rank_discount,
)
from assay.measures.rankings.precision_recall import steps_to_end


def _within_scale(s: Settings, grades: Floats) -> bool:
    """Return whether no grade has a higher gain than the highest one of the scale, if given."""
    if s.gmax is None:
        return True
    worth, most = grade_gain(grades, s.gain), grade_gain(np.asarray([float(s.gmax)]), s.gain)
    return bool(np.all(worth <= most))


@define(
    "CG",
    bounds=(0, math.inf),
    variants=["CG@3", "CG(gain=exp)@5"],
    label="cumulated gain",
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def cumulated_gain(rankings: Rankings, gain: Gain = "grade", cutoff: Depth | None = None) -> Floats:
    """The sum of the gains of the retrieved documents, within the cutoff if there is one.

    >>> measure("CG")(rankings("323012"))
    array([11.])
    """
    found = gains_within(rankings, gain, cutoff)
    return found.sum(found.grade)


@cumulated_gain.trace
def cumulated_gain_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each judged document, its gain and the sum so far."""
    found = gains_within(rankings, s.gain, s.cutoff)
    return {"rank": found.rank, "gain": found.grade, "sum": np.cumsum(found.grade)}


@define(
    "nCG",
    aliases=["NCG"],
    undefined=Undefined(truth="no document with a gain is known", answer="nothing was retrieved"),
    variants=["nCG@3", "nCG(gain=exp)@5", "nCG(gmax=9)@5"],
    label="normalized cumulated gain",
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
    """Return for each judged document and the end the sum so far, and the maximum."""
    found, best = gains_within(rankings, s.gain, s.cutoff), ideal_gains(rankings, s.gain, s.cutoff)
    end = s.cutoff or int(max(rankings.retrieved[0], 0 if s.gmax else best.rank.max(initial=0)))
    rank, place = steps_to_end(found, end)
    if s.gmax is None:
        most = best.at(best.total(best.grade), np.zeros(len(rank), int), rank)
    else:
        most = rank * grade_gain(np.asarray([float(s.gmax)]), s.gain)
    sums = np.append(0.0, np.cumsum(found.grade))[place]
    return {"rank": rank, "sum": sums, "at most": most, "share": ratio(sums, most)}


@define(
    "DCG",
    bounds=(0, math.inf),
    aliases=["dcg", "dcg_score", "dcg_burges(gain=exp)"],
    variants=["DCG@3", "DCG(gain=exp)@5", "DCG(discount=older)", "DCG(base=10)"],
    label="discounted cumulative gain",
    facts=WEIGHTED_SUM.but(ignores_pool=True, rises_with_grades=lambda s, grades: s.base > 1),
)
def dcg(
    rankings: Rankings,
    gain: Gain = "grade",
    discount: Discount = "standard",
    base: Positive = 2,
    cutoff: Depth | None = None,
) -> Floats:
    """The sum of the gains of the list, each divided by the logarithm of its rank + 1.

    ``discount=older`` is the first published form, R1 + Σ Ri / log2 i: with a logarithm to
    another ``base`` nothing is taken off before that rank. Gains are grades, 2^grade − 1
    (``gain=exp``), or a table such as ``gain={1:0.5,2:3}``.

    >>> measure("DCG")(rankings("323012")).round(1)
    array([6.9])
    """
    return discounted_gain(gains_within(rankings, gain, cutoff), discount, base)


@define(
    "IDCG",
    better="neither",
    bounds=(0, math.inf),
    aliases=["ideal_dcg", "idcg"],
    variants=["IDCG@3", "IDCG(gain=exp)@5", "IDCG(discount=older)"],
    label="ideal discounted cumulative gain",
    facts=Facts(unjudged_as_zero=True, rises_with_order=True),
)
def ideal_dcg(
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


@dcg.trace
def dcg_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each judged document with its part of the sum."""
    return gain_table(gains_within(rankings, s.gain, s.cutoff), s.discount, s.base)


@ideal_dcg.trace
def ideal_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each place of the ideal list with its part of the sum."""
    columns = gain_table(ideal_gains(rankings, s.gain, s.cutoff), s.discount, s.base)
    return {"ideal rank": columns.pop("rank")} | columns
