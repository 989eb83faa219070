"""Accuracy under the best matching of clusters to classes."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.evidence.views.contingency import Contingency
from assay.measures.clusters.purity import NO_ITEMS


@define(
    "matching",
    aggregate="whole",
    aliases=["clustering_accuracy", "matching_accuracy", "hungarian"],
    undefined=NO_ITEMS,
    label="best matching accuracy",
)
def matching(table: Contingency) -> Ratio:
    """The share of items in the right cluster when each cluster may stand for one class only.

    Clusters are matched to classes so that as many items as possible are right.

    >>> measure("matching")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    right = [counts[best_matching(table, counts)].sum() for counts in table.counts]
    return Ratio(np.asarray(right), table.items)


def best_matching(table: Contingency, counts: Floats) -> Ints:
    """The cells of the best matching, each cluster and each class at most once."""
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
    """Which cluster stands for which class."""
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
