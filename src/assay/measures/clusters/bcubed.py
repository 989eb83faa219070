"""BCubed precision, recall and F, also of overlapping clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Weight
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.memberships import Memberships
from assay.measures.clusters.purity import NO_ITEMS
from assay.measures.trace_tables import Lines, running_mean, show_formula


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
    for clusters, classes in members.shared():
        whole, other = whole_and_other(clusters, classes)
        there = whole > 0
        parts = np.divide(np.minimum(whole, other), whole, out=np.zeros_like(whole), where=there)
        means.append(Ratio(sorted_sum(parts), there.sum(axis=1)).values)
    return np.concatenate(means) if means else np.empty(0)
