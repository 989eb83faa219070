"""Precision."""

from __future__ import annotations

from assay.core.catalogue import Ratio, Undefined, define
from assay.core.parameters import Depth, Grade
from assay.evidence.rankings import Rankings


@define(
    "P",
    better="higher",
    bounds=(0, 1),
    aliases=["precision", "set_P", "SetP"],
    undefined=Undefined(answer="nothing was retrieved"),
    variants=["P@1", "P@5", "P(rel=2)@3"],
    label="precision",
)
def precision(rankings: Rankings, rel: Grade = 1, cutoff: Depth | None = None) -> Ratio:
    """The share of the retrieved documents that is relevant.

    With a cutoff k the first k places count, and a shorter list is filled up with documents that
    are not relevant; without one the whole list is taken as a set.

    >>> measure("P@3")(rankings("++-+-+")).round(3)
    array([0.667])
    """
    return Ratio(rankings.relevant(rel, cutoff).count, rankings.depth(cutoff))
