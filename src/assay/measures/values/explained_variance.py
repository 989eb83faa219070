"""How much of the spread of the true values the predictions explain."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.core.parameters import Flag
from assay.evidence.views.value_pairs import ValueMoments
from assay.measures.standard_errors import MANY_ITEMS, influence_error, normal_margin
from assay.measures.trace_tables import trace_lines

CONSTANT = "the true values do not vary"


@define(
    "R2",
    bounds=(-np.inf, 1),
    aggregate="whole",
    aliases=["r2", "r2_score", "rsq_trad"],
    undefined=CONSTANT,
    variants=["R2(finite=true)"],
    label="coefficient of determination",
    standard=True,
)
def determination(values: ValueMoments, finite: Flag = False) -> Floats:
    """1 − squared error / squared error of always predicting the mean.

    1 is perfect, 0 no better than the mean, below 0 worse. It is undefined where the true values
    do not vary; with ``finite`` it is then 1 if they are met, and otherwise 0.

    >>> measure("R2")(values([1, 2, 3, 4], [1, 2, 3, 5]))
    array([0.8])
    """
    moments = values.moments
    value = 1 - relative_error(moments, moments.squared_error)
    return _finite(value, moments.squared_error) if finite else value


@determination.interval
def determination_interval(
    values: ValueMoments, confidence: float, s: Settings
) -> tuple[float, float] | None:
    """Return the interval from the influence of each item, if there are many items."""
    if values.pairs is None or len(values.pairs.arranged[0]) <= MANY_ITEMS:
        return None
    if not values.of_truth[0]:
        return np.nan, np.nan
    truth, predicted, weight = values.pairs.arranged
    scale, unit = values.error_scale, values.truth_scale
    left, spread = relative_error(values, values.squared_error)[0], values.of_truth[0]
    from_mean = (truth / unit - values.truth[0]) ** 2
    squares = ((truth / scale - predicted / scale) * (scale / unit)) ** 2
    moved = weight[0] * (left * from_mean - squares) / spread
    value = float(determination(values)[0])
    far = normal_margin(influence_error(moved), confidence)
    return value - far, min(value + far, 1.0)


@determination.trace
def determination_trace(values: ValueMoments, s: Settings) -> Columns:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    return trace_lines(
        {
            "mean of the truth": moments.truth[0] + moments.truth_rest[0],
            "Σ (truth − mean)²": moments.of_truth[0],
            "Σ (truth − prediction)²": moments.squared_error[0],
            "R2: 1 − their quotient": determination(values, finite=s.finite)[0],
        }
    )


@define(
    "EV",
    bounds=(-np.inf, 1),
    aggregate="whole",
    aliases=["explained_variance", "explained_variance_score"],
    undefined=CONSTANT,
    variants=["EV(finite=true)"],
    label="explained variance",
)
def explained_variance(values: ValueMoments, finite: Flag = False) -> Floats:
    """1 − variance of the errors / variance of the true values: R2 without a constant error.

    >>> measure("EV")(values([1, 2, 3, 4], [2, 3, 4, 5]))
    array([1.])
    """
    moments = values.moments
    left = np.maximum(moments.squared_error - moments.weight * moments.shift**2, 0)
    value = 1 - relative_error(moments, left)
    return _finite(value, left) if finite else value


@explained_variance.trace
def explained_trace(values: ValueMoments, s: Settings) -> Columns:
    """Return the quantities of the formula, line by line."""
    moments = values.moments.in_units_of_values()
    return trace_lines(
        {
            "Σ (truth − mean)²": moments.of_truth[0],
            "Σ (truth − prediction)²": moments.squared_error[0],
            "of it by the mean error: items · (mean error)²": moments.weight[0]
            * moments.shift[0] ** 2,
            "EV: 1 − (error without that) / Σ (truth − mean)²": explained_variance(
                values, finite=s.finite
            )[0],
        }
    )


def relative_error(moments: ValueMoments, left: Floats) -> Floats:
    """Return a sum of squared errors over that of the true values around their mean."""
    unit = moments.error_scale / moments.truth_scale
    return ratio(left, moments.of_truth) * unit * unit


def _finite(value: Floats, left: Floats) -> Floats:
    return np.where(np.isnan(value), np.where(left == 0, 1.0, 0.0), value)
