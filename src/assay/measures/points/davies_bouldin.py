"""The index of Davies and Bouldin."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import define
from assay.evidence.points import Points
from assay.measures.points.silhouette import ONE_CLUSTER


@define(
    "DB",
    better="lower",
    bounds=(0, np.inf),
    aggregate="whole",
    aliases=["davies_bouldin", "davies_bouldin_score"],
    undefined=f"{ONE_CLUSTER}, or two clusters have the same mean",
    label="Davies-Bouldin index",
    standard=True,
)
def davies_bouldin(points: Points) -> Floats:
    """The mean over clusters of how much they run into the one that is most like them.

    Likeness is the sum of two radii (mean distances to the mean) over the distance of the means.

    >>> measure("DB")(placed("aabb", [0, 1, 5, 6])).round(2)
    array([0.2])
    """
    means = points.centroids()
    apart = points.coordinates() - means[points.codes]
    lengths = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    radius = np.add.reduceat(lengths, points.offsets[:-1]) / points.sizes
    if len(means) < 2:
        return np.asarray([np.nan])
    worst = [_worst(means, radius, cluster) for cluster in range(len(means))]
    return np.asarray([np.mean(worst)])


def _worst(means: Floats, radius: Floats, cluster: int) -> float:
    """The greatest likeness of a cluster to another one; NaN where their means coincide."""
    gap = np.sqrt(((means - means[cluster]) ** 2).sum(axis=1))
    likeness = ratio(radius + radius[cluster], gap)
    return float(np.delete(likeness, cluster).max())
