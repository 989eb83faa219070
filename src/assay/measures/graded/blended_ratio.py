"""The blended ratio of precision and cumulated gain, and normalized cumulative utility."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Gain, Share, Weight
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import ideal_gains, one_gain, with_gains
from assay.measures.trace_tables import at_every_rank, list_ranks


@dataclass(frozen=True)
class Blend:
    """The documents with a gain, their precision, and the blended ratio at each."""

    found: Hits
    known: Floats
    """How many documents with a gain there are, for each query."""
    gained: Floats
    possible: Floats
    ratio: Floats


def blended_ratios(rankings: Rankings, gain: Gain, beta: float, cutoff: int | None = None) -> Blend:
    """Return (relevant so far + beta · gain so far) / (rank + beta · ideal gain so far)."""
    listed, ideal = with_gains(rankings.judged(cutoff), gain), ideal_gains(rankings, gain)
    found, best = listed.where(listed.grade > 0), ideal.where(ideal.grade > 0)
    gained = found.total(found.grade)
    possible = best.at(best.total(best.grade), found.query, found.rank)
    value = (found.place + beta * gained) / (found.rank + beta * possible)
    return Blend(found, best.count, gained, possible, value)


def first_maximum(found: Hits) -> Floats:
    """Return the place of each query's first document with the largest gain; 0 if none."""
    top = found.grade == found.highest(found.grade)[found.query]
    return found.highest(np.where(top & (found.running(top) == 1), found.place, 0).astype(float))


Stop = Literal["gu", "rb"]
Utility = Literal["P", "BR"]


def stopping_weights(
    found: Blend, rankings: Rankings, gain: Gain, stop: Stop, gamma: float
) -> Floats:
    """Return how likely a user stops at each document with a gain."""
    place, query = found.found.place, found.found.query
    if stop == "gu":
        best = ideal_gains(rankings, gain)
        return ratio(found.found.grade, best.sum(best.grade)[query])
    whole = np.power(float(gamma), np.arange(int(found.known.max(initial=0))))
    total = np.concatenate(([0.0], np.cumsum(whole)))[found.known.astype(np.int64)]
    return np.power(float(gamma), place - 1) / total[query]


@define(
    "NCU",
    aliases=["NCUgu_P", "NCUgu_BR(utility=BR)", "NCUrb_P(stop=rb)", "NCUrb_BR(stop=rb,utility=BR)"],
    undefined="no document with a gain is known",
    variants=["NCU(utility=BR)", "NCU(stop=rb)", "NCU(stop=rb,utility=BR)", "NCU(gain=exp)"],
    exempt=Exemption(
        "promotion",
        "users stop at the better document, and less has been found higher up",
        ("-+2|", 1),
    ),
    facts=MONOTONE.but(rises_with_order=lambda s, grades: s.stop == "rb" or one_gain(s, grades)),
)
def normalized_cumulative_utility(
    rankings: Rankings,
    gain: Gain = "grade",
    stop: Stop = "gu",
    utility: Utility = "P",
    beta: Weight = 1,
    gamma: Share = 0.95,
) -> Floats:
    """The expected utility of a list for users who stop at one of its documents with a gain.

    They stop at each with a probability in proportion to its gain (``gu``, graded uniform), or
    one that falls by ``gamma`` from one to the next (``rb``, rank-biased); what the list is worth
    down to there is its precision (``P``) or the blended ratio of Q (``BR``).

    >>> measure("NCU")(rankings("03?2|33221111")).round(4)
    array([0.1316])
    """
    found = blended_ratios(rankings, gain, beta)
    worth = found.found.precision if utility == "P" else found.ratio
    weight = stopping_weights(found, rankings, gain, stop, gamma)
    return np.where(found.known > 0, found.found.sum(weight * worth), np.nan)


@normalized_cumulative_utility.trace
def normalized_cumulative_utility_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each rank: how likely users stop there, and what they have had."""
    found, rank = blended_ratios(rankings, s.gain, s.beta), list_ranks(rankings)
    utility = found.found.precision if s.utility == "P" else found.ratio
    stops = stopping_weights(found, rankings, s.gain, s.stop, s.gamma)
    weight, worth = (at_every_rank(rank, found.found, each) for each in (stops, utility))
    return {
        "rank": rank,
        "stops": weight,
        "utility": worth,
        "part": weight * worth,
        "sum": np.cumsum(weight * worth),
    }
