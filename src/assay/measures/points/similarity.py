"""How far apart, and how alike, points are within clusters and between them."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.definition import define
from assay.evidence.distances import Distance, unit_vectors
from assay.evidence.views.points import Points
from assay.measures.points.cluster_separation import ONE_CLUSTER, within_squares
from assay.measures.points.sums_of_squares import total

ALL_SINGLE = "no cluster has two points"


@define(
    "within_distance",
    better="lower",
    bounds=(0, np.inf),
    undefined=ALL_SINGLE,
    variants=["within_distance(distance=squared)", "within_distance(distance=cosine)"],
    label="mean distance within clusters",
)
def within_distance(points: Points, distance: Distance | None = None) -> Floats:
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
    label="mean distance between clusters",
)
def between_distance(points: Points, distance: Distance | None = None) -> Floats:
    """The mean distance of two points of different clusters, over all such pairs.

    >>> measure("between_distance")(placed("aabb", [0, 1, 5, 7]))
    array([5.5])
    """
    _, across = _sums(points, distance)
    return ratio(np.asarray([across]), np.asarray([_pairs(points)[1]]))


@define(
    "within_similarity",
    bounds=(-1, 1),
    undefined=ALL_SINGLE,
    label="mean similarity within clusters",
)
def within_similarity(points: Points) -> Floats:
    """The mean cosine of the angle between two points of one cluster, over all such pairs.

    >>> measure("within_similarity")(placed("aab", [[1, 0], [0, 1], [1, 1]])).round(2)
    array([0.])
    """
    inside, _ = _cosines(points)
    return np.clip(ratio(np.asarray([inside]), np.asarray([_pairs(points)[0]])), -1, 1)


@define(
    "between_similarity",
    better="lower",
    bounds=(-1, 1),
    undefined=ONE_CLUSTER,
    label="mean similarity between clusters",
)
def between_similarity(points: Points) -> Floats:
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
        # Twice the points times their squares around the mean: no pair need be looked at.
        inside = float((2 * points.sizes * within_squares(points)).sum())
        return inside, float(2 * len(points.items) * total(points)[0]) - inside
    sums = points.distance_sums(distance)
    inside = float(sums[np.arange(len(sums)), points.codes].sum())
    return inside, float(sums.sum()) - inside


def _cosines(points: Points) -> tuple[float, float]:
    """Return the cosines of all ordered pairs within clusters, and between them."""
    sums = np.add.reduceat(unit_vectors(points.given()), points.offsets[:-1], axis=0)
    squares = float((sums**2).sum())
    every = float((sums.sum(axis=0) ** 2).sum())
    return squares - len(points.items), every - squares
