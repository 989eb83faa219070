"""Distances between points, in blocks so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError, NeedsInput

Distance: TypeAlias = Literal["euclidean", "squared", "cosine", "manhattan"]
Blocks: TypeAlias = tuple[slice, slice, Floats]
"""Some rows, some columns, and the distances between them, which hold until the next block."""
BlockDistances: TypeAlias = Callable[[slice, slice], Floats]
"""Returns the distances between some rows and some columns."""
ACROSS = 1024
"""Points along the side of a block: 8 MB of distances at a time, near the processor."""

PANEL = 262_144
"""Up to so many multiplications OpenBLAS uses one thread."""


def distance_blocks(
    features: Floats | None,
    matrix: Floats | None,
    distance: Distance | None,
    progress: Callable[[float], None] = lambda share: None,
) -> Iterator[Blocks]:
    """Yield the blocks on and above the diagonal; below it they would be the same again."""
    between = _distances_between(features, matrix, distance)
    size = len(features if features is not None else matrix if matrix is not None else ())
    done, every = 0, max(1, -(-size // ACROSS) * (-(-size // ACROSS) + 1) // 2)
    for top in range(0, size, ACROSS):
        rows = slice(top, min(top + ACROSS, size))
        for left in range(top, size, ACROSS):
            columns = slice(left, min(left + ACROSS, size))
            yield rows, columns, between(rows, columns)
            done += 1
            progress(done / every)


def _distances_between(
    features: Floats | None, matrix: Floats | None, distance: Distance | None
) -> BlockDistances:
    if matrix is not None:
        if distance is not None:
            raise NeedsInput(
                f"the distance {distance} needs coordinates, but a matrix of distances was given"
            )
        return lambda rows, columns: matrix[rows, columns]
    if features is None:
        raise NeedsInput("distances need the coordinates of the points")
    match distance or "euclidean":
        case "manhattan":
            return lambda rows, columns: _manhattan(features[rows], features[columns])
        case "cosine":
            return _cosine_distances(unit_vectors(features))
    squared = _squared_distances(features)
    if distance == "squared":
        return squared

    def euclidean(rows: slice, columns: slice) -> Floats:
        """Return the distances between two blocks of points."""
        table = squared(rows, columns)
        return np.sqrt(table, out=table)

    return euclidean


def _squared_distances(features: Floats) -> BlockDistances:
    """Return squared Euclidean distances, by one matrix product around the mean to keep digits.

    Two more columns carry the squared lengths, so that the product is the whole formula. The
    block is written into the same memory each time.
    """
    points = features - features.mean(axis=0)
    squares = np.einsum("ij,ij->i", points, points)[:, None]
    ones = np.ones_like(squares)
    left = np.concatenate((-2 * points, squares, ones), axis=1)
    right = np.concatenate((points, ones, squares), axis=1)
    room = np.empty((ACROSS, ACROSS))

    def block(rows: slice, columns: slice) -> Floats:
        """Return the distances between two blocks of points."""
        table = room[: rows.stop - rows.start, : columns.stop - columns.start]
        _matrix_product(left[rows], right[columns], table)
        return _clip_distances(table, rows, columns)

    return block


def _cosine_distances(directions: Floats) -> BlockDistances:
    """Return 1 less the cosine of the angle between two points, seen from the origin."""

    def block(rows: slice, columns: slice) -> Floats:
        """Return the distances between two blocks of points."""
        table: Floats = directions[rows] @ directions[columns].T
        np.subtract(1, table, out=table)
        return _clip_distances(table, rows, columns)

    return block


def _clip_distances(table: Floats, rows: slice, columns: slice) -> Floats:
    np.maximum(table, 0, out=table)
    if rows == columns:
        np.fill_diagonal(table, 0)
    return table


def _matrix_product(left: Floats, right: Floats, table: Floats) -> None:
    """Every row of one times every row of the other, into the table.

    Narrow ones in panels, so small that the library behind NumPy keeps to one thread: its
    threads cost four times the work here when the machine has anything else to do.
    """
    width = left.shape[1]
    if width > 64:
        np.matmul(left, right.T, out=table)
        return
    across = max(PANEL // (64 * width), 1)
    for top in range(0, len(left), 64):
        some, rows = left[top : top + 64], table[top : top + 64]
        for start in range(0, len(right), across):
            stop = start + across
            np.matmul(some, right[start:stop].T, out=rows[:, start:stop])


def unit_vectors(features: Floats) -> Floats:
    """The points at length 1; refused where a point is the origin, which has no direction."""
    lengths = np.sqrt(np.einsum("ij,ij->i", features, features))
    if not lengths.all():
        row = int(np.flatnonzero(lengths == 0)[0])
        raise DataError(
            f"{np.count_nonzero(lengths == 0)} points have the coordinates 0 throughout (one stands"
            f" {row + 1} places from the first, cluster after cluster): they have no direction,"
            " so there is no cosine; leave them out or choose another distance"
        )
    return features / lengths[:, None]


def _manhattan(one: Floats, two: Floats) -> Floats:
    from scipy.spatial.distance import cdist

    table: Floats = cdist(one, two, "cityblock")
    return table
