"""Reciprocal rank."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.catalogue import Columns, define
from assay.core.parameters import Depth, Grade
from assay.evidence.rankings import Rankings


@define(
    "RR",
    better="higher",
    bounds=(0, 1),
    aliases=["recip_rank", "mrr", "MRR"],
    undefined="no relevant document is known",
    variants=["RR@2", "RR(rel=2)"],
    label="reciprocal rank",
    standard=True,
)
def reciprocal_rank(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """The inverse of the rank at which the first relevant document stands; 0 where none is found.

    >>> measure("RR")(rankings("--+-")).round(3)
    array([0.333])
    """
    first = rankings.relevant(rel, cutoff).first(empty=np.inf)
    return np.where(rankings.relevant_count(rel) > 0, 1 / first, np.nan)


@reciprocal_rank.trace
def trace(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Columns:
    """The first relevant document, if there is one within the cutoff."""
    rank = rankings.relevant(rel, cutoff).rank[:1]
    return {"rank": rank, "reciprocal": 1 / rank}
