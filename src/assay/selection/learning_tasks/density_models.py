"""Models of a density or of a probability mass function, fitted by maximum likelihood."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.measures.values.errors import FLOOR
from assay.selection.scaling import standard_scale
from assay.tasks.regression.histogram_density import density_at, histogram_density

BINS = (2, 3, 5, 8, 12, 18, 27, 40, 60, 90)
WIDTHS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0)
"""Bandwidths that are tried, as multiples of Scott's rule."""
MOST_COMPONENTS = 6
FOLDS = 5


@dataclass(frozen=True)
class DensityModel:
    """A fitted model: its density, its distribution function and its parameters."""

    density: Callable[[Floats], Floats]
    """Takes items × dimensions."""
    distribution: Callable[[Floats], Floats] | None
    """P(X ≤ x) of numbers; None in several dimensions."""
    parameters: float
    """Their number; NaN for kernels, which are as many as items."""
    about: str


Fit = Callable[[Floats], DensityModel]


class NoFit(Exception):
    """Why a model does not fit the data."""


def _folds(size: int) -> list[tuple[Any, Any]]:
    """Return training and test rows of inner folds."""
    parts = np.arange(size) % min(FOLDS, size)
    return [
        (np.flatnonzero(parts != n), np.flatnonzero(parts == n)) for n in range(parts.max() + 1)
    ]


def mean_log(density: Floats) -> float:
    """Return the mean log-likelihood; a density of 0 counts as the floor of LogLik."""
    return float(np.log(np.maximum(density, FLOOR)).mean())


def histogram(values: Floats, bins: int) -> DensityModel:
    """Return the histogram of numbers, or the product of those of each dimension."""
    made = [histogram_density(column, bins) for column in values.T]

    def density(given: Floats) -> Floats:
        """Return the density of each item."""
        columns = [density_at(x, *own) for x, own in zip(given.T, made, strict=True)]
        return np.prod(columns, axis=0)

    def distribution(given: Floats) -> Floats:
        """Return the share of the histogram up to each number."""
        edges, heights = made[0]
        below = np.concatenate([[0.0], np.cumsum(heights * np.diff(edges))])
        return np.interp(given[:, 0], edges, below, left=0.0, right=1.0)

    single = values.shape[1] == 1
    return DensityModel(
        density,
        distribution if single else None,
        (bins - 1) * values.shape[1],
        f"{bins} bins" if single else f"{bins} bins in each dimension",
    )


def bin_likelihoods(values: Floats) -> dict[int, float]:
    """Return the mean log-likelihood of held-out folds by the number of bins."""
    return {
        bins: float(
            np.mean(
                [
                    mean_log(histogram(values[a], bins).density(values[b]))
                    for a, b in _folds(len(values))
                ]
            )
        )
        for bins in BINS
        if bins <= max(len(values) // 2, 2)
    }


def _histogram(values: Floats) -> DensityModel:
    found = bin_likelihoods(values)
    return histogram(values, max(found, key=lambda bins: found[bins]))


def _kernel(values: Floats) -> DensityModel:
    """Gaussian kernels; the bandwidth has the highest likelihood of held-out folds."""
    from scipy.stats import norm
    from sklearn.neighbors import KernelDensity

    size, dimensions = values.shape
    scale = standard_scale(values)[1]
    scaled, scott = values / scale, size ** (-1 / (dimensions + 4))

    def likelihood(width: float) -> float:
        """Return the mean log-likelihood of held-out folds."""
        return float(
            np.mean(
                [
                    np.maximum(
                        KernelDensity(bandwidth=width).fit(scaled[a]).score_samples(scaled[b]),
                        np.log(FLOOR),
                    ).mean()
                    for a, b in _folds(size)
                ]
            )
        )

    width = max((factor * scott for factor in WIDTHS), key=likelihood)
    model = KernelDensity(bandwidth=width).fit(scaled)

    def distribution(given: Floats) -> Floats:
        """Return the mean distribution of the kernels, some numbers at a time."""
        pieces = np.array_split(given[:, 0] / scale[0], max(1, len(given) * size // 2_000_000))
        return np.concatenate(
            [norm.cdf((piece[:, None] - scaled[:, 0]) / width).mean(axis=1) for piece in pieces]
        )

    return DensityModel(
        lambda given: np.exp(model.score_samples(given / scale)) / np.prod(scale),
        distribution if dimensions == 1 else None,
        np.nan,
        f"bandwidth {width * scale[0]:.4g}" if dimensions == 1 else f"bandwidth {width:.4g} sd",
    )


def _mixture(values: Floats) -> DensityModel:
    """Gaussians with the lowest BIC of up to six."""
    from scipy.stats import norm
    from sklearn.mixture import GaussianMixture

    most = min(MOST_COMPONENTS, len(values) // 5)
    if most < 2:
        raise NoFit("there are too few items")
    fits = [GaussianMixture(k, random_state=0, n_init=3).fit(values) for k in range(2, most + 1)]
    model = min(fits, key=lambda each: float(each.bic(values)))
    weights, means = model.weights_, model.means_[:, 0]
    spreads = np.sqrt(model.covariances_[:, 0, 0])
    return DensityModel(
        lambda given: np.exp(model.score_samples(given)),
        (lambda given: norm.cdf((given - means) / spreads) @ weights)
        if values.shape[1] == 1
        else None,
        int(model._n_parameters()),
        f"{model.n_components} components",
    )


def _gaussian(values: Floats) -> DensityModel:
    from scipy.stats import multivariate_normal, norm

    dimensions = values.shape[1]
    mean, covariance = values.mean(axis=0), np.cov(values.T, bias=True).reshape(dimensions, -1)
    try:
        model = multivariate_normal(mean, covariance)
    except (np.linalg.LinAlgError, ValueError):
        raise NoFit("a feature does not vary, or depends on others") from None
    spread = float(np.sqrt(covariance[0, 0]))
    single = dimensions == 1
    return DensityModel(
        lambda given: np.atleast_1d(model.pdf(given)),
        (lambda given: norm.cdf(given[:, 0], mean[0], spread)) if single else None,
        dimensions + dimensions * (dimensions + 1) // 2,
        f"mean {mean[0]:.4g}, sd {spread:.4g}" if single else "mean and covariance",
    )


def _family(name: str, positive: bool, **fixed: Any) -> Fit:
    """Return what fits a continuous family of SciPy by maximum likelihood."""

    def fit(values: Floats) -> DensityModel:
        """Fit the family."""
        import scipy.stats

        numbers = values[:, 0]
        if positive and not numbers.min() > 0:
            raise NoFit("not all values are above 0")
        if not np.ptp(numbers) > 0:
            raise NoFit("all values are equal")
        family = getattr(scipy.stats, name)
        found = family.fit(numbers, **fixed)
        model = family(*found)
        shown = [
            f"{PARAMETERS[key]} {value:.4g}"
            for value, key in zip(found, _names(family), strict=True)
            if f"f{key}" not in fixed
        ]
        return DensityModel(
            lambda given: model.pdf(given[:, 0]),
            lambda given: model.cdf(given[:, 0]),
            len(shown),
            ", ".join(shown),
        )

    return fit


PARAMETERS = {"s": "shape", "a": "shape", "c": "shape", "loc": "location", "scale": "scale"}
"""The names of the parameters of SciPy's families; the shape of log-normal is the sd of logs."""


def _names(family: Any) -> list[str]:
    """Return the parameters of a family in the order of ``fit``."""
    shapes = family.shapes.split(", ") if family.shapes else []
    return [*shapes, "loc", "scale"]


NUMBERS: Mapping[str, Fit] = {
    "histogram": _histogram,
    "kernel": _kernel,
    "mixture": _mixture,
    "normal": _gaussian,
    "log-normal": _family("lognorm", True, floc=0),
    "exponential": _family("expon", True, floc=0),
    "gamma": _family("gamma", True, floc=0),
    "weibull": _family("weibull_min", True, floc=0),
    "laplace": _family("laplace", False),
}
"""Models of one number."""
SEVERAL: Mapping[str, Fit] = {
    "histogram": _histogram,
    "kernel": _kernel,
    "mixture": _mixture,
    "normal": _gaussian,
}
"""Models of several numbers at once."""
