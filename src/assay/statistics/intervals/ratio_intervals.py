"""Intervals of ratios of two sums over the units, and of a few units or equal values.

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

from assay.core.arrays import Bools, Floats, Ints, exact_ratio, exact_sum, ratio
from assay.core.closed_form_intervals import (
    MANY_ITEMS,
    normal_margin,
    skewed_mean_ends,
    student_quantile,
)
from assay.core.definition import Ratio
from assay.evidence.column_values import effective_size
from assay.statistics.intervals.interval_ends import (
    Ends,
    all_equal,
    by_cluster,
    cluster_means,
    exact_share_ends,
    mean_acceleration,
    nowhere,
    resampled_ends,
    resampled_means,
    single_interval,
    student_ends,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    CLOSED_FORM,
    EXACT_SHARE,
    FEW_UNITS,
    NO_INTERVAL,
    UNBOUNDED,
    Bootstrap,
    Interval,
)

MOST_FEW_UNITS = 10
"""Up to this many units (or clusters) the default interval is one of this module."""
CAUTION = 5
"""The probability of error is divided by this: few values cannot show that they are skewed."""
Bounds = tuple[float, float]
POSITIVE = (0.0, math.inf)
"""The bounds of errors: their means are skewed."""


def ratio_interval(
    parts: Ratio, bootstrap: Bootstrap, clusters: Ints | None = None, bounds: Bounds = UNBOUNDED
) -> Interval:
    """Return the interval of a ratio of two sums, resampled together by unit or by cluster.

    Student's t is for means, where all denominators are equal; Wilson's interval for shares, where
    each unit counts 0 or 1. Elsewhere both are replaced by the default. Units without clusters are
    sorted by what they count, so that neither their names nor their order in the input matters; of
    very many units the sums are exact instead.
    """
    if (equal := _common_value(parts)) is not None:
        weights = by_cluster(parts.denominator[:, None], clusters)[:, 0]
        worth = effective_size(weights) or 0.0
        return bound_interval(equal, worth, bounds, bootstrap.confidence)
    if clusters is None:
        if len(parts.numerator) <= MANY_ITEMS or bootstrap.method != "expanded":
            parts = _sort_units(parts)
        if direct := _closed_form_interval(parts, bootstrap):
            return direct
    size = len(parts.numerator) if clusters is None else len(np.unique(clusters))
    if size <= MOST_FEW_UNITS and bootstrap.closed_forms:
        return few_ratio_interval(parts, bounds, bootstrap.confidence, clusters)
    if bounds == POSITIVE and bootstrap.closed_forms:
        moved = cluster_means(parts_as_column(parts), clusters)[:, 0]
        return Interval(*skewed_mean_ends(moved, bootstrap.confidence), CLOSED_FORM)
    columns = np.stack((parts.numerator, parts.denominator), axis=1)
    means = resampled_means(columns, bootstrap.resamples, bootstrap.seed, clusters)
    drawn = means[:, :1] / np.where(means[:, 1:], means[:, 1:], np.nan)

    def correction() -> Ends:
        """Return the observed values and their acceleration, for BCa."""
        top, below = parts.numerator.sum(), parts.denominator.sum()
        own = by_cluster(columns, clusters)
        left_out = ratio(top - own[:, 0], below - own[:, 1])
        acceleration = mean_acceleration(-left_out[~np.isnan(left_out), None])
        return np.atleast_1d(ratio(top, below)), acceleration

    method = "expanded" if bootstrap.closed_forms else bootstrap.method
    ends = resampled_ends(drawn, size, bootstrap, correction)
    return single_interval(ends, method)


def _common_value(parts: Ratio) -> float | None:
    """Return the value of all units that have one, if it is the same."""
    below = parts.denominator
    values = parts.numerator if (below == 1).all() else parts.values[below != 0]
    return float(values[0]) if all_equal(values) else None


def _sort_units(parts: Ratio) -> Ratio:
    """Return the units by numerator, then by denominator."""
    below = parts.denominator
    if (below == below[:1]).all():
        return Ratio(np.sort(parts.numerator), below)
    return parts[np.lexsort((below, parts.numerator))]


def _closed_form_interval(parts: Ratio, bootstrap: Bootstrap) -> Interval | None:
    """Return an interval without resamples, where one is chosen and applies, or units are many."""
    top, below = parts.numerator, parts.denominator
    if bootstrap.method == "t" and len(below) and below[0] and (below == below[0]).all():
        ends = student_ends((top / below)[:, None], bootstrap.confidence)
        return single_interval(ends, "t")
    total = exact_sum(below)
    if bootstrap.method == "wilson" and _is_share(parts):
        sums = np.asarray([top.sum()]), np.asarray([total])
        ends = wilson_ends(*sums, bootstrap.confidence)
        return single_interval(ends, "wilson")
    if len(top) <= MANY_ITEMS or not bootstrap.closed_forms:
        return None
    if not total:
        return Interval(math.nan, math.nan, CLOSED_FORM)
    value = exact_ratio(top, below)
    moved = value * below  # In place from here on: millions of units take memory.
    np.subtract(top, moved, out=moved)
    moved /= total
    error = math.sqrt(exact_ratio(np.square(moved, out=moved), [1.0]))
    margin = normal_margin(error, bootstrap.confidence)
    return Interval(float(value - margin), float(value + margin), CLOSED_FORM)


def _is_share(parts: Ratio) -> bool:
    """Return whether each unit counts 0 or 1 in the denominator, and no more in the numerator."""
    top, below = parts.numerator, parts.denominator
    binary = np.isin(top, (0, 1)) & np.isin(below, (0, 1)) & (top <= below)
    return bool(binary.all() and below.any())


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


def bound_interval(
    value: float, size: float, bounds: tuple[float, float], confidence: float
) -> Interval:
    """Return the interval of the mean of units that all have the same value."""
    least, most = bounds
    if value not in bounds or math.isinf(most - least):
        return NO_INTERVAL
    ends, method = wilson_ends, AT_BOUND_METHOD
    if size <= MOST_FEW_UNITS:
        ends, method = exact_share_ends, EXACT_SHARE
    successes = np.asarray([size * (value == most)])
    low, high = ends(successes, np.asarray([size]), confidence)
    return Interval(
        least + (most - least) * float(low[0]), least + (most - least) * float(high[0]), method
    )
