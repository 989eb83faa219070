"""Within and between clusters: sums of squares, mean distances and similarities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.evidence.distances import Distance, unit_vectors
from assay.evidence.views.points import Points
from assay.measures.points.cluster_separation import ONE_CLUSTER, within_squares
from assay.measures.trace_tables import Lines, show_formula

EVERYWHERE = (0, np.inf)


@define("WSS", better="lower", bounds=EVERYWHERE, aliases=["inertia", "within_squares"])
def sum_of_squares_within_clusters(points: Points) -> Floats:
    """The squared distances of all points to the mean of their cluster, added up.

    It falls with every further cluster: the number of clusters is read from its elbow.

    >>> measure("WSS")(placed("aab", [0, 1, 5]))
    array([0.5])
    """
    return np.asarray([within_squares(points).sum()]) * points.scale * points.scale


@define("BSS", bounds=EVERYWHERE, aliases=["between_squares"])
def sum_of_squares_between_clusters(points: Points) -> Floats:
    """The squared distances of the means of the clusters to the mean of all, per point.

    >>> measure("BSS")(placed("aab", [0, 1, 5])).round(2)
    array([13.5])
    """
    means = points.centroids()
    squares = np.einsum("ij,ij->i", means, means) * points.sizes
    return np.asarray([squares.sum()]) * points.scale * points.scale


@define("TSS", better="neither", bounds=EVERYWHERE, aliases=["total_squares"])
def total_sum_of_squares(points: Points) -> Floats:
    """The squared distances of all points to their mean: those within and between clusters.

    >>> measure("TSS")(placed("aab", [0, 1, 5])).round(2)
    array([14.])
    """
    own = points.coordinates()
    return np.asarray([np.einsum("ij,ij->i", own, own).sum()]) * points.scale * points.scale


@define("explained_squares", undefined="all points are equal")
def share_of_squares_explained_by_the_clusters(points: Points) -> Floats:
    """The sum of squares between clusters, as a share of the total sum of squares.

    >>> measure("explained_squares")(placed("aab", [0, 1, 5])).round(3)
    array([0.964])
    """
    plain = replace(points, scale=1.0)
    return np.clip(
        Ratio(sum_of_squares_between_clusters(plain), total_sum_of_squares(plain)).values, 0, 1
    )


@define(
    "CH",
    bounds=EVERYWHERE,
    aliases=["calinski_harabasz", "calinski_harabasz_score", "variance_ratio"],
    undefined=f"{ONE_CLUSTER}, every point is a cluster, or all lie at the mean of their cluster",
    label="Caliński-Harabasz index",
    standard=True,
)
def calinski_harabasz(points: Points) -> Floats:
    """The variance between the clusters over the variance within them.

    >>> measure("CH")(placed("aabb", [0, 1, 5, 6]))
    array([50.])
    """
    groups, size = len(points.clusters), len(points.items)
    plain = replace(points, scale=1.0)
    return ratio(
        sum_of_squares_between_clusters(plain) * (size - groups),
        sum_of_squares_within_clusters(plain) * (groups - 1),
    )


@calinski_harabasz.trace
def calinski_harabasz_trace(points: Points) -> Columns:
    """Return the squares of each cluster, their sums by degrees of freedom, and the quotient."""
    means, groups, size = points.centroids(), len(points.clusters), len(points.items)
    inside, outside = within_squares(points), np.einsum("ij,ij->i", means, means) * points.sizes
    return {
        "cluster": list(points.clusters),
        "items": points.sizes,
        "squares within": inside,
        "squares between": outside,
        f"within / {size - groups} so far": ratio(np.cumsum(inside), size - groups),
        f"between / {groups - 1} so far": ratio(np.cumsum(outside), groups - 1),
        "CH": ratio(np.cumsum(outside) * (size - groups), np.cumsum(inside) * (groups - 1)),
    }


@sum_of_squares_within_clusters.trace
def within_trace(points: Points) -> Columns:
    """Return the squares of each cluster, and their sum so far."""
    return _sum_of_squares(points, "squares within", within_squares(points))


@sum_of_squares_between_clusters.trace
def between_trace(points: Points) -> Columns:
    """Return the squares of each cluster's mean, for each of its points, and their sum so far."""
    means = points.centroids()
    squares = np.einsum("ij,ij->i", means, means) * points.sizes
    return _sum_of_squares(points, "squares between", squares)


def _sum_of_squares(points: Points, name: str, squares: Floats) -> Columns:
    squares = squares * points.scale * points.scale
    return {
        "cluster": list(points.clusters),
        "items": points.sizes,
        name: squares,
        "sum": np.cumsum(squares),
    }


@show_formula(share_of_squares_explained_by_the_clusters, "between / total")
def explained_trace(points: Points) -> Lines:
    """Return the sums of squares, and their quotient."""
    return {
        "between: squares between clusters": sum_of_squares_between_clusters(points)[0],
        "total: squares in all": total_sum_of_squares(points)[0],
    }


ALL_SINGLE = "no cluster has two points"


@define(
    "within_distance",
    better="lower",
    bounds=(0, np.inf),
    undefined=ALL_SINGLE,
    variants=["within_distance(distance=squared)", "within_distance(distance=cosine)"],
)
def mean_distance_within_clusters(points: Points, distance: Distance | None = None) -> Floats:
    """The mean distance of two points of one cluster, over all such pairs.

    >>> measure("within_distance")(placed("aabb", [0, 1, 5, 7]))
    array([1.5])
    """
    inside, _ = _sums(points, distance)
    return ratio(np.asarray([inside]), np.asarray([_pairs(points)[0]]))


@define(
    "between_distance",
    bounds=(0, np.inf),
    undefined=ONE_CLUSTER,
    variants=["between_distance(distance=squared)"],
)
def mean_distance_between_clusters(points: Points, distance: Distance | None = None) -> Floats:
    """The mean distance of two points of different clusters, over all such pairs.

    >>> measure("between_distance")(placed("aabb", [0, 1, 5, 7]))
    array([5.5])
    """
    _, across = _sums(points, distance)
    return ratio(np.asarray([across]), np.asarray([_pairs(points)[1]]))


@define("within_similarity", bounds=(-1, 1), undefined=ALL_SINGLE)
def mean_similarity_within_clusters(points: Points) -> Floats:
    """The mean cosine of the angle between two points of one cluster, over all such pairs.

    >>> measure("within_similarity")(placed("aab", [[1, 0], [0, 1], [1, 1]])).round(2)
    array([0.])
    """
    inside, _ = _cosines(points)
    return np.clip(ratio(np.asarray([inside]), np.asarray([_pairs(points)[0]])), -1, 1)


@define("between_similarity", better="lower", bounds=(-1, 1), undefined=ONE_CLUSTER)
def mean_similarity_between_clusters(points: Points) -> Floats:
    """The mean cosine of the angle between two points of different clusters, over all such pairs.

    >>> measure("between_similarity")(placed("aab", [[1, 0], [0, 1], [1, 1]])).round(2)
    array([0.71])
    """
    _, across = _cosines(points)
    return np.clip(ratio(np.asarray([across]), np.asarray([_pairs(points)[1]])), -1, 1)


def _pairs(points: Points) -> tuple[float, float]:
    """Return how many ordered pairs of points are in one cluster, and in two."""
    sizes = points.sizes.astype(np.float64)
    together = float((sizes * (sizes - 1)).sum())
    return together, len(points.items) * (len(points.items) - 1.0) - together


def _sums(points: Points, distance: Distance | None) -> tuple[float, float]:
    """Return the distances of all ordered pairs within clusters, and between them."""
    if distance == "squared":
        # Twice the points times their squares around the mean: without looking at pairs.
        inside = float((2 * points.sizes * within_squares(points)).sum())
        return inside, float(2 * len(points.items) * total_sum_of_squares(points)[0]) - inside
    sums = points.distance_sums(distance)
    inside = float(sums[np.arange(len(sums)), points.codes].sum())
    return inside, float(sums.sum()) - inside


def _cosines(points: Points) -> tuple[float, float]:
    """Return the cosines of all ordered pairs within clusters, and between them."""
    sums = np.add.reduceat(unit_vectors(points.original_coordinates()), points.offsets[:-1], axis=0)
    squares = float((sums**2).sum())
    every = float((sums.sum(axis=0) ** 2).sum())
    return squares - len(points.items), every - squares
