"""NERR: users who leave when they are satisfied, with four kinds of patience."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Flag, Number, Positive, Share
from assay.evidence.views.rankings import Rankings
from assay.measures.usermodels.model import (
    DEPTH,
    USER_MODEL,
    attention_steps,
    constant_continuation,
    expected_rate,
    harmonic,
    insq_continuation,
    only_first_gain,
    stop_when_satisfied,
    truncate_at,
)


@define(
    "NERR8",
    variants=["NERR8(max_rel=1)@10", "NERR8(max_rel=3)@10"],
    label="NERR8",
    facts=USER_MODEL.but(sum_over_documents=only_first_gain, fixed_weights=only_first_gain),
)
def nerr8(
    rankings: Rankings,
    max_rel: Positive,
    cutoff: Depth,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The gain per document of a user who leaves satisfied, or at a depth.

    At each document the user leaves with the chance that its gain says.

    >>> measure("NERR8(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.5])
    """
    return expected_rate(
        rankings,
        truncate_at(cutoff, stop_when_satisfied(constant_continuation(1.0))),
        max_rel,
        min_rel,
        residual,
        cutoff,
    )


@nerr8.trace
def nerr8_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings,
        truncate_at(s.cutoff, stop_when_satisfied(constant_continuation(1.0))),
        s.max_rel,
        s.min_rel,
        s.cutoff,
        s.residual,
    )


@define(
    "NERR9",
    variants=["NERR9(max_rel=1)@10", "NERR9(max_rel=3)@10"],
    label="NERR9",
    facts=USER_MODEL.but(sum_over_documents=only_first_gain, fixed_weights=only_first_gain),
)
def nerr9(
    rankings: Rankings,
    max_rel: Positive,
    cutoff: Depth,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """As NERR8, with attention that also falls as 1 / rank.

    >>> measure("NERR9(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.333])
    """
    return expected_rate(
        rankings,
        truncate_at(cutoff, stop_when_satisfied(harmonic)),
        max_rel,
        min_rel,
        residual,
        cutoff,
    )


@nerr9.trace
def nerr9_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings,
        truncate_at(s.cutoff, stop_when_satisfied(harmonic)),
        s.max_rel,
        s.min_rel,
        s.cutoff,
        s.residual,
    )


@define(
    "NERR10",
    variants=["NERR10(max_rel=1)", "NERR10(max_rel=3)"],
    label="NERR10",
    facts=USER_MODEL,
)
def nerr10(
    rankings: Rankings,
    max_rel: Positive,
    p: Share = 0.9,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """As NERR8, with a chance p of going on at each rank in place of a depth.

    >>> measure("NERR10(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.474])
    """
    return expected_rate(
        rankings, stop_when_satisfied(constant_continuation(p)), max_rel, min_rel, residual, DEPTH
    )


@nerr10.trace
def nerr10_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings,
        stop_when_satisfied(constant_continuation(s.p)),
        s.max_rel,
        s.min_rel,
        DEPTH,
        s.residual,
    )


@define(
    "NERR11",
    variants=["NERR11(max_rel=1)", "NERR11(max_rel=3)"],
    label="NERR11",
    facts=USER_MODEL,
)
def nerr11(
    rankings: Rankings,
    max_rel: Positive,
    T: Positive = 1,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """As NERR8, with the patience of INSQ in place of a depth.

    >>> measure("NERR11(max_rel=1)")(rankings("-+-+")).round(3)
    array([0.308])
    """
    return expected_rate(
        rankings, stop_when_satisfied(insq_continuation(T)), max_rel, min_rel, residual, DEPTH
    )


@nerr11.trace
def nerr11_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings,
        stop_when_satisfied(insq_continuation(s.T)),
        s.max_rel,
        s.min_rel,
        DEPTH,
        s.residual,
    )
