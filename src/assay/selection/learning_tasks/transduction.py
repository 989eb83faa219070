"""Partitioning transduction: clusters are divided until none has objects with different labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats, Ints

STEPS = 100


@dataclass(frozen=True)
class Transduction:
    """The cluster and the label of each item, and items that no partition separates."""

    labels: npt.NDArray[Any]
    clusters: Ints
    """The number of the cluster of each item, in the order in which clusters were completed."""
    inseparable: Ints
    """Labeled items that have the place of an item with another label, and another label now."""


def partition(
    features: Floats, labels: npt.NDArray[Any], labeled: npt.NDArray[np.bool_]
) -> Transduction:
    """Label all items by the partitioning transduction.

    All items begin in one cluster. While a cluster has items with different labels it is divided in
    two: around the mean of the items with the most frequent label, and around the mean of the other
    labeled items, both moved by 2-means until no item changes sides. Then all items of a cluster
    get its label; a cluster without a label gets that of the nearest labeled item to its mean.
    """
    clusters = np.zeros(len(features), dtype=np.int64)
    waiting, done = [np.arange(len(features))], []
    while waiting:
        rows = waiting.pop()
        known = rows[labeled[rows]]
        if len(np.unique(labels[known])) < 2:
            done.append(rows)
            continue
        parts = _divide(features, rows, known, labels)
        if parts is None:
            done.append(rows)
        else:
            waiting += parts[::-1]
    found = labels.copy()
    for number, rows in enumerate(done):
        clusters[rows] = number
        known = rows[labeled[rows]]
        if not len(known):
            near = np.flatnonzero(labeled)
            away = ((features[near] - features[rows].mean(axis=0)) ** 2).sum(axis=1)
            found[rows] = labels[near[np.argmin(away)]]
        else:
            found[rows] = _most_frequent(labels[known])
    wrong = np.flatnonzero(labeled & (found != labels))
    return Transduction(found, clusters, wrong)


def _most_frequent(labels: npt.NDArray[Any]) -> Any:
    """Return the most frequent label, of several the first in their order."""
    names, counts = np.unique(labels, return_counts=True)
    return names[np.argmax(counts)]


def _divide(
    features: Floats, rows: Ints, known: Ints, labels: npt.NDArray[Any]
) -> list[Ints] | None:
    """Return the two parts of a cluster; None where the labeled items are all in one place."""
    points = features[rows]
    first = labels[known] == _most_frequent(labels[known])
    start = np.stack([features[known[first]].mean(axis=0), features[known[~first]].mean(axis=0)])
    if (start[0] == start[1]).all():  # the means agree: begin with two items
        away = ((features[known] - start[0]) ** 2).sum(axis=1)
        if not away.max() > 0:
            return None
        far = features[known[np.argmax(away)]]
        start = np.stack([far, start[0]])
    side = _nearer(points, start)
    for _ in range(STEPS):
        if side.all() or not side.any():
            side = _nearer(points, start)
            break
        moved = _nearer(points, np.stack([points[side].mean(axis=0), points[~side].mean(axis=0)]))
        if (moved == side).all():
            break
        side = moved
    if side.all() or not side.any():
        return None
    return [rows[side], rows[~side]]


def _nearer(points: Floats, centers: Floats) -> npt.NDArray[np.bool_]:
    """Return which points are nearer to the first of two centers."""
    away = ((points[:, None, :] - centers) ** 2).sum(axis=2)
    near: npt.NDArray[np.bool_] = away[:, 0] <= away[:, 1]
    return near
