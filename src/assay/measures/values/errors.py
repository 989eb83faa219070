"""Errors of each item, deviances, and the likelihood of held-out items."""

from __future__ import annotations

from functools import partial

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Definition, Ratio, Undefined, define
from assay.core.facts import NO_SETTINGS, Settings
from assay.core.parameters import Flag, Number, Share, Weight
from assay.evidence.views.densities import Densities
from assay.evidence.views.value_pairs import ValuePairs
from assay.measures.trace_tables import running_mean

ERROR = (0.0, np.inf)
NO_WEIGHT = "the item has no weight"


def weighted_errors(values: Floats, pairs: ValuePairs) -> Ratio:
    """Return a value for each item, to be averaged by weight; undefined ones are left out."""
    if pairs.as_given and not np.isnan(values).any():
        return Ratio(values, pairs.weight[0])
    weight = np.where(np.isnan(values), 0, pairs.weight[0])
    return Ratio(np.where(np.isnan(values), 0, weight * values), weight)


define_error = partial(
    define, better="lower", bounds=ERROR, unit="item", aggregate="micro", undefined=NO_WEIGHT
)
"""Declare an error of each item, averaged by weight."""


@define_error("MSE", aliases=["mean_squared_error"], standard=True)
def mean_squared_error(pairs: ValuePairs) -> Ratio:
    """The mean squared difference between value and prediction.

    >>> measure("MSE")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 4.])
    """
    error = pairs.predicted - pairs.truth
    return weighted_errors(np.square(error, out=error), pairs)


@define_error("MAE", aliases=["mean_absolute_error"], standard=True)
def mean_absolute_error(pairs: ValuePairs) -> Ratio:
    """The mean absolute difference between value and prediction.

    >>> measure("MAE")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 2.])
    """
    error = pairs.predicted - pairs.truth
    return weighted_errors(np.abs(error, out=error), pairs)


@define_error("bias", better="neither", bounds=(-np.inf, np.inf), aliases=["mean_error", "MBE"])
def mean_error(pairs: ValuePairs) -> Ratio:
    """The mean of prediction − value: above 0 the predictions are too high.

    >>> measure("bias")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 2.])
    """
    return weighted_errors(pairs.predicted - pairs.truth, pairs)


@define_error(
    "MAPE",
    aliases=["mean_absolute_percentage_error"],
    undefined="the true value is 0",
    variants=["MAPE(floor=0.5)", "MAPE(percent=true)"],
)
def mean_absolute_percentage_error(
    pairs: ValuePairs, floor: Weight = 0.0, percent: Flag = False
) -> Ratio:
    """The mean absolute error as a share of the true value.

    Where the truth is 0 there is no such share: the item is undefined, unless ``floor`` says the
    least value by which to divide. ``percent`` multiplies by 100.

    >>> measure("MAPE")(values([1, 2, 4, 0], [1, 2, 5, 1]).by("item"))
    array([0.  , 0.  , 0.25,  nan])
    """
    size = np.maximum(np.abs(pairs.truth), floor)
    share = ratio(np.abs(pairs.predicted - pairs.truth), size)
    return weighted_errors(100 * share if percent else share, pairs)


@define_error("sMAPE", bounds=(0, 200), aliases=["smape"], variants=["sMAPE(percent=true)"])
def symmetric_mean_absolute_percentage_error(pairs: ValuePairs, percent: Flag = False) -> Ratio:
    """The absolute error as a share of the mean size of truth and prediction, averaged.

    It lies between 0 and 2; where both are 0 there is no error. ``percent`` multiplies by 100.

    >>> measure("sMAPE")(values([1, 2, 0], [1, 6, 0]).by("item"))
    array([0., 1., 0.])
    """
    size = (np.abs(pairs.truth) + np.abs(pairs.predicted)) / 2
    share = np.nan_to_num(ratio(np.abs(pairs.predicted - pairs.truth), size))
    return weighted_errors(100 * share if percent else share, pairs)


@define_error(
    "MSLE",
    aliases=["mean_squared_log_error"],
    undefined=Undefined(truth="a true value is −1 or less", answer="a prediction is −1 or less"),
)
def mean_squared_logarithmic_error(pairs: ValuePairs) -> Ratio:
    """The mean squared difference of log(1 + value): equal factors count equally.

    >>> measure("MSLE")(values([0, 1], [0, 3]).by("item")).round(3)
    array([0.  , 0.48])
    """
    logs = [np.log1p(np.where(side > -1, side, np.nan)) for side in (pairs.truth, pairs.predicted)]
    return weighted_errors((logs[0] - logs[1]) ** 2, pairs)


@define_error(
    "pinball",
    aliases=["pinball_loss", "mean_pinball_loss", "quantile_loss"],
    variants=["pinball(alpha=0.9)"],
)
def pinball_loss(pairs: ValuePairs, alpha: Share = 0.5) -> Ratio:
    """The loss of a predicted quantile: alpha per unit too low, 1 − alpha per unit too high.

    >>> measure("pinball:alpha=0.9")(values([3, 1], [1, 3]).by("item")).round(2)
    array([1.8, 0.2])
    """
    below = pairs.truth - pairs.predicted
    return weighted_errors(np.where(below >= 0, alpha * below, (alpha - 1) * below), pairs)


def _item_key(name: str) -> tuple[int, str]:
    """Return what puts items in order: numbers by size, other names by their letters."""
    return len(name) if name.isdecimal() else 0, name


def _item_by_item(definition: Definition, name: str) -> None:
    """Declare that a measure shows the error of each item, its contribution, and the mean."""

    @definition.trace
    def trace(pairs: ValuePairs, s: Settings = NO_SETTINGS) -> Columns:
        """Return the error of each item, in the order of their names, and the mean so far."""
        names = list(pairs.items)
        order = sorted(range(len(names)), key=lambda place: _item_key(names[place]))
        values, truth = definition(pairs, **vars(s))[order], pairs.truth[order]
        predicted = pairs.predicted[order]
        return {
            "item": [names[place] for place in order],
            "truth": truth,
            "predicted": predicted,
            "error": predicted - truth,
            name: values,
            "mean so far": running_mean(values, pairs.weight[0][order]),
        }


_item_by_item(mean_squared_error, "square")
_item_by_item(mean_absolute_error, "size")
_item_by_item(mean_error, "counts")
_item_by_item(mean_absolute_percentage_error, "share of the truth")
_item_by_item(symmetric_mean_absolute_percentage_error, "share of the mean size")
_item_by_item(mean_squared_logarithmic_error, "square of the logarithms' difference")
_item_by_item(pinball_loss, "loss")


@define_error(
    "PoissonDeviance",
    aliases=["poisson_deviance", "mean_poisson_deviance"],
    undefined=Undefined(truth="a true value is below 0", answer="a prediction is not above 0"),
    label="mean Poisson deviance",
)
def poisson_deviance(pairs: ValuePairs) -> Ratio:
    """How unlikely the counts are under the predicted means: 2 (y log(y / m) − y + m), averaged.

    >>> measure("PoissonDeviance")(values([2, 0], [2, 1]).by("item"))
    array([0., 2.])
    """
    return weighted_errors(_tweedie(pairs, 1.0), pairs)


@define_error(
    "GammaDeviance",
    aliases=["gamma_deviance", "mean_gamma_deviance"],
    undefined=Undefined(truth="a true value is not above 0", answer="a prediction is not above 0"),
)
def mean_gamma_deviance(pairs: ValuePairs) -> Ratio:
    """How unlikely positive values are under the predicted means: 2 (log(m / y) + y / m − 1).

    >>> measure("GammaDeviance")(values([2, 1], [2, 2]).by("item")).round(3)
    array([0.   , 0.386])
    """
    return weighted_errors(_tweedie(pairs, 2.0), pairs)


@define_error(
    "TweedieDeviance",
    aliases=["tweedie_deviance", "mean_tweedie_deviance"],
    undefined=Undefined(
        truth="a true value is outside the range of the power, or the power is between 0 and 1",
        answer="a prediction is not above 0",
    ),
    variants=["TweedieDeviance(power=1.5)", "TweedieDeviance(power=3)"],
    label="mean Tweedie deviance",
)
def tweedie_deviance(pairs: ValuePairs, power: Number = 0.0) -> Ratio:
    """The deviance whose variance grows with the mean to that power.

    0 is the squared error, 1 Poisson, 2 gamma, between 1 and 2 values that may be 0.

    >>> measure("TweedieDeviance:power=1.5")(values([2, 0], [2, 1]).by("item"))
    array([0., 4.])
    """
    return weighted_errors(_tweedie(pairs, power), pairs)


def _tweedie(pairs: ValuePairs, power: float) -> Floats:
    from scipy.special import xlogy

    if power == 0:
        return (pairs.truth - pairs.predicted) ** 2
    true = pairs.truth
    fits = (pairs.predicted > 0) & (
        true > 0 if power >= 2 else true >= 0 if power >= 1 else true == true
    )
    y, m = np.where(fits, true, 1.0), np.where(fits, pairs.predicted, 1.0)
    if power == 1:
        deviance = xlogy(y, y / m) - y + m
    elif power == 2:
        deviance = np.log(m / y) + y / m - 1
    else:
        deviance = (
            np.maximum(y, 0) ** (2 - power) / ((1 - power) * (2 - power))
            - y * m ** (1 - power) / (1 - power)
            + m ** (2 - power) / (2 - power)
        )
    allowed = fits & (not 0 < power < 1)
    # A perfect prediction can come out a rounding below 0.
    return np.where(allowed, np.maximum(2 * deviance, 0), np.nan)


FLOOR = 1e-15


@define(
    "LogLik",
    bounds=(-np.inf, np.inf),
    unit="item",
    aggregate="micro",
    aliases=["log_likelihood"],
    undefined="the item has no weight",
    label="mean log-likelihood",
    standard=True,
)
def log_likelihood(densities: Densities, floor: Weight = FLOOR) -> Ratio:
    """The mean log density that the model gives to held-out items.

    A density below ``floor`` counts as that much, so that one impossible item does not decide
    alone. Only models of the same quantity in the same unit can be compared.

    >>> measure("LogLik")(densities([1, 0.5]).by("item")).round(3)
    array([ 0.   , -0.693])
    """
    logs = np.log(np.maximum(densities.density, floor))
    return Ratio(densities.weight * logs, densities.weight)
