"""Drawing units again: how often each unit is in each resample, a block of resamples at a time.

The draws depend on the seed, the number of units and their clusters alone, so that a number never
depends on what else was asked for; and no more than a block of counts is ever in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks

_IN_CACHE = 8
"""Blocks are smaller than memory allows by this, for each is read again for every column."""


def unit_counts(
    units: int, resamples: int, seed: int, clusters: Ints | None = None
) -> Iterator[Floats]:
    """Blocks of resamples × units: how often each unit is drawn.

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
    """The mean of each column in each resample of its rows: resamples × columns.

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
