"""Dunn's index."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import define
from assay.evidence.distances import Distance
from assay.evidence.views.points import Points
from assay.measures.points.silhouette import ONE_CLUSTER


@define(
    "Dunn",
    bounds=(0, np.inf),
    aggregate="whole",
    aliases=["dunn_index"],
    undefined=f"{ONE_CLUSTER}, or no cluster has two different points",
    variants=["Dunn(distance=manhattan)"],
    label="Dunn's index",
)
def dunn(points: Points, distance: Distance | None = None) -> Floats:
    """The least distance between two clusters, as a share of the widest cluster.

    Between clusters the nearest two points count, within a cluster the two farthest apart.

    >>> measure("Dunn")(placed("aabb", [0, 1, 5, 6]))
    array([4.])
    """
    if len(points.clusters) < 2:
        return np.asarray([np.nan])
    least, most = points.extremes(distance)
    apart = least[~np.eye(len(least), dtype=bool)].min()
    return ratio(np.asarray([apart]), np.asarray([np.diag(most).max()]))
