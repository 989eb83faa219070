"""The curse of dimensionality: distances lose contrast, and noise hides what neighbors know."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.selection.learning_tasks.draw_intervals import draw_interval
from assay.statistics.intervals.ratio_intervals import POSITIVE
from assay.statistics.intervals.unit_intervals import Bootstrap

DIMENSIONS = (2, 3, 5, 10, 20, 50, 100, 200)
SETS, ITEMS, NEIGHBORS = 20, 200, 5
INFORMATIVE = 2
"""Dimensions that have to do with the class; all others are noise."""
BOUNDS = {"contrast": POSITIVE, "accuracy": (0.0, 1.0)}


def dimension_table(interval: Bootstrap | None, seed: int) -> pl.DataFrame:
    """Return the contrast of distances and the accuracy of neighbors by number of dimensions.

    The contrast of a point is (farthest − nearest) / nearest distance to the other points. Two
    classes differ in two dimensions; the others have the same noise for both. An item is classified
    by its five nearest others. Numbers are means over sets of points, which are independent.
    """
    draw = np.random.default_rng(seed)
    sets = np.array([_one_set(draw) for _ in range(SETS)])
    rows = []
    for place, dimensions in enumerate(DIMENSIONS):
        row: dict[str, float] = {"dimensions": dimensions}
        for (name, bounds), values in zip(BOUNDS.items(), sets[:, place].T, strict=True):
            low, high, _ = draw_interval(values, interval, bounds)
            row |= {name: float(values.mean()), f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    return pl.DataFrame(rows)


def _one_set(draw: np.random.Generator) -> list[tuple[float, float]]:
    """Return the mean contrast and the accuracy of one set of points, by number of dimensions."""
    points = draw.normal(size=(ITEMS, max(DIMENSIONS)))
    classes = np.arange(ITEMS) % 2
    points[:, :INFORMATIVE] += 1.5 * classes[:, None]
    squared = np.diag(np.full(ITEMS, np.inf))
    found = []
    for done, dimensions in zip((0, *DIMENSIONS), DIMENSIONS, strict=False):
        part = points[:, done:dimensions]
        squares = (part**2).sum(axis=1)
        squared += np.maximum(squares[:, None] + squares - 2 * part @ part.T, 0.0)
        found.append((_contrast(squared), _accuracy(squared, classes)))
    return found


def _contrast(squared: Floats) -> float:
    nearest = np.sqrt(squared.min(axis=1))
    farthest = np.sqrt(np.where(np.isinf(squared), 0.0, squared).max(axis=1))
    return float(((farthest - nearest) / nearest).mean())


def _accuracy(squared: Floats, classes: Ints) -> float:
    near = np.argpartition(squared, NEIGHBORS, axis=1)[:, :NEIGHBORS]
    return float(((classes[near].mean(axis=1) > 0.5) == classes).mean())
