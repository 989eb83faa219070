"""Ranks of neighbors in two spaces, a block of points at a time: no matrix of all distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats, Ints
from assay.core.errors import UsageError

BLOCK_CELLS = 4_000_000
"""Distances that are held at a time, in each of the two spaces."""


@dataclass(frozen=True)
class NeighborRanks:
    """The k nearest points of each point in both spaces, and their ranks in the other space."""

    embedded: Ints
    """Points × k: the nearest points in the embedding."""
    ranks_of_embedded: Ints
    """The ranks of these in the original space, from 1."""
    ranks_of_original: Ints
    """The ranks in the embedding of the nearest points in the original space."""
    k: int

    def trustworthiness(self) -> Floats:
        """Return the trustworthiness of each point: whether its new neighbors were neighbors."""
        return self._share_kept(self.ranks_of_embedded)

    def continuity(self) -> Floats:
        """Return the continuity of each point: whether its old neighbors still are."""
        return self._share_kept(self.ranks_of_original)

    def _share_kept(self, ranks: Ints) -> Floats:
        """Return 1 less the excess of the ranks over k, as a share of the largest excess."""
        size = len(ranks)
        excess = np.maximum(ranks - self.k, 0).sum(axis=1)
        return 1 - excess * (2.0 / (self.k * (2.0 * size - 3.0 * self.k - 1.0)))


def neighbor_ranks(
    original: Floats,
    embedded: Floats,
    k: int,
    progress: Callable[[float], None] = lambda share: None,
) -> NeighborRanks:
    """Return the neighbors of all points in both spaces, by Euclidean distance.

    The rank of a neighbor is 1 more than the number of points that are nearer. A point is not its
    own neighbor.
    """
    size = len(original)
    if not 1 <= k < size / 2:
        raise UsageError(
            f"`neighbors` is {k}: a whole number from 1 to below half the {size} items is expected"
        )
    near, ranks_near, ranks_far = (np.empty((size, k), dtype=np.int64) for _ in range(3))
    for rows, first, second in distance_rows(original, embedded):
        in_original, edge_original = _nearest(first, k)
        near[rows], edge_embedded = _nearest(second, k)
        ranks_near[rows] = _ranks(first, near[rows], edge_original)
        ranks_far[rows] = _ranks(second, in_original, edge_embedded)
        progress(rows.stop / size)
    return NeighborRanks(near, ranks_near, ranks_far, k)


def distance_rows(original: Floats, embedded: Floats) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield squared distances of some points to all points in both spaces; infinite to itself."""
    size = len(original)
    step = max(1, min(size, BLOCK_CELLS // size))
    between = _squared_distances(original), _squared_distances(embedded)
    for start in range(0, size, step):
        rows = slice(start, min(start + step, size))
        first, second = (each(rows) for each in between)
        own = np.arange(rows.start, rows.stop)
        first[own - start, own] = second[own - start, own] = np.inf
        yield rows, first, second


def _squared_distances(points: Floats) -> Callable[[slice], Floats]:
    """Return what computes the squared distances of some points to all, around the mean."""
    centered = points - points.mean(axis=0)
    squares = np.einsum("ij,ij->i", centered, centered)
    doubled = np.ascontiguousarray(-2 * centered.T)

    def rows_of(rows: slice) -> Floats:
        """Return the squared distances of some points to all."""
        table: Floats = centered[rows] @ doubled
        table += squares
        table += squares[rows, None]
        return np.maximum(table, 0, out=table)

    return rows_of


def _nearest(table: Floats, k: int) -> tuple[Ints, Floats]:
    """Return the places of the k smallest numbers of each row, and the largest of these."""
    places = np.argpartition(table, k - 1, axis=1)[:, :k]
    return places, np.take_along_axis(table, places, axis=1).max(axis=1)


def _ranks(table: Floats, places: npt.NDArray[np.int64], edge: Floats) -> Ints:
    """Return the ranks of some numbers of each row; up to k where they are within the edge.

    Only what lies beyond the edge is counted: the ranks within do not matter.
    """
    values = np.take_along_axis(table, places, axis=1)
    ranks = np.ones(places.shape, dtype=np.int64)
    for row, column in zip(*np.nonzero(values > edge[:, None]), strict=True):
        ranks[row, column] = 1 + np.count_nonzero(table[row] < values[row, column])
    return ranks
