"""Purity, inverse purity, matching, and B-cubed, also of overlapping clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.arrays import Floats, Ints, ratio, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Weight
from assay.evidence.views.contingency import Contingency, Memberships
from assay.measures.trace_tables import Lines, running_mean, show_formula

NO_ITEMS = "there are no items"


@define("purity", undefined=NO_ITEMS, standard=True)
def purity(table: Contingency) -> Ratio:
    """The share of the items that have the most frequent class of their cluster.

    It is 1 when every item is a cluster of its own, so it must not be used to choose how many
    clusters to make.

    >>> measure("purity")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.71])
    """
    return Ratio(table.largest_in_cluster.sum(axis=1), table.items)


@define("inverse_purity", undefined=NO_ITEMS)
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
)
def best_matching_accuracy(table: Contingency) -> Ratio:
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


@best_matching_accuracy.trace
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


@define("B3P", aliases=["bcubed_precision"], undefined=NO_ITEMS, label="B-cubed precision")
def bcubed_precision(table: Contingency) -> Floats:
    """The mean over items of the share of the item's cluster that has its class.

    >>> measure("B3P")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.58])
    """
    return _mean_share(table, table.size_of_own_cluster)


@define("B3R", aliases=["bcubed_recall"], undefined=NO_ITEMS, label="B-cubed recall")
def bcubed_recall(table: Contingency) -> Floats:
    """The mean over items of the share of the item's class that is in its cluster.

    >>> measure("B3R")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.57])
    """
    return _mean_share(table, table.size_of_own_class)


@define(
    "B3F",
    aliases=["bcubed", "bcubed_f"],
    undefined=NO_ITEMS,
    variants=["B3F(beta=2)"],
    label="B-cubed F",
    standard=True,
)
def bcubed_f(table: Contingency, beta: Weight = 1) -> Floats:
    """The harmonic mean of B-cubed precision and recall; beta above 1 weights recall more.

    >>> measure("B3F")(clusters("xxxxxo", "xooood", "xxddd")).round(2)
    array([0.58])
    """
    precision, recall = bcubed_precision(table), bcubed_recall(table)
    return Ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall).values


@bcubed_precision.trace
def precision_trace(table: Contingency) -> Columns:
    """Return for each cell its share of the cluster, and the mean over items so far."""
    return _cells(table, "share of the cluster", table.size_of_own_cluster)


@bcubed_recall.trace
def recall_trace(table: Contingency) -> Columns:
    """Return for each cell its share of the class, and the mean over items so far."""
    return _cells(table, "share of the class", table.size_of_own_class)


def _cells(table: Contingency, name: str, whole: Floats) -> Columns:
    share = ratio(table.counts[0], whole[0])
    return {
        "cluster": [table.clusters[each] for each in table.row],
        "class": [table.classes[each] for each in table.column],
        "items": table.counts[0],
        name: share,
        "mean over items so far": running_mean(share, table.counts[0]),
    }


@show_formula(bcubed_f, "(1 + beta²) P R / (beta² P + R)")
def bcubed_f_trace(table: Contingency, s: Settings) -> Lines:
    """Return precision, recall and their weighted harmonic mean."""
    return {
        "P: B3P, mean share of the cluster": bcubed_precision(table)[0],
        "R: B3R, mean share of the class": bcubed_recall(table)[0],
    }


def _mean_share(table: Contingency, whole: Floats) -> Floats:
    shares = np.divide(table.counts**2, whole, out=np.zeros_like(whole), where=whole > 0)
    return ratio(sorted_sum(shares), table.items)


NO_CLUSTER = Undefined(answer="the item is in no cluster")


@define(
    "eB3P",
    undefined=NO_CLUSTER,
    aliases=["extended_bcubed_precision"],
    label="extended B-cubed precision",
)
def extended_precision(members: Memberships) -> Floats:
    """The mean over items in a common cluster of how many shared clusters shared classes justify.

    Two items rightly share as many clusters as they have classes in common. Where nothing
    overlaps it equals B3P.

    >>> measure("eB3P")(memberships(a=("k1", "x"), b=("k1", "x"), c=("k1 k2", "y"))).round(2)
    array([0.67, 0.67, 0.17])
    """
    return _mean(members, lambda clusters, classes: (clusters, classes))


@define(
    "eB3R",
    undefined="the item has no class",
    aliases=["extended_bcubed_recall"],
    label="extended B-cubed recall",
)
def extended_recall(members: Memberships) -> Floats:
    """The mean over items with a common class of how many shared classes shared clusters cover.

    >>> measure("eB3R")(memberships(a=("k1", "x"), b=("k2", "x"), c=("k2", "y"))).round(2)
    array([0.5, 0.5, 1. ])
    """
    return _mean(members, lambda clusters, classes: (classes, clusters))


@define("eB3F", undefined=NO_CLUSTER, variants=["eB3F(beta=2)"], label="extended B-cubed F")
def extended_f(members: Memberships, beta: Weight = 1) -> Floats:
    """The harmonic mean of extended B-cubed precision and recall of each item.

    >>> measure("eB3F")(memberships(a=("k1", "x"), b=("k2", "x"), c=("k2", "y"))).round(2)
    array([0.67, 0.5 , 0.67])
    """
    precision, recall = extended_precision(members), extended_recall(members)
    return Ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall).values


def _mean(
    members: Memberships, whole_and_other: Callable[[Floats, Floats], tuple[Floats, Floats]]
) -> Floats:
    """Return for each item the mean part shared twice, over all items that share anything."""
    means = []
    for clusters, classes in members.shared_counts():
        whole, other = whole_and_other(clusters, classes)
        there = whole > 0
        parts = np.divide(np.minimum(whole, other), whole, out=np.zeros_like(whole), where=there)
        means.append(Ratio(sorted_sum(parts), there.sum(axis=1)).values)
    return np.concatenate(means) if means else np.empty(0)
