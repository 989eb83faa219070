"""Normalised cumulative utility."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Gain, Share, Weight
from assay.evidence.views.rankings import Rankings
from assay.measures.graded.blended_ratio import Blend, blended_ratios
from assay.measures.graded.gain import ideal_gains, one_gain

Stop = Literal["gu", "rb"]
Utility = Literal["P", "BR"]


def stopping_weights(
    found: Blend, rankings: Rankings, gain: Gain, stop: Stop, gamma: float
) -> Floats:
    """How likely a user stops at each document with a gain."""
    place, query = found.found.place, found.found.query
    if stop == "gu":
        best = ideal_gains(rankings, gain)
        return ratio(found.found.grade, best.sum(best.grade)[query])
    whole = np.power(float(gamma), np.arange(int(found.known.max(initial=0))))
    total = np.concatenate(([0.0], np.cumsum(whole)))[found.known.astype(np.int64)]
    return np.power(float(gamma), place - 1) / total[query]


@define(
    "NCU",
    aliases=[
        "NCUgu_P",
        "NCUgu_BR(utility=BR)",
        "NCUrb_P(stop=rb)",
        "NCUrb_BR(stop=rb,utility=BR)",
    ],
    undefined="no document with a gain is known",
    variants=["NCU(utility=BR)", "NCU(stop=rb)", "NCU(stop=rb,utility=BR)", "NCU(gain=exp)"],
    label="normalised cumulative utility",
    exempt=[
        Exemption(
            "promotion",
            "users stop at the better document, and higher up less has been found",
            ("-+2|", 1),
        )
    ],
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
    """What a list is worth to users who stop at one of its documents with a gain.

    They stop at each with a probability in proportion to its gain (``gu``, graded uniform), or
    one that falls by ``gamma`` from one to the next (``rb``, rank-biased); what the list is worth
    down to there is its precision (``P``) or the blended ratio of Q (``BR``).

    >>> measure("NCU")(rankings("03?2|33221111")).round(4)
    array([0.1316])
    """
    found = blended_ratios(rankings, gain, beta)
    worth = found.precision if utility == "P" else found.ratio
    weight = stopping_weights(found, rankings, gain, stop, gamma)
    return np.where(found.known > 0, found.found.sum(weight * worth), np.nan)


@normalized_cumulative_utility.trace
def normalized_cumulative_utility_trace(rankings: Rankings, s: Settings) -> Columns:
    """Each document with a gain: how likely users stop there, and what they have had."""
    found = blended_ratios(rankings, s.gain, s.beta)
    worth = found.precision if s.utility == "P" else found.ratio
    weight = stopping_weights(found, rankings, s.gain, s.stop, s.gamma)
    return {
        "rank": found.found.rank,
        "stops": weight,
        "utility": worth,
        "part": weight * worth,
        "sum": np.cumsum(weight * worth),
    }
