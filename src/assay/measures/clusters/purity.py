"""Purity."""

from __future__ import annotations

from assay.core.catalogue import Ratio, define
from assay.evidence.contingency import Contingency


@define(
    "purity",
    better="higher",
    bounds=(0, 1),
    aggregate="whole",
    undefined="there are no items",
    label="purity",
    standard=True,
)
def purity(table: Contingency) -> Ratio:
    """The share of the items that belongs to the commonest class of its cluster.

    It is 1 when every item is a cluster of its own, so it must not be used to choose how many
    clusters to make.

    >>> measure("purity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    return Ratio(table.counts.max(axis=2, initial=0).sum(axis=1), table.items)
