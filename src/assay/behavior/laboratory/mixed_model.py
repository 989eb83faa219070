"""Linear mixed models with crossed random effects, fitted by REML.

``outcome ~ system + order + (1|participant) + (1|task)``: the variance of the outcomes is
σ²ₑ(I + Σ λ²ₖ ZₖZₖ'), one term for each grouping. Tests take the degrees of freedom of
Satterthwaite, so that few participants do not make them too optimistic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError

SMALLEST = 1e-5
"""A random effect with a smaller relative standard deviation is none."""


@dataclass(frozen=True)
class MixedFit:
    """Fixed effects with their covariance, and the variance of each grouping and of the rest."""

    effects: Floats
    covariance: Floats
    variances: Floats
    """One for each grouping, and the residual variance last."""
    slopes: Floats
    """How the covariance of the effects changes with each variance that is above 0."""
    information: Floats
    """The covariance of these variances."""

    def error(self, contrast: Floats) -> float:
        """Return the standard error of a contrast of the effects."""
        return math.sqrt(float(contrast @ self.covariance @ contrast))

    def freedom(self, contrast: Floats) -> float:
        """Return the degrees of freedom of a contrast, by Satterthwaite."""
        value = float(contrast @ self.covariance @ contrast)
        gradient = np.array([float(contrast @ slope @ contrast) for slope in self.slopes])
        return 2 * value**2 / float(gradient @ self.information @ gradient)

    def f_test(self, contrasts: Floats) -> tuple[float, float, float]:
        """Return F, its denominator degrees of freedom and its p-value for several contrasts."""
        from scipy.special import fdtrc

        inner = contrasts @ self.covariance @ contrasts.T
        values, vectors = np.linalg.eigh(inner)
        turned = vectors.T @ contrasts
        count = len(contrasts)
        statistics = (turned @ self.effects) ** 2 / values
        value = float(statistics.sum()) / count
        freedoms = np.array([self.freedom(row) for row in turned])
        below = _combined_freedom(freedoms, count)
        return value, below, float(fdtrc(count, below, value))


def _combined_freedom(freedoms: Floats, count: int) -> float:
    """Return the degrees of freedom of a sum of squared t-values (Fai and Cornelius)."""
    usable = freedoms[freedoms > 2]
    expected = float((usable / (usable - 2)).sum())
    if len(usable) < len(freedoms) or expected <= count:
        return float(freedoms.min())
    return 2 * expected / (expected - count)


@dataclass(frozen=True)
class _Products:
    """Products of fixed effects X, groups Z and outcomes y: all that the likelihood needs.

    They are small, for there are far fewer groups than trials (Woodbury's identity).
    """

    groups: Floats
    """Z'Z."""
    sides: Floats
    """Z'[X y]."""
    inner: Floats
    """[X y]'[X y]."""
    grouping: Ints
    """The grouping of each column of Z."""
    rows: int

    @classmethod
    def of(cls, outcome: Floats, fixed: Floats, groupings: Sequence[Ints]) -> _Products:
        """Return the products of the rows."""
        sizes = [int(group.max()) + 1 for group in groupings]
        indicators = np.column_stack(
            [
                (group[:, None] == np.arange(size)).astype(np.float64)
                for group, size in zip(groupings, sizes, strict=True)
            ]
        )
        both = np.column_stack([fixed, outcome])
        return cls(
            indicators.T @ indicators,
            indicators.T @ both,
            both.T @ both,
            np.repeat(np.arange(len(sizes)), sizes),
            len(outcome),
        )

    def weighted(self, scales: Floats, left: Floats, right: Floats, plain: Floats) -> Floats:
        """Return A'V⁻¹B in units of the residual variance, from Z'A, Z'B and A'B."""
        wide = scales[self.grouping]
        middle = np.eye(len(wide)) + wide[:, None] * self.groups * wide
        shrunk = np.linalg.solve(middle, wide[:, None] * right)
        return plain - (wide[:, None] * left).T @ shrunk


def fit_mixed(outcome: Floats, fixed: Floats, groupings: Sequence[Ints]) -> MixedFit:
    """Fit a model by REML; each grouping numbers the group of every row."""
    from scipy.optimize import minimize

    rows, columns = fixed.shape
    if rows <= columns or np.linalg.matrix_rank(fixed) < columns:
        raise DataError(
            "the model cannot be fitted: there are too few trials, or system and order cannot be"
            " separated; leave out `order`"
        )
    if np.ptp(outcome) == 0:
        raise DataError("the model cannot be fitted: the outcomes do not vary")
    products = _Products.of(outcome - outcome.mean(), fixed, groupings)

    def deviance(scales: Floats) -> float:
        """Return the REML criterion, up to a constant."""
        return _reml(products, scales)[0]

    starts = [np.full(len(groupings), start) for start in (0.5, 1.5)]
    bounds = [(0.0, 1e3)] * len(groupings)
    tries = [minimize(deviance, start, bounds=bounds, method="L-BFGS-B") for start in starts]
    best = min(tries, key=lambda each: float(each.fun))
    scales = np.where(best.x < SMALLEST, 0.0, best.x)
    fit = _complete(products, scales)
    fit.effects[0] += outcome.mean()
    return fit


def _reml(products: _Products, scales: Floats) -> tuple[float, float, Floats]:
    """Return the REML criterion, the residual variance and the effects."""
    wide = scales[products.grouping]
    middle = np.eye(len(wide)) + wide[:, None] * products.groups * wide
    whole = products.weighted(scales, products.sides, products.sides, products.inner)
    inner, right = whole[:-1, :-1], whole[:-1, -1]
    effects = np.linalg.solve(inner, right).astype(np.float64)
    freedom = products.rows - len(effects)
    variance = float(whole[-1, -1] - right @ effects) / freedom
    logs = float(np.linalg.slogdet(middle)[1]) + float(np.linalg.slogdet(inner)[1])
    return logs + freedom * math.log(max(variance, 1e-300)), variance, effects


def _complete(products: _Products, scales: Floats) -> MixedFit:
    """Return the fit at the best scales, with what Satterthwaite's degrees of freedom need."""
    _, variance, effects = _reml(products, scales)
    variances = np.append(scales**2, 1.0) * variance
    sides = products.sides[:, :-1]
    plain = products.weighted(scales, sides, sides, products.inner[:-1, :-1]) / variance
    covariance = np.linalg.inv(plain).astype(np.float64)
    outer = products.weighted(scales, products.groups, sides, sides) / variance
    inner = products.weighted(scales, products.groups, products.groups, products.groups)
    projected = inner / variance - outer @ covariance @ outer.T
    active = [n for n in range(len(scales)) if scales[n] > 0]
    parts = [np.flatnonzero(products.grouping == n) for n in active]
    sizes = variances[[*active, len(scales)]]
    slopes = [outer[part].T @ outer[part] for part in parts]
    rest = (plain - _added(sizes[:-1], slopes, plain)) / sizes[-1]
    turned = np.array([covariance @ each @ covariance for each in (*slopes, rest)])
    expected = _expected_information(projected, parts, sizes, products.rows - len(effects))
    information = np.linalg.inv(expected).astype(np.float64)
    return MixedFit(effects, covariance, variances, turned, information)


def _added(sizes: Floats, parts: Sequence[Floats], like: Floats) -> Floats:
    total = np.zeros_like(like)
    for size, part in zip(sizes, parts, strict=True):
        total = total + size * part
    return total


def _expected_information(
    projected: Floats, parts: Sequence[Ints], sizes: Floats, freedom: int
) -> Floats:
    """Return the expected information of the variances, from Z'PZ.

    P is V⁻¹ without the fixed effects. Since PVP = P, the terms of the residual variance follow
    from those of the groupings.
    """
    count = len(parts)
    table = np.zeros((count + 1, count + 1))
    traces = np.array([float(np.trace(projected[np.ix_(part, part)])) for part in parts])
    for one, first in enumerate(parts):
        for other, second in enumerate(parts):
            table[one, other] = float((projected[np.ix_(first, second)] ** 2).sum())
        table[one, count] = (traces[one] - float(table[one, :count] @ sizes[:-1])) / sizes[-1]
        table[count, one] = table[one, count]
    trace = (freedom - float(traces @ sizes[:-1])) / sizes[-1]
    table[count, count] = (trace - float(table[count, :count] @ sizes[:-1])) / sizes[-1]
    return table / 2
