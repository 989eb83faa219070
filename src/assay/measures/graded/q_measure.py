"""Measures for graded relevance by Sakai: Q, O, P and P+."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, Exemption, define
from assay.core.parameters import Depth, Gain, Weight
from assay.evidence.rankings import Rankings
from assay.measures.graded.blended_ratio import Blend, blend, first_of_best

NO_GAIN = "no document with a gain is known"


@define(
    "Q",
    better="higher",
    bounds=(0, 1),
    aliases=["Q-measure", "Q_measure"],
    undefined=NO_GAIN,
    variants=["Q@3", "Q(beta=10)", "Q(gain={1:1,2:4,3:9})"],
    label="Q-measure",
)
def q_measure(
    rankings: Rankings, gain: Gain = "grade", beta: Weight = 1, cutoff: Depth | None = None
) -> Floats:
    """Average precision for graded relevance: the mean of the blended ratio at each gain.

    The ratio is (C + beta·cg) / (i + beta·cg*) at rank i, with C documents found so far, their
    gain cg, and the gain cg* of the ideal list. With ``beta=0`` it is average precision. With a
    cutoff k the sum is divided by min(R, k), as in NTCIREVAL.

    >>> measure("Q")(rankings("03?2|3322" + "1111")).round(4)
    array([0.0967])
    """
    found = blend(rankings, gain, beta, cutoff)
    total = found.known if cutoff is None else np.minimum(found.known, cutoff)
    return ratio(found.found.sum(found.ratio), total)


@define(
    "O-measure",
    better="higher",
    bounds=(0, 1),
    aliases=["O", "O_measure"],
    undefined=NO_GAIN,
    variants=["O-measure(beta=10)", "O-measure(gain=exp)"],
    label="O-measure",
)
def o_measure(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Floats:
    """The blended ratio at the first document with a gain: reciprocal rank for graded relevance.

    >>> measure("O-measure")(rankings("-2|3")).round(3)
    array([0.429])
    """
    found = blend(rankings, gain, beta)
    at_first = found.found.sum(np.where(found.found.place == 1, found.ratio, 0.0))
    return np.where(found.known > 0, at_first, np.nan)


@define(
    "P-measure",
    better="higher",
    bounds=(0, 1),
    aliases=["P_measure"],
    undefined=NO_GAIN,
    variants=["P-measure(beta=10)", "P-measure(gain=exp)"],
    label="P-measure",
    exempt=[
        Exemption(
            "promotion", "the preferred rank moves up, where less has been found", ("-+2|", 1)
        )
    ],
)
def p_measure(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Floats:
    """The blended ratio at the preferred rank: that of the first of the best documents retrieved.

    >>> measure("P-measure")(rankings("1-3|3")).round(3)
    array([0.6])
    """
    found = blend(rankings, gain, beta)
    preferred = first_of_best(found.found)[found.found.query]
    value = found.found.sum(np.where(found.found.place == preferred, found.ratio, 0.0))
    return np.where(found.known > 0, value, np.nan)


@define(
    "P+",
    better="higher",
    bounds=(0, 1),
    aliases=["P-plus", "P_plus"],
    undefined=NO_GAIN,
    variants=["P+(beta=10)", "P+(gain=exp)"],
    label="P+",
    exempt=[
        Exemption(
            "promotion", "the preferred rank moves up, where less has been found", ("-+2|", 1)
        )
    ],
)
def p_plus(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Floats:
    """The mean of the blended ratio at each document with a gain down to the preferred rank.

    >>> measure("P+")(rankings("1-3|3")).round(3)
    array([0.55])
    """
    found = blend(rankings, gain, beta)
    preferred = first_of_best(found.found)
    above = found.found.place <= preferred[found.found.query]
    total = found.found.sum(np.where(above, found.ratio, 0.0))
    return np.where(found.known > 0, total / np.maximum(preferred, 1), np.nan)


def _table(found: Blend) -> Columns:
    return {
        "rank": found.found.rank,
        "gain": found.found.grade,
        "relevant so far": found.found.place,
        "gain so far": found.gained,
        "ideal gain so far": found.possible,
        "blended ratio": found.ratio,
    }


@q_measure.trace
def q_trace(
    rankings: Rankings, gain: Gain = "grade", beta: Weight = 1, cutoff: Depth | None = None
) -> Columns:
    """The blended ratio at each document with a gain."""
    return _table(blend(rankings, gain, beta, cutoff))


@o_measure.trace
@p_measure.trace
@p_plus.trace
def trace(rankings: Rankings, gain: Gain = "grade", beta: Weight = 1) -> Columns:
    """The blended ratio at each document with a gain, and whether it is the preferred one."""
    found = blend(rankings, gain, beta)
    preferred = first_of_best(found.found)[found.found.query]
    return _table(found) | {"preferred": found.found.place == preferred}
