"""The binary G measure of trec_eval."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import MONOTONE, Settings
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings


@define(
    "binG",
    undefined="no relevant document is known",
    variants=["binG(rel=2)"],
    label="binary G",
    facts=MONOTONE,
)
def binary_g(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The mean over relevant documents of 1 / log2(2 + the others retrieved before it).

    >>> measure("binG")(rankings("+-+")).round(4)
    array([0.8155])
    """
    found = rankings.relevant(rel)
    return ratio(
        found.sum(1 / np.log2(2.0 + found.rank - found.place)), rankings.relevant_count(rel)
    )


@binary_g.trace
def binary_g_trace(rankings: Rankings, s: Settings) -> Columns:
    """The documents that are not relevant before each relevant one, and its part."""
    found = rankings.relevant(s.rel)
    others = found.rank - found.place
    part = 1 / np.log2(2.0 + others) / rankings.relevant_count(s.rel)[0]
    return {"rank": found.rank, "others before": others, "part": part, "sum": np.cumsum(part)}
