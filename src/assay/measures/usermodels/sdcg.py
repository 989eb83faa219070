"""SDCG: discounted gain without an ideal list."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Depth, Flag, Number, Positive
from assay.evidence.views.rankings import Rankings
from assay.measures.usermodels.model import (
    WEIGHTED_USER_MODEL,
    attention_steps,
    discounting,
    expected_rate,
    truncate_at,
)


@define(
    "SDCG",
    better="higher",
    bounds=(0, 1),
    variants=["SDCG(max_rel=1)@10", "SDCG(max_rel=3)@10"],
    synonyms={"dcg=log2": ""},
    label="scaled discounted cumulative gain",
    facts=WEIGHTED_USER_MODEL,
)
def sdcg(
    rankings: Rankings,
    max_rel: Positive,
    cutoff: Depth,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The discounted gain, as a share of what a list of best documents would bring.

    The attention at rank i is 1 / log2(i + 1), scaled to add up to 1 at the cutoff; there is no
    ideal list.

    >>> measure("SDCG(max_rel=1)@10")(rankings("-+-+")).round(3)
    array([0.234])
    """
    return expected_rate(
        rankings, truncate_at(cutoff, discounting), max_rel, min_rel, residual, cutoff
    )


@sdcg.trace
def sdcg_trace(rankings: Rankings, s: Settings) -> Columns:
    """Rank by rank: gain, chance of going on, attention and their product."""
    return attention_steps(
        rankings, truncate_at(s.cutoff, discounting), s.max_rel, s.min_rel, s.cutoff, s.residual
    )
