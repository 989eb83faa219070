"""Errors of each item, averaged: squared, absolute, relative and on a logarithmic scale."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Definition, Ratio, Undefined, define
from assay.core.facts import NO_SETTINGS, Settings
from assay.core.parameters import Flag, Share, Weight
from assay.evidence.views.value_pairs import ValuePairs
from assay.measures.trace_tables import running_mean

ERROR = (0.0, np.inf)
NO_WEIGHT = "the item has no weight"


def weighted_errors(values: Floats, pairs: ValuePairs) -> Ratio:
    """Return a value for each item, to be averaged by weight; undefined ones are left out."""
    weight = np.where(np.isnan(values), 0, pairs.weight[0])
    return Ratio(np.where(np.isnan(values), 0, weight * values), weight)


@define(
    "MSE",
    better="lower",
    bounds=ERROR,
    unit="item",
    aggregate="micro",
    aliases=["mean_squared_error"],
    undefined=NO_WEIGHT,
    label="mean squared error",
    standard=True,
)
def squared_error(pairs: ValuePairs) -> Ratio:
    """The mean squared difference between value and prediction.

    >>> measure("MSE")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 4.])
    """
    return weighted_errors((pairs.predicted - pairs.truth) ** 2, pairs)


@define(
    "MAE",
    better="lower",
    bounds=ERROR,
    unit="item",
    aggregate="micro",
    aliases=["mean_absolute_error"],
    undefined=NO_WEIGHT,
    label="mean absolute error",
    standard=True,
)
def absolute_error(pairs: ValuePairs) -> Ratio:
    """The mean absolute difference between value and prediction.

    >>> measure("MAE")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 2.])
    """
    return weighted_errors(np.abs(pairs.predicted - pairs.truth), pairs)


@define(
    "bias",
    better="neither",
    bounds=(-np.inf, np.inf),
    unit="item",
    aggregate="micro",
    aliases=["mean_error", "MBE"],
    undefined=NO_WEIGHT,
    label="mean error",
)
def bias(pairs: ValuePairs) -> Ratio:
    """The mean of prediction − value: above 0 the predictions are too high.

    >>> measure("bias")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 2.])
    """
    return weighted_errors(pairs.predicted - pairs.truth, pairs)


@define(
    "MAPE",
    better="lower",
    bounds=ERROR,
    unit="item",
    aggregate="micro",
    aliases=["mean_absolute_percentage_error"],
    undefined="the true value is 0",
    variants=["MAPE(floor=0.5)", "MAPE(percent=true)"],
    label="mean absolute percentage error",
)
def percentage_error(pairs: ValuePairs, floor: Weight = 0.0, percent: Flag = False) -> Ratio:
    """The mean absolute error as a share of the true value.

    Where the truth is 0 there is no such share: the item is undefined, unless ``floor`` says the
    least value by which to divide. ``percent`` multiplies by 100.

    >>> measure("MAPE")(values([1, 2, 4, 0], [1, 2, 5, 1]).by("item"))
    array([0.  , 0.  , 0.25,  nan])
    """
    size = np.maximum(np.abs(pairs.truth), floor)
    share = ratio(np.abs(pairs.predicted - pairs.truth), size)
    return weighted_errors(100 * share if percent else share, pairs)


@define(
    "sMAPE",
    better="lower",
    bounds=(0, 200),
    unit="item",
    aggregate="micro",
    aliases=["smape"],
    undefined=NO_WEIGHT,
    variants=["sMAPE(percent=true)"],
    label="symmetric mean absolute percentage error",
)
def symmetric_percentage_error(pairs: ValuePairs, percent: Flag = False) -> Ratio:
    """The absolute error as a share of the mean size of truth and prediction, averaged.

    It lies between 0 and 2; where both are 0 there is no error. ``percent`` multiplies by 100.

    >>> measure("sMAPE")(values([1, 2, 0], [1, 6, 0]).by("item"))
    array([0., 1., 0.])
    """
    size = (np.abs(pairs.truth) + np.abs(pairs.predicted)) / 2
    share = np.nan_to_num(ratio(np.abs(pairs.predicted - pairs.truth), size))
    return weighted_errors(100 * share if percent else share, pairs)


@define(
    "MSLE",
    better="lower",
    bounds=ERROR,
    unit="item",
    aggregate="micro",
    aliases=["mean_squared_log_error"],
    undefined=Undefined(truth="a true value is −1 or less", answer="a prediction is −1 or less"),
    label="mean squared logarithmic error",
)
def squared_log_error(pairs: ValuePairs) -> Ratio:
    """The mean squared difference of log(1 + value): equal factors count equally.

    >>> measure("MSLE")(values([0, 1], [0, 3]).by("item")).round(3)
    array([0.  , 0.48])
    """
    logs = [np.log1p(np.where(side > -1, side, np.nan)) for side in (pairs.truth, pairs.predicted)]
    return weighted_errors((logs[0] - logs[1]) ** 2, pairs)


@define(
    "pinball",
    better="lower",
    bounds=ERROR,
    unit="item",
    aggregate="micro",
    aliases=["pinball_loss", "mean_pinball_loss", "quantile_loss"],
    undefined=NO_WEIGHT,
    variants=["pinball(alpha=0.9)"],
    label="pinball loss",
)
def pinball(pairs: ValuePairs, alpha: Share = 0.5) -> Ratio:
    """The loss of a predicted quantile: alpha per unit too low, 1 − alpha per unit too high.

    >>> measure("pinball:alpha=0.9")(values([3, 1], [1, 3]).by("item")).round(2)
    array([1.8, 0.2])
    """
    below = pairs.truth - pairs.predicted
    return weighted_errors(np.where(below >= 0, alpha * below, (alpha - 1) * below), pairs)


def _item_by_item(definition: Definition, name: str) -> None:
    """Declare that a measure shows the error of each item, what it makes of it, and the mean."""

    @definition.trace
    def trace(pairs: ValuePairs, s: Settings = NO_SETTINGS) -> Columns:
        """Return the error of each item and the mean so far."""
        values = definition(pairs, **vars(s))
        return {
            "item": pairs.items,
            "truth": pairs.truth,
            "predicted": pairs.predicted,
            "error": pairs.predicted - pairs.truth,
            name: values,
            "mean so far": running_mean(values, pairs.weight[0]),
        }


_item_by_item(squared_error, "square")
_item_by_item(absolute_error, "size")
_item_by_item(bias, "counts")
_item_by_item(percentage_error, "share of the truth")
_item_by_item(symmetric_percentage_error, "share of the mean size")
_item_by_item(squared_log_error, "square of the logarithms' difference")
_item_by_item(pinball, "loss")
