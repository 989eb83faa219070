"""B-cubed for items that are in several clusters, or have several classes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.arrays import Floats, sorted_sum
from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Weight
from assay.evidence.views.memberships import Memberships

NO_CLUSTER = Undefined(answer="the item is in no cluster")


@define(
    "eB3P",
    undefined=NO_CLUSTER,
    aliases=["extended_bcubed_precision"],
    label="extended B-cubed precision",
)
def extended_precision(members: Memberships) -> Floats:
    """The mean over the items in a common cluster of how rightly they share as many clusters.

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
    """The mean over the items with a common class of how many of their classes share a cluster.

    >>> measure("eB3R")(memberships(a=("k1", "x"), b=("k2", "x"), c=("k2", "y"))).round(2)
    array([0.5, 0.5, 1. ])
    """
    return _mean(members, lambda clusters, classes: (classes, clusters))


@define(
    "eB3F",
    undefined=NO_CLUSTER,
    variants=["eB3F(beta=2)"],
    label="extended B-cubed F",
)
def extended_f(members: Memberships, beta: Weight = 1) -> Floats:
    """Extended B-cubed precision and recall of each item in one number.

    >>> measure("eB3F")(memberships(a=("k1", "x"), b=("k2", "x"), c=("k2", "y"))).round(2)
    array([0.67, 0.5 , 0.67])
    """
    precision, recall = extended_precision(members), extended_recall(members)
    return Ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall).values


def _mean(
    members: Memberships, whole_and_other: Callable[[Floats, Floats], tuple[Floats, Floats]]
) -> Floats:
    """For each item the mean, over all that share anything with it, of the part shared twice."""
    means = []
    for clusters, classes in members.shared():
        whole, other = whole_and_other(clusters, classes)
        there = whole > 0
        parts = np.divide(np.minimum(whole, other), whole, out=np.zeros_like(whole), where=there)
        means.append(Ratio(sorted_sum(parts), there.sum(axis=1)).values)
    return np.concatenate(means) if means else np.empty(0)
