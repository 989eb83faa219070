"""Contingency: how many items of each class each cluster holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats
from assay.evidence.view import View


@dataclass(frozen=True)
class Contingency(View):
    """Tables of cluster by class, one per unit, all over the same names."""

    task: ClassVar[str] = "clustering"

    names: tuple[str, ...]
    clusters: tuple[str, ...]
    classes: tuple[str, ...]
    counts: Floats
    """Units × cluster × class."""

    @classmethod
    def of(cls, counts: Floats, clusters: tuple[str, ...], classes: tuple[str, ...]) -> Self:
        """One table with clusters in rows."""
        return cls(("all",), clusters, classes, counts[None, :, :])

    @property
    def units(self) -> tuple[str, ...]:
        """The names of the tables."""
        return self.names

    @property
    def items(self) -> Floats:
        """How many items each table counts."""
        return self.counts.sum(axis=(1, 2))

    @property
    def cells(self) -> Floats:
        """The counts of the first table, row after row."""
        return self.counts[0].ravel()

    def reweight(self, counts: Floats) -> Self:
        """One table for each row of counts, whose entries are the cells row after row."""
        names = tuple(f"resample {n}" for n in range(1, len(counts) + 1))
        shape = (-1, len(self.clusters), len(self.classes))
        return replace(self, names=names, counts=counts.reshape(shape).astype(np.float64))

    def ideal(self) -> Self:
        """Each class a cluster of its own."""
        sizes = self.counts.sum(axis=1)
        return replace(
            self, clusters=self.classes, counts=sizes[:, :, None] * np.eye(sizes.shape[1])
        )

    def __add__(self, other: Self) -> Self:
        """The counts of both, over the clusters and classes of both."""
        clusters = tuple(sorted({*self.clusters, *other.clusters}, key=str.encode))
        classes = tuple(sorted({*self.classes, *other.classes}, key=str.encode))
        both = self._spread(clusters, classes) + other._spread(clusters, classes)
        return replace(self, clusters=clusters, classes=classes, counts=both)

    def _spread(self, clusters: tuple[str, ...], classes: tuple[str, ...]) -> Floats:
        rows = np.asarray([clusters.index(name) for name in self.clusters])
        columns = [classes.index(name) for name in self.classes]
        spread = np.zeros((len(self.names), len(clusters), len(classes)))
        spread[:, rows[:, None], columns] = self.counts
        return spread
