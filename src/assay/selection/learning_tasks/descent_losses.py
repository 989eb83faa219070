"""The loss of gradient descent by iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.selection.learning_tasks.task_result import mean_interval
from assay.statistics.intervals.ratio_intervals import POSITIVE
from assay.statistics.intervals.unit_intervals import Bootstrap

LARGEST = 1e150
"""Squared errors above it have no interval: their squares would overflow."""
MOST_STEPS = 12
"""So many iterations are listed; the figure has all."""


def losses_by_iteration(
    design: Floats,
    truth: Floats,
    parts: tuple[Any, Any | None],
    path: Floats,
    interval: Bootstrap | None,
) -> pl.DataFrame:
    """Return the mean squared error by iteration, with an interval on the test items."""
    with np.errstate(over="ignore", invalid="ignore"):
        errors = [
            (design[rows] @ path.T - truth[rows, None]) ** 2 for rows in parts if rows is not None
        ]
        means = [each.mean(axis=0) for each in errors]
    if len(errors) == 1:
        return pl.DataFrame({"iteration": np.arange(len(path)), "training": means[0]})
    fresh = errors[1]
    low, high = np.full((2, len(path)), np.nan)
    for place in np.flatnonzero(fresh.max(axis=0) < LARGEST).tolist():
        low[place], high[place], _ = mean_interval(fresh[:, place], interval, POSITIVE)
    columns = {"training": means[0], "test": means[1], "low": low, "high": high}
    return pl.DataFrame({"iteration": np.arange(len(path)), **columns})


def some_steps(losses: pl.DataFrame) -> pl.DataFrame:
    """Return some iterations in equal steps, and the last one."""
    step, last = max(1, losses.height // MOST_STEPS), losses.height - 1
    return losses[sorted({*range(0, losses.height, step), last})]
