"""Contingency: how many items of each class each cluster holds; Memberships: if they overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import AlignmentError
from assay.core.tables import Assignments
from assay.evidence.alike_items import sums_by_row
from assay.evidence.column_values import ordered_labels, refuse_duplicate_keys, refuse_empty
from assay.evidence.labels import merge_orders
from assay.evidence.views.view import NamedSets, View, places_among

_SHUFFLES = 100


@dataclass(frozen=True)
class Contingency(NamedSets):
    """Tables of cluster by class, one per unit, all over the same cells.

    Only the cells that hold an item are kept: 100,000 clusters of as many classes cost no more
    than the items in them.
    """

    task: ClassVar[str] = "clustering"

    names: tuple[str, ...]
    clusters: tuple[str, ...]
    classes: tuple[str, ...]
    row: Ints
    """The cluster of each cell; cells stand row after row."""
    column: Ints
    """The class of each cell."""
    counts: Floats
    """Units × cell."""

    @classmethod
    def of(cls, counts: Floats, clusters: tuple[str, ...], classes: tuple[str, ...]) -> Self:
        """Return one table with clusters in rows."""
        row, column = np.nonzero(counts)
        return cls.of_cells(row, column, counts[row, column], clusters, classes)

    @classmethod
    def of_cells(
        cls,
        row: Ints,
        column: Ints,
        counts: Floats,
        clusters: tuple[str, ...],
        classes: tuple[str, ...],
    ) -> Self:
        """Return one table from its cells, each of which is given once, in any order."""
        order = np.lexsort((column, row))
        numbers = counts[order].astype(np.float64)[None, :]
        return cls(("all",), clusters, classes, row[order], column[order], numbers)

    @property
    def items(self) -> Floats:
        """How many items each table counts."""
        return self.counts.sum(axis=1)

    @property
    def cluster_sizes(self) -> Floats:
        """Units × cluster: how many items each cluster holds."""
        return sums_by_row(self.counts, self.row, len(self.clusters))

    @property
    def class_sizes(self) -> Floats:
        """Units × class: how many items each class has."""
        return sums_by_row(self.counts, self.column, len(self.classes))

    @cached_property
    def shuffled(self) -> Self:
        """A hundred tables of the same sizes, with the classes dealt out at random."""
        counts = np.rint(self.cells).astype(np.int64)
        width = len(self.classes)
        clusters, classes = (np.repeat(each, counts) for each in (self.row, self.column))
        random, cells = np.random.default_rng(1), len(self.clusters) * width
        tables = [
            np.bincount(clusters * width + random.permutation(classes), minlength=cells)
            for _ in range(_SHUFFLES)
        ]
        return replace(
            self,
            names=tuple(map(str, range(_SHUFFLES))),
            row=np.repeat(np.arange(len(self.clusters)), width),
            column=np.tile(np.arange(width), len(self.clusters)),
            counts=np.stack(tables).astype(np.float64),
        )

    @property
    def size_of_own_cluster(self) -> Floats:
        """Units × cell: how many items the cluster of each cell holds."""
        return np.take(self.cluster_sizes, self.row, axis=1)

    @property
    def size_of_own_class(self) -> Floats:
        """Units × cell: how many items the class of each cell has."""
        return np.take(self.class_sizes, self.column, axis=1)

    @property
    def largest_in_cluster(self) -> Floats:
        """Units × cluster: how many items of its commonest class each cluster holds."""
        return _largest(self.counts, self.row, len(self.clusters))

    @property
    def largest_in_class(self) -> Floats:
        """Units × class: how many of its items lie in the cluster that has most of them."""
        return _largest(self.counts, self.column, len(self.classes))

    @property
    def cells(self) -> Floats:
        """The counts of the first table, row after row, as far as they are not 0."""
        return self.counts[0]

    def reweight(self, counts: Floats) -> Self:
        """Return one table for each row of counts, whose entries are the cells row after row."""
        names = ("all",) * len(counts)
        return replace(self, names=names, counts=counts.astype(np.float64))

    def ideal(self) -> Self:
        """Return each class a cluster of its own."""
        own = np.arange(len(self.classes))
        return replace(self, clusters=self.classes, row=own, column=own, counts=self.class_sizes)

    def dense(self) -> Floats:
        """Units × cluster × class, for tables that are known to be small."""
        table = np.zeros((len(self.names), len(self.clusters), len(self.classes)))
        table[:, self.row, self.column] = self.counts
        return table

    def __add__(self, other: Self) -> Self:
        """Return the counts of both, over the clusters and classes of both."""
        clusters, classes = (
            merge_orders(one, two)
            for one, two in ((self.clusters, other.clusters), (self.classes, other.classes))
        )
        places = [each._places(clusters, classes) for each in (self, other)]
        cells, where = np.unique(np.concatenate(places), return_inverse=True)
        both = np.concatenate((self.counts, other.counts), axis=1)
        return replace(
            self,
            clusters=clusters,
            classes=classes,
            row=cells // len(classes),
            column=cells % len(classes),
            counts=sums_by_row(both, where, len(cells)),
        )

    def _places(self, clusters: Sequence[str], classes: Sequence[str]) -> Ints:
        rows, columns = places_among(self.clusters, clusters), places_among(self.classes, classes)
        return rows[self.row] * len(classes) + columns[self.column]


def _largest(counts: Floats, place: Ints, size: int) -> Floats:
    """Return the largest of each unit's counts at each place; 0 where there is none."""
    largest = np.zeros((len(counts), size))
    if len(place):
        order = np.argsort(place, kind="stable")
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        largest[:, place[order][starts]] = np.maximum.reduceat(counts[:, order], starts, axis=1)
    return largest


SPAN = 4_000_000
"""How many possible cells may be counted by their place, without looking any of them up."""
OVERLAP = ". If clusters overlap, ask for the measures that allow it: -m 'eB3P eB3R eB3F'"


def build_contingency(assignments: Assignments) -> Contingency:
    """Return how many items of each class each cluster holds."""
    refuse_empty(assignments)
    frame = assignments.frame
    if "item" in frame.columns and frame["item"].is_duplicated().any():
        refuse_duplicate_keys(assignments, "item", otherwise=OVERLAP)
    cells = _count_integer_cells(frame["cluster"], frame["class"])
    if cells is None:
        cells = frame.group_by("cluster", "class").len("size")
    return count_contingency(cells)


def count_contingency(cells: pl.DataFrame) -> Contingency:
    """Return the table of cells that were counted: cluster, class and size, each once."""
    clusters, row = ordered_labels(cells["cluster"])
    classes, column = ordered_labels(cells["class"])
    sizes: Floats = cells["size"].cast(pl.Float64).to_numpy()
    return Contingency.of_cells(row, column, sizes, clusters, classes)


def _count_integer_cells(clusters: pl.Series, classes: pl.Series) -> pl.DataFrame | None:
    """The cells of two columns of whole numbers in a narrow range; None for any other labels."""
    wide = (pl.Int128, pl.UInt128)  # NumPy has no such numbers
    if not all(each.dtype.is_integer() and each.dtype not in wide for each in (clusters, classes)):
        return None
    low, width = _value_range(clusters)
    base, breadth = _value_range(classes)
    if width * breadth > SPAN:
        return None
    place = clusters.to_numpy().astype(np.int64, copy=False) * breadth
    place += classes.to_numpy().astype(np.int64, copy=False)
    place -= low * breadth + base
    counts = np.bincount(place, minlength=width * breadth)
    found = np.flatnonzero(counts)
    return pl.DataFrame(
        {"cluster": found // breadth + low, "class": found % breadth + base, "size": counts[found]}
    )


def _value_range(labels: pl.Series) -> tuple[int, int]:
    numbers = labels.to_numpy()
    low, high = int(numbers.min()), int(numbers.max())
    return low, high - low + 1


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

    def shared_counts(self) -> Iterator[tuple[Floats, Floats]]:
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
