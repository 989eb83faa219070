"""Classes that are often confused, side by side: the order of a matrix, and its clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_uppercase

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.evidence.views.confusion import Confusion
from assay.reports.text.table_text import Rows

OFTEN = 2
MOST_ORDERED = 200
"""Of more classes the tree is not put into its best order, which takes cubic time."""


@dataclass(frozen=True)
class Cluster:
    """Classes that stand together in the matrix, and the mistakes among them."""

    name: str
    """A letter, or a number where letters run out."""
    labels: tuple[str, ...]
    start: int
    """The place of its first class in the matrix."""
    mistakes: float
    share: float
    """Of all mistakes."""
    accuracy: float
    """Of the whole matrix, were these classes one."""

    @property
    def stop(self) -> int:
        """The place after its last class."""
        return self.start + len(self.labels)


@dataclass(frozen=True)
class ClusteredMatrix:
    """A matrix whose classes are ordered by confusion, and the clusters of two classes or more."""

    confusion: Confusion
    clusters: tuple[Cluster, ...]

    def rows(self) -> Rows:
        """A line for each cluster, as text."""
        rows = [["cluster", "classes", "mistakes within", "of all mistakes", "ACC if one class"]]
        for each in self.clusters:
            shares = [f"{each.share:.1%}", f"{each.accuracy:.1%}"]
            rows.append([each.name, " + ".join(each.labels), f"{each.mistakes:g}", *shares])
        return rows


def cluster_confusions(confusion: Confusion) -> ClusteredMatrix:
    """The classes in an order in which those that are confused with each other are adjacent.

    Classes are near if many of their items are confused; the leaves of the tree of average
    distances are put into the order that keeps neighbors nearest. A cluster is a branch whose
    parts are confused at least ``OFTEN`` times as often as two classes of the matrix on average.
    """
    counts = confusion.matrix[0]
    wrong = counts.sum() - counts.trace()
    if len(confusion.labels) < 3 or not wrong:
        return ClusteredMatrix(confusion, ())
    order, groups = _leaf_order(confusability(confusion))
    if order[0] > order[-1]:
        order = order[::-1]
    ordered = confusion.reorder([confusion.labels[place] for place in order])
    return ClusteredMatrix(ordered, _clusters(ordered, [groups[place] for place in order]))


def confusability(confusion: Confusion) -> Floats:
    """For each pair of classes the share of the items of both that was taken for the other."""
    counts = confusion.matrix[0]
    mistaken = counts + counts.T
    totals = counts.sum(axis=1)
    share = np.nan_to_num(ratio(mistaken, totals[:, None] + totals[None, :]))
    np.fill_diagonal(share, 1)
    return np.minimum(share, 1)


def _leaf_order(near: Floats) -> tuple[list[int], list[int]]:
    """The order of the leaves of the tree, and the number of the group of each class."""
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    distance = squareform(1 - near, checks=False)
    tree = linkage(distance, "average")
    if len(near) <= MOST_ORDERED:
        tree = optimal_leaf_ordering(tree, distance)
    groups = fcluster(tree, 1 - OFTEN * (1 - distance.mean()), "distance")
    return leaves_list(tree).tolist(), groups.tolist()


def _clusters(confusion: Confusion, groups: Sequence[int]) -> tuple[Cluster, ...]:
    counts = confusion.matrix[0]
    right, total = float(counts.trace()), float(counts.sum())
    found: list[Cluster] = []
    start = 0
    for _, members in groupby(groups):
        stop = start + len(list(members))
        part = counts[start:stop, start:stop]
        within = float(part.sum() - part.trace())
        if stop - start > 1 and within:
            labels = confusion.labels[start:stop]
            share, merged = within / (total - right), (right + within) / total
            found.append(Cluster(_cluster_name(len(found)), labels, start, within, share, merged))
        start = stop
    return tuple(found)


def _cluster_name(number: int) -> str:
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)
