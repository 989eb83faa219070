"""The curse of dimensionality: distances lose contrast, and noise hides what neighbors know."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.selection.learning_tasks.task_result import mean_interval
from assay.statistics.intervals.unit_intervals import Bootstrap

DIMENSIONS = (2, 3, 5, 10, 20, 50, 100, 200)
ITEMS = 400
INFORMATIVE = 2
"""Dimensions that have to do with the class; all others are noise."""


def dimension_table(interval: Bootstrap | None, seed: int) -> pl.DataFrame:
    """Return the contrast of distances and the accuracy of neighbors by number of dimensions.

    The contrast of a point is (farthest − nearest) / nearest distance to the other points. Two
    classes differ in two dimensions; the others have the same noise for both. An item is classified
    by its five nearest others.
    """
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(ITEMS, max(DIMENSIONS)))
    classes = np.arange(ITEMS) % 2
    points[:, :INFORMATIVE] += 1.5 * classes[:, None]
    rows = []
    squared = np.zeros((ITEMS, ITEMS))
    done = 0
    for dimensions in DIMENSIONS:
        for column in points[:, done:dimensions].T:
            squared += (column[:, None] - column) ** 2
        done = dimensions
        contrast, right = _contrast(squared), _accuracy(squared, classes)
        row: dict[str, float] = {"dimensions": dimensions}
        for name, values in (("contrast", contrast), ("accuracy", right)):
            low, high, _ = mean_interval(values, interval)
            row |= {name: float(values.mean()), f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    return pl.DataFrame(rows)


def _contrast(squared: Floats) -> Floats:
    away = np.sqrt(squared + np.diag(np.full(len(squared), np.inf)))
    nearest = away.min(axis=1)
    return (np.sqrt(squared).max(axis=1) - nearest) / nearest


def _accuracy(squared: Floats, classes: np.ndarray) -> Floats:
    away = squared + np.diag(np.full(len(squared), np.inf))
    near = np.argpartition(away, 5, axis=1)[:, :5]
    return ((classes[near].mean(axis=1) > 0.5) == classes).astype(np.float64)
