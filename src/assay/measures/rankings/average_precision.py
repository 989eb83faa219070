"""Average precision."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import Columns, define
from assay.core.parameters import Depth, Grade
from assay.evidence.rankings import Rankings


@define(
    "AP",
    better="higher",
    bounds=(0, 1),
    aliases=["map", "MAP", "map_cut", "average_precision"],
    undefined="no relevant document is known",
    variants=["AP@3", "AP(rel=2)"],
    label="average precision",
    standard=True,
)
def average_precision(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Floats:
    """The mean of the precision at the rank of each relevant document; 0 for those not retrieved.

    The sum is divided by all relevant documents, also when there is a cutoff.

    >>> measure("AP")(rankings("++-+-+------+-")).round(2)
    array([0.76])
    """
    found = rankings.relevant(rel, cutoff)
    return ratio(found.sum(found.place / found.rank), rankings.relevant_count(rel))


@average_precision.trace
def trace(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Columns:
    """The precision at each relevant document, and its part of the average."""
    found = rankings.relevant(rel, cutoff)
    known = rankings.relevant_count(rel)[0]
    precision = found.place / found.rank
    return {
        "rank": found.rank,
        "grade": found.grade,
        "relevant so far": found.place,
        "precision": precision,
        "part": precision / known,
        "sum": np.cumsum(precision / known),
    }
