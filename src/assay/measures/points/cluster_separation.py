"""Compactness and separation of clusters: silhouette, Davies-Bouldin and Dunn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import CELLS_AT_ONCE, Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.evidence.distances import Distance, unit_vectors
from assay.evidence.views.points import Points
from assay.measures.trace_tables import running_mean

ONE_CLUSTER = "there is only one cluster"
Form: TypeAlias = Literal["usual", "lecture", "simplified"]


@define(
    "silhouette",
    bounds=(-1, 1),
    unit="item",
    aliases=["silhouette_score", "silhouette_samples", "silhouette-index"],
    undefined=ONE_CLUSTER,
    variants=[
        "silhouette(form=lecture)",
        "silhouette(form=simplified)",
        "silhouette(distance=squared)",
        "silhouette(distance=cosine)",
        "silhouette(distance=manhattan)",
    ],
    standard=True,
)
def silhouette(points: Points, form: Form = "usual", distance: Distance | None = None) -> Floats:
    """How much closer a point is to its own cluster than to the nearest other: from −1 to 1.

    (b − a) / max(a, b), where a is the mean distance to the other points of its own cluster and b
    the least mean distance to the points of another one. ``form=lecture`` divides a by all points
    of the cluster, the point itself included; ``form=simplified`` takes the distances to the means
    of the clusters. A point alone in its cluster scores 0. The distance is Euclidean unless stated
    otherwise, or the given one; with ``distance=squared`` there is an exact closed form whose work
    grows with points times clusters, not with the square of the points.

    >>> measure("silhouette")(placed("aab", [0, 1, 5])).round(2)
    array([0.8 , 0.75, 0.  ])
    >>> measure("silhouette(form=lecture)")(placed("aab", [0, 1, 5])).round(3)
    array([0.9  , 0.875, 0.   ])
    """
    if len(points.clusters) < 2:
        return np.full(len(points.items), np.nan)
    parts = [_widths(*own_and_next) for own_and_next in _distances(points, form, distance)]
    single = np.repeat(points.sizes == 1, points.sizes)
    return np.where(single, 0.0, np.concatenate(parts))


def _widths(own: Floats, nearest: Floats) -> Floats:
    """Return the silhouettes; 0 where both distances are 0."""
    larger = np.maximum(own, nearest)
    return np.divide(nearest - own, larger, out=np.zeros_like(own), where=larger > 0)


def _distances(
    points: Points, form: Form, distance: Distance | None
) -> Iterator[tuple[Floats, Floats]]:
    """Yield for blocks of points the distances to their own and to the nearest other cluster."""
    sizes, codes = points.sizes, points.codes
    divisor = np.maximum(sizes - (form == "usual"), 1)
    for rows, sums in _sums(points, form, distance):
        place = np.arange(len(sums)), codes[rows]
        if form == "simplified":
            means, own = sums, sums[place]
        else:
            means, own = sums / sizes, sums[place] / divisor[codes[rows]]
        means[place] = np.inf
        yield own, means.min(axis=1)


def _sums(points: Points, form: Form, distance: Distance | None) -> Iterator[tuple[slice, Floats]]:
    """Yield for blocks of points the sum of distances to each cluster, or those to its mean."""
    size, width = len(points.items), len(points.clusters)
    step = max(1, CELLS_AT_ONCE // width)
    spans = [slice(start, min(start + step, size)) for start in range(0, size, step)]
    if form == "simplified":
        yield from ((rows, distances_to_means(points, rows, distance)) for rows in spans)
    elif distance == "squared":
        inside = within_squares(points)
        for rows in spans:
            yield rows, distances_to_means(points, rows, "squared") * points.sizes + inside
    else:
        sums = points.distance_sums(distance)
        yield from ((rows, sums[rows].copy()) for rows in spans)


def distances_to_means(points: Points, rows: slice, distance: Distance | None) -> Floats:
    """Return points × cluster: the distance of each point to the mean of each cluster."""
    from scipy.spatial.distance import cdist

    some, means = points.coordinates()[rows], points.centroids()
    if distance == "manhattan":
        return cdist(some, means, "cityblock")
    if distance == "cosine":
        shift = points.original_coordinates().mean(axis=0)
        return 1 - unit_vectors(some + shift) @ unit_vectors(means + shift).T
    squares = np.einsum("ij,ij->i", some, some)[:, None] + np.einsum("ij,ij->i", means, means)
    table: Floats = np.maximum(squares - 2 * (some @ means.T), 0)
    return table if distance == "squared" else np.sqrt(table)


def within_squares(points: Points) -> Floats:
    """Return for each cluster the sum of squared distances of its points to their mean."""
    apart = points.coordinates() - points.centroids()[points.codes]
    squares = np.einsum("ij,ij->i", apart, apart)
    return np.add.reduceat(squares, points.offsets[:-1])


@silhouette.trace
def silhouette_trace(points: Points, s: Settings) -> Columns:
    """Return for each cluster the mean and lowest silhouette, and the share below 0."""
    widths = silhouette(points, form=s.form, distance=s.distance)
    starts, means = points.offsets[:-1], np.add.reduceat(widths, points.offsets[:-1]) / points.sizes
    return {
        "cluster": list(points.clusters),
        "items": points.sizes,
        "silhouette": means,
        "least": np.minimum.reduceat(widths, starts),
        "share below 0": np.add.reduceat((widths < 0).astype(float), starts) / points.sizes,
        "mean so far": running_mean(means, points.sizes.astype(np.float64)),
    }


@define(
    "DB",
    better="lower",
    bounds=(0, np.inf),
    aliases=["davies_bouldin", "davies_bouldin_score"],
    undefined=f"{ONE_CLUSTER}, or two clusters have the same mean",
    label="Davies-Bouldin index",
    standard=True,
)
def davies_bouldin(points: Points) -> Floats:
    """The mean over clusters of the similarity to the most similar other cluster.

    Likeness is the sum of two radii (mean distances to the mean) over the distance of the means.

    >>> measure("DB")(placed("aabb", [0, 1, 5, 6])).round(2)
    array([0.2])
    """
    if len(points.clusters) < 2:
        return np.asarray([np.nan])
    return np.asarray([np.mean(_most_similar(points, _radius(points)))])


def _radius(points: Points) -> Floats:
    """Return the mean distance of the points of each cluster to their mean."""
    apart = points.coordinates() - points.centroids()[points.codes]
    lengths = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    return np.add.reduceat(lengths, points.offsets[:-1]) / points.sizes


def _most_similar(points: Points, radius: Floats) -> Floats:
    means = points.centroids()
    return np.asarray([_worst_similarity(means, radius, cluster) for cluster in range(len(means))])


@davies_bouldin.trace
def davies_bouldin_trace(points: Points) -> Columns:
    """Return for each cluster its radius, its largest similarity, and the mean so far."""
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
    """Return the greatest likeness of a cluster to another one; NaN where their means coincide."""
    gap = np.sqrt(((means - means[cluster]) ** 2).sum(axis=1))
    likeness = ratio(radius + radius[cluster], gap)
    return float(np.delete(likeness, cluster).max())


@define(
    "Dunn",
    bounds=(0, np.inf),
    aliases=["dunn_index"],
    undefined=f"{ONE_CLUSTER}, or no cluster has two different points",
    variants=["Dunn(distance=manhattan)"],
    label="Dunn's index",
)
def dunn(points: Points, distance: Distance | None = None) -> Floats:
    """The smallest distance between two clusters, divided by the largest cluster diameter.

    Between clusters the nearest two points count, within a cluster the two farthest apart.

    >>> measure("Dunn")(placed("aabb", [0, 1, 5, 6]))
    array([4.])
    """
    if len(points.clusters) < 2:
        return np.asarray([np.nan])
    least, most = points.extremes(distance)
    apart = least[~np.eye(len(least), dtype=bool)].min()
    return ratio(np.asarray([apart]), np.asarray([np.diag(most).max()]))
