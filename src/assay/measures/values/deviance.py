"""Deviances, and the likelihood of held-out items."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Number, Weight
from assay.evidence.views.densities import Densities
from assay.evidence.views.value_pairs import ValuePairs
from assay.measures.values.errors import define_error, weighted_errors


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
    label="mean gamma deviance",
)
def gamma_deviance(pairs: ValuePairs) -> Ratio:
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
