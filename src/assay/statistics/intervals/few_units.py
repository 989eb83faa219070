"""Intervals where resampling has too little to draw from: few units, or values that are all equal.

Two values have three different resamples. Student's t allows for how little a few values say about
their spread, but it assumes normal values, and ten values cannot show that they are skewed. So the
probability of error is divided by five: then a 95 % interval covers at least 94 % for exponential
values and 90 % for log-normal ones (sigma 1).
Values that are all at the two bounds of a measure are a share, for which the
Clopper-Pearson interval holds exactly.

Equal values have no spread. Where they are at a bound of a measure, Wilson's interval applies (with
up to ten units that of Clopper and Pearson): a unit elsewhere was not drawn, and is at most as far
away as the other bound. Elsewhere there is no interval.
"""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.definition import Ratio
from assay.core.student_distribution import student_quantile
from assay.statistics.intervals.interval_ends import (
    Ends,
    by_cluster,
    exact_share_ends,
    nowhere,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    EXACT_SHARE,
    FEW_UNITS,
    NO_INTERVAL,
    Interval,
)

MOST = 10
"""Up to this many units (or clusters) the default interval is one of this module."""
CAUTION = 5
"""The probability of error is divided by this: few values cannot show that they are skewed."""
Bounds = tuple[float, float]


def few_ends(columns: Floats, bounds: Bounds, confidence: float, clusters: Ints | None) -> Ends:
    """Return the interval of the mean of each column, no wider than the bounds."""
    units = cluster_means(columns, clusters)
    size = len(units)
    if size < 2:
        return nowhere(columns.shape[1])
    mean = columns.mean(axis=0)
    error = units.std(axis=0, ddof=1) / math.sqrt(size)
    reach = -student_quantile(size - 1, (1 - confidence) / (2 * CAUTION)) * error
    low, high = np.clip(mean - reach, *bounds), np.clip(mean + reach, *bounds)
    shares = are_shares(columns, bounds, clusters)
    if not shares.any():
        return low, high
    least, width = bounds[0], bounds[1] - bounds[0]
    successes = (columns == bounds[1]).sum(axis=0).astype(np.float64)
    ends = exact_share_ends(successes, np.full(len(successes), float(size)), confidence)
    exact = [least + width * end for end in ends]
    return np.where(shares, exact[0], low), np.where(shares, exact[1], high)


def few_method(column: Floats, bounds: Bounds, clusters: Ints | None) -> str:
    """Return how ``few_ends`` makes the interval of a column."""
    return EXACT_SHARE if are_shares(column[:, None], bounds, clusters)[0] else FEW_UNITS


def few_ratio_interval(
    parts: Ratio, bounds: Bounds, confidence: float, clusters: Ints | None
) -> Interval:
    """Return the interval of a ratio of two sums, from how far each unit moves it."""
    if not parts.denominator.sum():
        return Interval(math.nan, math.nan, FEW_UNITS)
    column = parts_as_column(parts)
    low, high = few_ends(column, bounds, confidence, clusters)
    return Interval(float(low[0]), float(high[0]), few_method(column[:, 0], bounds, clusters))


def parts_as_column(parts: Ratio) -> Floats:
    """Return a value for each unit whose mean is the ratio, and by how much the unit moves it."""
    top, below = parts.numerator, parts.denominator
    if (below == below[0]).all():
        return (top / below)[:, None]
    value = top.sum() / below.sum()
    return np.asarray(value + (top - value * below) * (len(top) / below.sum()))[:, None]


def are_shares(columns: Floats, bounds: Bounds, clusters: Ints | None) -> Bools:
    """Return which columns have only values at the two bounds, unit by unit."""
    if clusters is not None or math.isinf(bounds[1] - bounds[0]):
        return np.zeros(columns.shape[1], dtype=bool)
    at_bounds = (columns == bounds[0]) | (columns == bounds[1])
    return np.asarray(at_bounds.all(axis=0))


def cluster_means(columns: Floats, clusters: Ints | None) -> Floats:
    """Return a row for each cluster: the mean, and by how much the cluster moves it."""
    if clusters is None:
        return columns
    mean = columns.mean(axis=0)
    moved = by_cluster(columns - mean, clusters)
    return mean + moved * (len(moved) / len(columns))


def bound_interval(
    value: float, size: float, bounds: tuple[float, float], confidence: float
) -> Interval:
    """Return the interval of the mean of units that all have the same value."""
    least, most = bounds
    if value not in bounds or math.isinf(most - least):
        return NO_INTERVAL
    ends, method = wilson_ends, AT_BOUND_METHOD
    if size <= MOST:
        ends, method = exact_share_ends, EXACT_SHARE
    successes = np.asarray([size * (value == most)])
    low, high = ends(successes, np.asarray([size]), confidence)
    return Interval(
        least + (most - least) * float(low[0]), least + (most - least) * float(high[0]), method
    )
