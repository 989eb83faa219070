"""Units that belong together: their clusters by number, and sums over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.core.arrays import Floats, Ints, sum_at


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
