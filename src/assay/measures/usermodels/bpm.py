"""BPM: a user who stops at a total of gain or of effort."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.core.catalogue import Columns, define
from assay.core.parameters import Depth, Flag, Number, Positive
from assay.evidence.rankings import Rankings
from assay.measures.usermodels.model import content, expected_rate, steps, until


@define(
    "BPM",
    better="higher",
    bounds=(0, 1),
    variants=["BPM(max_rel=1)@10", "BPM(max_rel=3)@10"],
    label="bejeweled player model",
)
def bpm(
    rankings: Rankings,
    max_rel: Positive,
    cutoff: Depth,
    T: Positive = 1,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The gain per document of a user who reads until an amount T of it is found, or to a depth.

    >>> measure("BPM(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.5])
    """
    return expected_rate(rankings, until(cutoff, content(T)), max_rel, min_rel, residual, cutoff)


@bpm.trace
def bpm_trace(
    rankings: Rankings, max_rel: Positive, cutoff: Depth, T: Positive = 1, min_rel: Number = 0
) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return steps(rankings, until(cutoff, content(T)), max_rel, min_rel, cutoff)
