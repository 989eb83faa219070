"""Smoothness, cluster and manifold assumption, each checked with a number and its interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.statistics.intervals.unit_intervals import Bootstrap, mean_intervals

NEIGHBORS = 5


def check_assumptions(
    features: Floats, truth: npt.NDArray[Any], interval: Bootstrap, seed: int
) -> pl.DataFrame:
    """Return a row for each assumption: its number, its interval and what chance gives.

    The manifold row compares the dimension of the data with the number of features.
    """
    rows = [
        ("smoothness", "neighbors with the same label", *_smoothness(features, truth, interval)),
        (
            "cluster",
            "items with the label of their cluster",
            *_clusters(features, truth, interval, seed),
        ),
        ("manifold", "intrinsic dimension", *_dimension(features, interval)),
    ]
    names = ["assumption", "number", "value", "low", "high", "chance", "undefined", "reasons"]
    return pl.DataFrame(rows, schema=names, orient="row")


def _smoothness(features: Floats, truth: npt.NDArray[Any], interval: Bootstrap) -> tuple[Any, ...]:
    """Return the share of the nearest neighbors of an item that have its label."""
    from sklearn.neighbors import NearestNeighbors

    count = min(NEIGHBORS, len(features) - 1)
    near = NearestNeighbors(n_neighbors=count).fit(features).kneighbors(return_distance=False)
    same = (truth[near] == truth[:, None]).mean(axis=1)
    shares = np.unique(truth, return_counts=True)[1] / len(truth)
    return _mean_row(same, float((shares**2).sum()), interval)


def _clusters(
    features: Floats, truth: npt.NDArray[Any], interval: Bootstrap, seed: int
) -> tuple[Any, ...]:
    """Return the share of items with the most frequent label of their cluster of k-means."""
    from sklearn.cluster import KMeans

    names, codes = np.unique(truth, return_inverse=True)
    found = KMeans(len(names), n_init=10, random_state=seed).fit_predict(features)
    counts = np.zeros((len(names), len(names)))
    np.add.at(counts, (found, codes), 1)
    right = counts.argmax(axis=1)[found] == codes
    return _mean_row(
        right.astype(np.float64), float(np.bincount(codes).max() / len(codes)), interval
    )


def _mean_row(values: Floats, chance: float, interval: Bootstrap) -> tuple[Any, ...]:
    ((low, high, _),) = mean_intervals(values[:, None], interval, bounds=(0.0, 1.0))
    return float(values.mean()), low, high, chance, 0, None


def _dimension(features: Floats, interval: Bootstrap) -> tuple[Any, ...]:
    """Return the dimension from the ratio of the distances to the second and the first neighbor.

    The logarithms of the ratios are exponential with the rate d where the density hardly changes
    within that distance (Facco and others, 2017), so that 2 d Σ log μ has a chi-squared
    distribution. Chance is the number of features. Duplicates have no ratio.
    """
    from scipy.stats import chi2
    from sklearn.neighbors import NearestNeighbors

    if len(features) < 4:
        return np.nan, np.nan, np.nan, float(features.shape[1]), len(features), "too few items"
    near, _ = NearestNeighbors(n_neighbors=2).fit(features).kneighbors()
    usable = near[:, 0] > 0
    logs = np.log(near[usable, 1] / near[usable, 0])
    total, count, left_out = float(logs.sum()), int(usable.sum()), int((~usable).sum())
    why = "the item has a duplicate" if left_out else None
    if not total > 0:
        return np.nan, np.nan, np.nan, float(features.shape[1]), left_out, why or "equal distances"
    beyond = (1 - interval.confidence) / 2
    low, high = (float(chi2.ppf(q, 2 * count) / (2 * total)) for q in (beyond, 1 - beyond))
    return count / total, low, high, float(features.shape[1]), left_out, why
