"""Purity, inverse purity and matching."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.evidence.views.contingency import Contingency

NO_ITEMS = "there are no items"


@define("purity", undefined=NO_ITEMS, label="purity", standard=True)
def purity(table: Contingency) -> Ratio:
    """The share of the items that have the most frequent class of their cluster.

    It is 1 when every item is a cluster of its own, so it must not be used to choose how many
    clusters to make.

    >>> measure("purity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    return Ratio(table.largest_in_cluster.sum(axis=1), table.items)


@define("inverse_purity", undefined=NO_ITEMS, label="inverse purity")
def inverse_purity(table: Contingency) -> Ratio:
    """The share of the items that are in the largest cluster of their class.

    It is 1 when all items are in one cluster: purity with clusters and classes exchanged.

    >>> measure("inverse_purity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    return Ratio(table.largest_in_class.sum(axis=1), table.items)


@purity.trace
def purity_trace(table: Contingency) -> Columns:
    """Return each cluster: its size, its commonest class, and how pure it is."""
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
    """Return each class: its size, and how many of its items lie together in one cluster."""
    sizes, largest = table.class_sizes[0], table.largest_in_class[0]
    return {
        "class": list(table.classes),
        "items": sizes,
        "in one cluster": largest,
        "part": ratio(largest, sizes.sum()),
        "sum": ratio(np.cumsum(largest), sizes.sum()),
    }


def majority_classes(table: Contingency) -> list[str]:
    """Return the class that each cluster holds most of; of several, the first by name."""
    order = np.lexsort((table.column, -table.counts[0], table.row))
    firsts = order[np.flatnonzero(np.diff(table.row[order], prepend=-1))]
    names = [""] * len(table.clusters)
    for cell in firsts.tolist():
        names[int(table.row[cell])] = table.classes[int(table.column[cell])]
    return names


@define(
    "matching",
    aliases=["clustering_accuracy", "matching_accuracy", "hungarian"],
    undefined=NO_ITEMS,
    label="best matching accuracy",
)
def matching(table: Contingency) -> Ratio:
    """The share of correct items under the best one-to-one matching of clusters and classes.

    Clusters are matched to classes so that as many items as possible are right.

    >>> measure("matching")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    right = [counts[best_matching(table, counts)].sum() for counts in table.counts]
    return Ratio(np.asarray(right), table.items)


def best_matching(table: Contingency, counts: Floats) -> Ints:
    """Return the cells of the best matching, each cluster and each class at most once."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # Each cluster may also match a stand-in of its own, at the cost of all that it holds.
    own = np.arange(len(table.clusters))
    top = counts.max(initial=0) + 1
    cost = np.concatenate((top - counts, np.full(len(own), top)))
    row = np.concatenate((table.row, own))
    column = np.concatenate((table.column, len(table.classes) + own))
    graph = csr_array((cost, (row, column)), shape=(len(own), len(table.classes) + len(own)))
    rows, columns = min_weight_full_bipartite_matching(graph)
    chosen = np.full(len(own), -1)
    chosen[rows] = columns
    return np.flatnonzero(chosen[table.row] == table.column)


@matching.trace
def matching_trace(table: Contingency) -> Columns:
    """Return the cluster that is matched to each class."""
    cells = best_matching(table, table.counts[0])
    row, column = table.row[cells], table.column[cells]
    right = table.counts[0, cells]
    return {
        "cluster": [table.clusters[each] for each in row],
        "class": [table.classes[each] for each in column],
        "right": right,
        "in the cluster": table.cluster_sizes[0, row],
        "in the class": table.class_sizes[0, column],
        "right so far": np.cumsum(right),
        "share of all items": ratio(np.cumsum(right), table.items[0]),
    }
