"""Probability mass functions of counts, and which models fit which data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.selection.learning_tasks.density_models import (
    NUMBERS,
    SEVERAL,
    DensityModel,
    Fit,
    NoFit,
)


def _discrete(model: Any, parameters: int, about: str) -> DensityModel:
    return DensityModel(
        lambda given: model.pmf(given[:, 0]),
        lambda given: model.cdf(given[:, 0]),
        parameters,
        about,
    )


def _poisson(values: Floats) -> DensityModel:
    from scipy.stats import poisson

    mean = float(values.mean())
    return _discrete(poisson(mean), 1, f"mean {mean:.4g}")


def _geometric(values: Floats) -> DensityModel:
    from scipy.stats import geom

    chance = 1 / (1 + float(values.mean()))
    return _discrete(geom(chance, loc=-1), 1, f"p {chance:.4g}")


def _negative_binomial(values: Floats) -> DensityModel:
    """The size by maximum likelihood; the mean is that of the data."""
    from scipy.optimize import minimize_scalar
    from scipy.stats import nbinom

    mean, numbers = float(values.mean()), values[:, 0]
    if not numbers.var() > mean:
        raise NoFit("the variance is not above the mean: Poisson is its limit")

    def loss(log_size: float) -> float:
        """Return the negative log-likelihood of a size."""
        size = np.exp(log_size)
        return -float(nbinom.logpmf(numbers, size, size / (size + mean)).sum())

    size = float(np.exp(minimize_scalar(loss, bounds=(-6, 12), method="bounded").x))
    return _discrete(nbinom(size, size / (size + mean)), 2, f"size {size:.4g}, mean {mean:.4g}")


def _shares(values: Floats) -> DensityModel:
    """The share of each number, with half a pseudo-count up to one more than the largest."""
    numbers = values[:, 0].astype(np.int64)
    counts = np.bincount(numbers, minlength=int(numbers.max()) + 2) + 0.5
    shares = counts / counts.sum()
    below = np.cumsum(shares)
    most = len(shares) - 1

    def at(table: Floats, given: Floats, beyond: float) -> Floats:
        """Return the entry of each number, and what is beyond the table."""
        asked = given[:, 0].astype(np.int64)
        return np.where(
            asked > most, beyond, np.where(asked < 0, 0.0, table[np.clip(asked, 0, most)])
        )

    return DensityModel(
        lambda given: at(shares, given, 0.0),
        lambda given: at(below, given, 1.0),
        most,
        f"{most + 1} shares",
    )


COUNTS: Mapping[str, Fit] = {
    "shares": _shares,
    "poisson": _poisson,
    "geometric": _geometric,
    "negative-binomial": _negative_binomial,
}
"""Models of whole numbers from 0: probability mass functions."""
FAMILIES = (
    "normal",
    "log-normal",
    "exponential",
    "gamma",
    "weibull",
    "laplace",
    "poisson",
    "geometric",
    "negative-binomial",
)
"""Models with few parameters, of which one is chosen by fit."""


def models_for(values: Floats, discrete: bool) -> Mapping[str, Fit]:
    """Return the models that can be fitted to the data."""
    if not discrete:
        return NUMBERS if values.shape[1] == 1 else SEVERAL
    if values.shape[1] > 1 or (values < 0).any() or (values % 1 != 0).any():
        raise DataError("a probability mass function is of one column of whole numbers from 0")
    return COUNTS
