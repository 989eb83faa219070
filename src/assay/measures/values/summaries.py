"""Errors of the whole set: root mean square, median and largest."""

from __future__ import annotations

from functools import partial

import numpy as np

from assay.core.arrays import Floats, power_of_two, ratio
from assay.core.closed_form_intervals import FEW_ITEMS, skewed_mean_ends
from assay.core.curves import Columns, curve
from assay.core.definition import define
from assay.core.parameters import Flag
from assay.evidence.views.value_pairs import ValueMoments, ValuePairs
from assay.measures.trace_tables import Lines, show_formula
from assay.measures.values.errors import ERROR
from assay.measures.values.goodness_of_fit import CONSTANT, finite_values

NO_ITEMS = "there are no items"
define_summary = partial(define, better="lower", bounds=ERROR, undefined=NO_ITEMS)
"""Declare an error of the whole set."""


@define_summary("RMSE", aliases=["root_mean_squared_error"], standard=True)
def root_mean_squared_error(values: ValueMoments) -> Floats:
    """The root of the mean squared error: in the unit of the values.

    >>> measure("RMSE")(values([1, 2, 3, 4], [1, 2, 3, 8]))
    array([2.])
    """
    moments = values.moments
    return np.sqrt(ratio(moments.squared_error, moments.weight)) * moments.error_scale


@root_mean_squared_error.interval
def root_mean_squared_error_interval(
    values: ValueMoments, confidence: float
) -> tuple[float, float] | None:
    """Return the roots of the interval of the mean squared error, which allows for skewness."""
    if values.pairs is None or len(values.pairs.truth) <= FEW_ITEMS:
        return None
    truth, predicted, weight = values.pairs.settled_columns
    squares = (truth / values.error_scale - predicted / values.error_scale) ** 2
    mean = float(values.squared_error[0] / values.weight[0])
    moved = mean + weight[0] * (squares - mean) * (len(squares) / values.weight[0])
    low, high = np.sqrt(skewed_mean_ends(values.pairs.sorted_items(moved), confidence))
    return float(low * values.error_scale), float(high * values.error_scale)


@show_formula(root_mean_squared_error, "root of the mean")
def root_mean_squared_error_trace(values: ValueMoments) -> Lines:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    return {
        "Σ (truth − prediction)²": moments.squared_error[0],
        "items, by weight": moments.weight[0],
        "mean of the squares": ratio(moments.squared_error, moments.weight)[0],
    }


@define_summary(
    "RMSLE",
    aliases=["root_mean_squared_log_error"],
    undefined="a number is −1 or less, or there are no items",
)
def root_mean_squared_logarithmic_error(pairs: ValuePairs) -> Floats:
    """The root of the mean squared difference of log(1 + value).

    >>> measure("RMSLE")(values([0, 1], [0, 3])).round(3)
    array([0.49])
    """
    truth, predicted, weight = pairs.sorted_columns
    logs = [np.log1p(np.where(side > -1, side, np.nan)) for side in (truth, predicted)]
    error = (weight * (logs[0] - logs[1]) ** 2).sum(axis=1)
    return np.sqrt(ratio(error, weight.sum(axis=1)))


@define_summary("MedAE", aliases=["median_absolute_error"])
def median_absolute_error(pairs: ValuePairs) -> Floats:
    """The median absolute error: a few large errors do not matter.

    >>> measure("MedAE")(values([1, 2, 3, 4], [1, 3, 5, 90]))
    array([1.5])
    """
    truth, predicted, weight = pairs.sorted_columns
    return _weighted_medians(np.abs(truth - predicted), weight)


def _weighted_medians(values: Floats, weight: Floats) -> Floats:
    """Return the median of the values for each row of weights; NaN without weight."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[:, order], axis=1)
    half = reached[:, -1:] / 2
    low, high = (reached >= half).argmax(axis=1), (reached > half).argmax(axis=1)
    middle = (values[order][low] + values[order][high]) / 2
    return np.where(half[:, 0] > 0, middle, np.nan)


@define(
    "D2_AE",
    bounds=(-np.inf, 1),
    aliases=["d2_absolute_error_score"],
    undefined=CONSTANT,
    variants=["D2_AE(finite=true)"],
    label="D² of the absolute error",
)
def explained_absolute_error(pairs: ValuePairs, finite: Flag = False) -> Floats:
    """1 − absolute error / absolute error of always predicting the median: R2 without squares.

    ``finite`` is that of R2.

    >>> measure("D2_AE")(values([1, 2, 3, 4], [1, 2, 3, 5]))
    array([0.75])
    """
    truth, predicted, weight = pairs.sorted_columns
    scale = power_of_two(truth, predicted)
    truth, predicted = truth / scale, predicted / scale
    medians = _weighted_medians(truth, weight)
    spread = (weight * np.abs(truth - medians[:, None])).sum(axis=1)
    left = (weight * np.abs(truth - predicted)).sum(axis=1)
    value = 1 - ratio(left, spread)
    return finite_values(value, left) if finite else value


@define_summary("MaxE", aliases=["max_error"], biased=True)
def largest_error(pairs: ValuePairs) -> Floats:
    """The largest absolute error of any item.

    >>> measure("MaxE")(values([1, 2, 3], [1, 3, 5]))
    array([2.])
    """
    error = np.abs(pairs.truth - pairs.predicted)
    largest = np.where(pairs.weight > 0, error, -1.0).max(axis=1, initial=-1.0)
    return np.where(largest < 0, np.nan, largest)


@curve("residuals")
def residual_summary(pairs: ValuePairs) -> Columns:
    """The residuals (truth less prediction) in summary: mean, spread, least, quartiles, largest."""
    scale = power_of_two(pairs.truth, pairs.predicted)
    left = pairs.truth / scale - pairs.predicted / scale
    quartiles = np.quantile(left, [0, 0.25, 0.5, 0.75, 1])
    names = ["mean", "standard deviation", "least", "first quartile", "median"]
    names += ["third quartile", "largest"]
    spread = left.std(ddof=1) if len(left) > 1 else np.nan
    return {"residuals": names, "value": np.asarray([left.mean(), spread, *quartiles]) * scale}
