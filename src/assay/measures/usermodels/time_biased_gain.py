"""Time-biased gain and the U-measure: gain that falls with the time or the text read before it."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, WEIGHTED_SUM, Settings
from assay.core.parameters import Depth, Grade, Positive, Share, Weight
from assay.evidence.views.rankings import Hits, Rankings


def _seconds(
    rankings: Rankings, rel: float, length: float, clicked: tuple[float, float]
) -> tuple[Hits, Floats]:
    """Return the relevant documents, and the time at which a user comes to each."""
    found = rankings.relevant(rel)
    above = found.place - 1
    others = found.rank - 1 - above
    reading = 0.018 * length + 7.8
    return found, 4.4 * (found.rank - 1) + reading * (above * clicked[0] + others * clicked[1])


@define(
    "TBG",
    bounds=(0, np.inf),
    variants=["TBG(halflife=60)", "TBG(length=200,rel=2)"],
    label="time-biased gain",
    facts=MONOTONE.but(ignores_pool=True),
)
def time_biased_gain(
    rankings: Rankings,
    rel: Grade = 1,
    halflife: Positive = 224,
    length: Weight = 500,
    clicked: Share = 0.64,
    clicked_other: Share = 0.39,
    saved: Share = 0.77,
) -> Floats:
    """The gain of a user whose patience halves every so many seconds.

    A summary takes 4.4 seconds, a document 7.8 and 0.018 for each of its words (``length``, the
    same for all); relevant ones are opened with the chance ``clicked``, others with
    ``clicked_other``, and an opened relevant one brings its gain with the chance ``saved``.

    >>> measure("TBG")(rankings("+-+")).round(3)
    array([0.947])
    """
    found, time = _seconds(rankings, rel, length, (clicked, clicked_other))
    return found.sum(clicked * saved * np.exp2(-time / halflife))


@time_biased_gain.trace
def time_biased_gain_trace(rankings: Rankings, s: Settings) -> Columns:
    """Return each relevant document with the time at which it is reached and its gain."""
    found, time = _seconds(rankings, s.rel, s.length, (s.clicked, s.clicked_other))
    left = np.exp2(-time / s.halflife)
    part = s.clicked * s.saved * left
    return {"rank": found.rank, "seconds": time, "left": left, "part": part, "sum": np.cumsum(part)}


@define(
    "U",
    bounds=(0, np.inf),
    aliases=["U-measure", "U_measure"],
    variants=["U(max_rel=3)", "U(length=500)@5"],
    label="U-measure",
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def u_measure(
    rankings: Rankings,
    max_rel: Positive = 1,
    reach: Positive = 132000,
    length: Weight = 2000,
    cutoff: Depth | None = None,
) -> Floats:
    """The gain over the text that a user reads, falling to 0 after so many characters.

    Every document counts ``length`` characters; what ends at position x keeps 1 − x / reach of its
    gain (2^grade − 1) / 2^max_rel.

    >>> measure("U(reach=10000)")(rankings("+-+")).round(3)
    array([0.6])
    """
    found = rankings.judged(cutoff)
    gain = (np.exp2(np.clip(found.grade, 0, max_rel)) - 1) / np.exp2(max_rel)
    return found.sum(gain * np.maximum(0, 1 - ratio(found.rank * length, reach)))
