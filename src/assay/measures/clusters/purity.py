"""Purity and inverse purity."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.evidence.views.contingency import Contingency

NO_ITEMS = "there are no items"


@define(
    "purity",
    aggregate="whole",
    undefined=NO_ITEMS,
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
    return Ratio(table.largest_in_cluster.sum(axis=1), table.items)


@define(
    "inverse_purity",
    aggregate="whole",
    undefined=NO_ITEMS,
    label="inverse purity",
)
def inverse_purity(table: Contingency) -> Ratio:
    """The share of the items that lies in the cluster which holds most of its class.

    It is 1 when all items are in one cluster: purity with clusters and classes exchanged.

    >>> measure("inverse_purity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    return Ratio(table.largest_in_class.sum(axis=1), table.items)


@purity.trace
def purity_trace(table: Contingency) -> Columns:
    """Each cluster: its size, its commonest class, and how pure it is."""
    sizes, largest = table.cluster_sizes[0], table.largest_in_cluster[0]
    return {
        "cluster": list(table.clusters),
        "items": sizes,
        "commonest class": majority_classes(table),
        "of that class": largest,
        "purity": largest / np.where(sizes, sizes, np.nan),
        "part": largest / sizes.sum(),
        "sum": np.cumsum(largest) / sizes.sum(),
    }


@inverse_purity.trace
def inverse_trace(table: Contingency) -> Columns:
    """Each class: its size, and how many of its items lie together in one cluster."""
    sizes, largest = table.class_sizes[0], table.largest_in_class[0]
    return {
        "class": list(table.classes),
        "items": sizes,
        "in one cluster": largest,
        "part": ratio(largest, sizes.sum()),
        "sum": ratio(np.cumsum(largest), sizes.sum()),
    }


def majority_classes(table: Contingency) -> list[str]:
    """The class that each cluster holds most of; of several, the first by name."""
    order = np.lexsort((table.column, -table.counts[0], table.row))
    firsts = order[np.flatnonzero(np.diff(table.row[order], prepend=-1))]
    names = [""] * len(table.clusters)
    for cell in firsts.tolist():
        names[int(table.row[cell])] = table.classes[int(table.column[cell])]
    return names
