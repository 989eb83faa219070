"""Recall."""

from __future__ import annotations

from assay.core.catalogue import Ratio, define
from assay.core.parameters import Depth, Grade
from assay.evidence.rankings import Rankings


@define(
    "R",
    better="higher",
    bounds=(0, 1),
    aliases=["recall", "set_recall", "SetR"],
    undefined="no relevant document is known",
    variants=["R@1", "R@5", "R(rel=2)@3"],
    label="recall",
)
def recall(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the relevant documents that is retrieved, within the cutoff if there is one.

    >>> measure("R@3")(rankings("++-+-+|+")).round(3)
    array([0.4])
    """
    return Ratio(rankings.relevant(rel, cutoff).count, rankings.relevant_count(rel))
