"""INSQ and INST: users who look for an amount of gain."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Flag, Number, Positive
from assay.evidence.views.rankings import Rankings
from assay.measures.usermodels.model import (
    DEPTH,
    USER_MODEL,
    WEIGHTED_USER_MODEL,
    attention_steps,
    expected_rate,
    insq_continuation,
    inst_continuation,
)


@define(
    "INSQ",
    variants=["INSQ(max_rel=1)", "INSQ(max_rel=3)"],
    label="INSQ",
    facts=WEIGHTED_USER_MODEL,
)
def insq(
    rankings: Rankings,
    max_rel: Positive,
    T: Positive = 1,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The gain per document of a user who looks for an amount T of it, whatever is found.

    The chance of going on at rank i is ((i + 2T − 1) / (i + 2T))²: patience grows with depth.

    >>> measure("INSQ(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.235])
    """
    return expected_rate(rankings, insq_continuation(T), max_rel, min_rel, residual, DEPTH)


@insq.trace
def insq_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings, insq_continuation(s.T), s.max_rel, s.min_rel, DEPTH, s.residual
    )


@define(
    "INST",
    variants=["INST(max_rel=1)", "INST(max_rel=3)"],
    label="INST",
    facts=USER_MODEL,
)
def inst(
    rankings: Rankings,
    max_rel: Positive,
    T: Positive = 1,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The gain per document of a user who looks for an amount T of it, and adapts.

    The chance of going on at rank i is ((i + T + t − 1) / (i + T + t))², where t is what is still
    missing of T: finding something makes the user less patient.

    >>> measure("INST(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.273])
    """
    return expected_rate(rankings, inst_continuation(T), max_rel, min_rel, residual, DEPTH)


@inst.trace
def inst_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings, inst_continuation(s.T), s.max_rel, s.min_rel, DEPTH, s.residual
    )
