"""Discounted cumulative gain, of a list and of the ideal list."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import WEIGHTED_SUM, Facts, Settings
from assay.core.parameters import Depth, Gain, Positive
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import Discount, gains_within, ideal_gains, rank_discount


def discounted_gain(listed: Hits, discount: Discount, base: float) -> Floats:
    """The discounted sum of the gains of each list."""
    return listed.sum(listed.grade * _discounts(listed.rank, discount, base))


def _discounts(rank: Ints, discount: Discount, base: float) -> Floats:
    """The discount at each rank; that of a rank which many lists share is worked out once."""
    depth = rank.max(initial=0)
    if depth > len(rank):
        return rank_discount(rank, discount, base)
    return rank_discount(np.arange(1, depth + 1), discount, base)[rank - 1]


@define(
    "DCG",
    better="higher",
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
    """Each document with its gain, its discount and its part of the sum."""
    share = rank_discount(listed.rank, discount, base)
    return {
        "rank": listed.rank,
        "gain": listed.grade,
        "discount": share,
        "part": listed.grade * share,
        "sum": np.cumsum(listed.grade * share),
    }


@dcg.trace
def trace(rankings: Rankings, s: Settings) -> Columns:
    """Each judged document with its part of the sum."""
    return gain_table(gains_within(rankings, s.gain, s.cutoff), s.discount, s.base)


@ideal_dcg.trace
def ideal_trace(rankings: Rankings, s: Settings) -> Columns:
    """Each place of the ideal list with its part of the sum."""
    columns = gain_table(ideal_gains(rankings, s.gain, s.cutoff), s.discount, s.base)
    return {"ideal rank": columns.pop("rank")} | columns
