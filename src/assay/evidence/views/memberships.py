"""Memberships: items that may be in several clusters and have several classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.errors import AlignmentError
from assay.core.tables import Assignments
from assay.evidence.column_values import ordered_labels, refuse_empty
from assay.evidence.views.view import View

PAIRS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Memberships(View):
    """Which clusters and which classes each item has; every item is a unit."""

    task: ClassVar[str] = "clustering"
    unit_kind: ClassVar[str] = "item"

    items: tuple[str, ...]
    clusters: tuple[str, ...]
    classes: tuple[str, ...]
    in_cluster: Ints
    """Rows of item and cluster."""
    of_class: Ints
    """Rows of item and class."""

    @property
    def units(self) -> tuple[str, ...]:
        """The items."""
        return self.items

    def ideal(self) -> Self:
        """Return each class a cluster of its own."""
        return replace(self, clusters=self.classes, in_cluster=self.of_class)

    def shared(self) -> Iterator[tuple[Floats, Floats]]:
        """Some items at a time: how many clusters, and how many classes, they share with each."""
        clusters = self._table(self.in_cluster, len(self.clusters))
        classes = self._table(self.of_class, len(self.classes))
        step = max(1, PAIRS_AT_ONCE // max(len(self.items), 1))
        for start in range(0, len(self.items), step):
            some = slice(start, start + step)
            yield (clusters[some] @ clusters.T).toarray(), (classes[some] @ classes.T).toarray()

    def _table(self, pairs: Ints, width: int) -> Any:
        from scipy.sparse import csr_array

        shape = (len(self.items), width)
        return csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)


def build_memberships(assignments: Assignments) -> Memberships:
    """Return the clusters and the classes of each item, of which there may be several."""
    refuse_empty(assignments)
    if "item" not in assignments.frame.columns:
        raise AlignmentError(
            f"{assignments.source.name}: overlapping clusters need the name of each item;"
            " name its column with `item`"
        )
    frame = assignments.frame
    items, item = ordered_labels(frame["item"])
    clusters, row = ordered_labels(frame["cluster"])
    classes, column = ordered_labels(frame["class"])
    return Memberships(
        items, clusters, classes, _distinct_pairs(item, row), _distinct_pairs(item, column)
    )


def _distinct_pairs(item: Ints, label: Ints) -> Ints:
    """Return the distinct pairs of item and label, by item."""
    return np.unique(np.stack((item, label), axis=1), axis=0)
