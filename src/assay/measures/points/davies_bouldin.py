"""The index of Davies and Bouldin."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.evidence.views.points import Points
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
    if len(points.clusters) < 2:
        return np.asarray([np.nan])
    return np.asarray([np.mean(_most_similar(points, _radius(points)))])


def _radius(points: Points) -> Floats:
    """The mean distance of the points of each cluster to their mean."""
    apart = points.coordinates() - points.centroids()[points.codes]
    lengths = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    return np.add.reduceat(lengths, points.offsets[:-1]) / points.sizes


def _most_similar(points: Points, radius: Floats) -> Floats:
    means = points.centroids()
    return np.asarray([_worst_similarity(means, radius, cluster) for cluster in range(len(means))])


@davies_bouldin.trace
def davies_bouldin_trace(points: Points) -> Columns:
    """Each cluster: its radius, its likeness to the one most like it, and the mean so far."""
    radius = _radius(points)
    likeness = _most_similar(points, radius)
    return {
        "cluster": list(points.clusters),
        "items": points.sizes,
        "radius": radius,
        "greatest likeness": likeness,
        "mean so far": np.cumsum(likeness) / np.arange(1, len(likeness) + 1),
    }


def _worst_similarity(means: Floats, radius: Floats, cluster: int) -> float:
    """The greatest likeness of a cluster to another one; NaN where their means coincide."""
    gap = np.sqrt(((means - means[cluster]) ** 2).sum(axis=1))
    likeness = ratio(radius + radius[cluster], gap)
    return float(np.delete(likeness, cluster).max())
