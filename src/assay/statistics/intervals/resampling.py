"""Resampling of units or clusters of units, a block of resamples at a time.

The draws depend on the seed, the number of units and their clusters alone, so that a number never
depends on which other numbers are computed; no more than a block of counts is in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks, sum_at

_IN_CACHE = 8
"""Blocks are this much smaller than memory allows: each is read again for every column."""


def unit_counts(
    units: int, resamples: int, seed: int, clusters: Ints | None = None
) -> Iterator[Floats]:
    """Yield blocks of resamples × units: how often each unit is drawn.

    With ``clusters`` (the number of the cluster of each unit) whole clusters are drawn.
    """
    drawn = units if clusters is None else int(clusters.max()) + 1
    random = np.random.default_rng(seed)
    for rows in row_blocks(resamples, _IN_CACHE * max(units, drawn)):
        chosen = random.integers(0, drawn, size=(rows, drawn))
        counts = np.empty((rows, drawn))
        for row in range(rows):  # one at a time, for its counts fit the processor's cache
            counts[row] = np.bincount(chosen[row], minlength=drawn)
        yield counts if clusters is None else counts[:, clusters]


def resampled_means(
    columns: Floats, resamples: int, seed: int, clusters: Ints | None = None
) -> Floats:
    """Return the mean of each column in each resample of its rows: resamples × columns.

    Each column is multiplied on its own, and not by BLAS: a product of matrices may round
    differently when it has more columns, or more threads.
    """
    if not columns.size:
        return np.empty((0, columns.shape[1]))
    apart = np.ascontiguousarray(columns.T)
    parts = []
    for counts in unit_counts(len(columns), resamples, seed, clusters):
        sums = np.stack([np.einsum("ij,j->i", counts, column) for column in apart], axis=1)
        parts.append(sums / (len(columns) if clusters is None else counts.sum(axis=1)[:, None]))
    return np.concatenate(parts)


def cluster_numbers(units: Sequence[str], clusters: Mapping[str, str]) -> Ints:
    """Return the number of the cluster of each unit; a unit without one is a cluster of its own."""
    names = [clusters.get(unit, f"\0{unit}") for unit in units]
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def by_cluster(columns: Floats, clusters: Ints | None) -> Floats:
    """Return the sum of each column in each cluster; the columns themselves without clusters."""
    if clusters is None:
        return columns
    size = int(clusters.max(initial=-1)) + 1
    return np.stack([sum_at(clusters, column, size) for column in columns.T], axis=1)
