"""The G measure of trec_eval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import MONOTONE, Range, Settings
from assay.core.parameters import Gain
from assay.evidence.unjudged.unjudged_documents import Fill, Holes
from assay.evidence.views.rankings import Rankings
from assay.measures.graded.gain import gains_within, grade_gain, ideal_gains, one_gain


def gain_shares(rankings: Rankings, gain: Gain) -> tuple[Floats, Floats, Floats]:
    """Return for each judged document the cost and gain so far, and its part."""
    listed, best = gains_within(rankings, gain), ideal_gains(rankings, gain)
    cost = best.at(best.total(np.maximum(best.grade, 1)), listed.query, listed.rank)
    cost += np.maximum(listed.rank - best.count[listed.query], 0)
    gained = listed.total(listed.grade)
    return cost, gained, listed.grade / np.log2(2 + cost - gained)


@define(
    "G",
    undefined="no document with a gain is known",
    variants=["G(gain=exp)"],
    label="G",
    exempt=[
        Exemption(
            "promotion",
            "earlier gain offsets cost, so the better of two may gain more in second place",
            ("+23|", 1),
        )
    ],
    facts=MONOTONE.but(rises_with_order=one_gain, rises_with_grades=one_gain),
)
def g_measure(rankings: Rankings, gain: Gain = "grade") -> Floats:
    """The sum of gain / log2(2 + cost − gain so far), as a share of all gain.

    Each document costs what the ideal list gains at its rank, and at least 1. An experimental
    measure of trec_eval between average precision and nDCG.

    >>> measure("G")(rankings("-2+")).round(4)
    array([0.6309])
    """
    listed, best = gains_within(rankings, gain), ideal_gains(rankings, gain)
    return ratio(listed.sum(gain_shares(rankings, gain)[2]), best.sum(best.grade))


@g_measure.trace
def g_measure_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each judged document, cost and gain so far, and its part."""
    listed, best = gains_within(rankings, s.gain), ideal_gains(rankings, s.gain)
    cost, gained, part = gain_shares(rankings, s.gain)
    return {
        "rank": listed.rank,
        "gain": listed.grade,
        "cost so far": cost,
        "gain so far": gained,
        "part": ratio(part, best.grade.sum()),
        "sum": np.cumsum(ratio(part, best.grade.sum())),
    }


@g_measure.extremes
def g_measure_range(rankings: Rankings, grades: Floats, s: Settings) -> Range | None:
    """Return outer bounds: at least the known gain, with all unjudged in the ideal list.

    Cost is never below the gain so far, so a part is never above its gain, and the whole never
    above the share of all gain that is found, which is greatest with all holes at the best grade.
    """
    if isinstance(s.gain, tuple):
        return None
    holes, best = Holes(rankings), float(grades[-1])
    everyone, count = np.arange(len(holes.count)), holes.count
    fill = Fill(everyone, everyone, everyone, count, best, best)
    low = g_measure(replace(holes.empty_lists_with(fill), hits=holes.bare.hits), gain=s.gain)
    listed, ideal = gains_within(rankings, s.gain), ideal_gains(rankings, s.gain)
    more = count * grade_gain(grades[-1:], s.gain)
    high = ratio(listed.sum(listed.grade) + more, ideal.sum(ideal.grade) + more)
    return low, np.minimum(high, 1.0), False
