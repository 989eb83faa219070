"""Smoothness, cluster and manifold assumption, each checked with a number and its interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.selection.learning_tasks.cluster_criteria import LEAST, STARTS, cluster_items
from assay.selection.learning_tasks.embedding_quality import SAMPLED
from assay.selection.learning_tasks.repeated_kmeans import cluster_sets
from assay.selection.learning_tasks.subsampling import (
    HALF,
    DependentMean,
    Subsamples,
    draw_subsamples,
    sampled_interval,
)
from assay.selection.scaling import standardize
from assay.statistics.intervals.interval_settings import Interval
from assay.statistics.intervals.unit_intervals import Bootstrap

NEIGHBORS = 5
Samples = Subsamples | None


def check_assumptions(
    features: Floats, truth: npt.NDArray[Any], interval: Bootstrap | None, seed: int
) -> pl.DataFrame:
    """Return a row for each assumption: its number, its interval and what chance gives.

    The manifold row compares the dimension of the data with the number of features.
    """
    classes = len(np.unique(truth))
    least = max(LEAST, 2 * classes, 2 * NEIGHBORS)
    samples = draw_subsamples(features.shape, SAMPLED, least, seed)
    halves = draw_subsamples(features.shape, HALF, least, seed)
    rows = [
        (
            "smoothness",
            "neighbors with the same label",
            *_smoothness(features, truth, interval, samples),
        ),
        (
            "cluster",
            "items with the label of their cluster",
            *_clusters(features, truth, (interval, seed), halves),
        ),
        ("manifold", "intrinsic dimension", *_dimension(features, interval, samples)),
    ]
    names = ["assumption", "number", "value", "low", "high", "chance", "undefined", "reasons"]
    return pl.DataFrame(rows, schema=names, orient="row")


def _smoothness(
    features: Floats, truth: npt.NDArray[Any], interval: Bootstrap | None, samples: Samples
) -> tuple[Any, ...]:
    """Return the share of the nearest neighbors of an item that have its label."""
    same = _same_labels(features, truth)
    rows = () if samples is None or interval is None else samples.rows
    drawn = np.array([_same_labels(standardize(features[each]), truth[each]) for each in rows])
    shares = np.unique(truth, return_counts=True)[1] / len(truth)
    ends = Interval(np.nan, np.nan, "")
    if interval is not None:
        every = np.ones(len(same), dtype=np.bool_)
        ends = DependentMean(same, samples, drawn).interval(every, interval)
    return float(same.mean()), *ends[:2], float((shares**2).sum()), 0, _why(ends)


def _same_labels(features: Floats, truth: npt.NDArray[Any]) -> Floats:
    """Return for each item the share of its neighbors with its label."""
    from sklearn.neighbors import NearestNeighbors

    count = min(NEIGHBORS, len(features) - 1)
    near = NearestNeighbors(n_neighbors=count).fit(features).kneighbors(return_distance=False)
    return np.asarray((truth[near] == truth[:, None]).mean(axis=1))


def _clusters(
    features: Floats,
    truth: npt.NDArray[Any],
    settings: tuple[Bootstrap | None, int],
    samples: Samples,
) -> tuple[Any, ...]:
    """Return the share of items with the most frequent label of their cluster of k-means."""
    interval, seed = settings
    names, codes = np.unique(truth, return_inverse=True)
    found = cluster_items(features, len(names), seed)
    value = _right_share(found, codes)
    drawn = np.empty(0)
    if samples is not None and interval is not None:
        sets = np.stack([standardize(features[rows]) for rows in samples.rows])
        labels, _ = cluster_sets(sets, len(names), STARTS, seed)
        pairs = zip(labels, samples.rows, strict=True)
        drawn = np.array([_right_share(own, codes[rows]) for own, rows in pairs])
    ends = sampled_interval(value, drawn, samples, interval, (0.0, 1.0))
    chance = float(np.bincount(codes).max() / len(codes))
    return value, *ends[:2], chance, 0, _why(ends)


def _right_share(found: Ints, codes: Ints) -> float:
    """Return the share of items with the most frequent label of their cluster."""
    counts = np.zeros((int(found.max()) + 1, int(codes.max()) + 1))
    np.add.at(counts, (found, codes), 1)
    return float(counts.max(axis=1).sum() / len(codes))


def _why(ends: Interval) -> str | None:
    """Say why there is no interval, where none was found."""
    return f"no interval: {ends.method}" if ends.method and np.isnan(ends.low) else None


def _dimension(features: Floats, interval: Bootstrap | None, samples: Samples) -> tuple[Any, ...]:
    """Return the dimension from the ratio of the distances to the second and the first neighbor.

    The logarithms of the ratios are exponential with the rate d where the density hardly changes
    within that distance (Facco and others, 2017). Chance is the number of features. Duplicates have
    no ratio.
    """
    width = float(features.shape[1])
    if len(features) < 4:
        return np.nan, np.nan, np.nan, width, len(features), "too few items"
    value, left_out = _dimension_value(features)
    why = "the item has a duplicate" if left_out else None
    if np.isnan(value):
        return value, np.nan, np.nan, width, left_out, why or "equal distances"
    rows = () if samples is None or interval is None else samples.rows
    drawn = np.array([_dimension_value(standardize(features[each]))[0] for each in rows])
    ends = sampled_interval(value, drawn, samples, interval, (0.0, np.inf))
    return value, *ends[:2], width, left_out, why or _why(ends)


def _dimension_value(features: Floats) -> tuple[float, int]:
    """Return the estimate of the dimension, and how many items have a duplicate."""
    from sklearn.neighbors import NearestNeighbors

    near, _ = NearestNeighbors(n_neighbors=2).fit(features).kneighbors()
    usable = near[:, 0] > 0
    total = float(np.log(near[usable, 1] / near[usable, 0]).sum())
    return usable.sum() / total if total > 0 else np.nan, int((~usable).sum())
