"""Intervals in closed form: Student's t and the normal distribution, margins, skewed means.

The distributions are computed without SciPy, whose import takes 0.2 s.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from assay.core.arrays import Floats, power_of_two

_STEPS = 200
_TINY = 1e-300
_NO_LEAN = 1e-9
FEW_ITEMS = 10
"""Up to so many items their skewness cannot be seen."""
FEW_OUTCOMES = 10
"""A share with fewer successes, or failures, has Wilson's interval."""
MANY_ITEMS = 20_000
"""Beyond this an interval is taken from a formula: resamples would give the same, slowly."""


def normal_cdf(point: float) -> float:
    """Return the share of the normal distribution below a point."""
    return math.erfc(-point / math.sqrt(2)) / 2


@lru_cache(maxsize=64)
def student_quantile(freedom: float, share: float) -> float:
    """Return the point of Student's t with this share below it, for shares up to one half."""
    low, high = -1.0, 0.0
    while student_cdf(freedom, low) > share:
        low, high = 2 * low, low
    point = (low + high) / 2
    for _ in range(_STEPS):
        away = student_cdf(freedom, point) - share
        low, high = (low, point) if away > 0 else (point, high)
        better = point - away / _student_density(freedom, point)
        if not low < better < high:
            better = (low + high) / 2
        if abs(better - point) <= 4e-16 * abs(point):
            break
        point = better
    return point


def _student_density(freedom: float, point: float) -> float:
    front = _log_gamma_half_step(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(front - (freedom + 1) / 2 * math.log1p(point * point / freedom))


def student_cdf(freedom: float, point: float) -> float:
    """Return the share of Student's t below a point that is not above 0."""
    total = freedom + point * point
    return incomplete_beta(freedom / 2, 0.5, freedom / total, point * point / total) / 2


def incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularized incomplete beta function of x = 1 - rest, where a or b is 1/2."""
    if x == 0 or rest == 0:
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, rest, x)
    powers = a * _log(x, rest) + b * _log(rest, x)
    front = math.exp(_log_gamma_half_step(max(a, b)) - math.log(math.pi) / 2 + powers) / a
    value, upper, lower = 1.0, 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value *= lower
    for m in range(1, _STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            lower = 1 / _nonzero(1 + term * lower)
            upper = _nonzero(1 + term / upper)
            value *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return front * value


def _log(x: float, rest: float) -> float:
    """Return the logarithm of x = 1 - rest, from the smaller of the two."""
    return math.log(x) if x < rest else math.log1p(-rest)


def _log_gamma_half_step(a: float) -> float:
    """Return ln Γ(a + 1/2) - ln Γ(a), by its series where the difference would lose digits."""
    if a < 50:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    inverse = 1 / a
    return math.log(a) / 2 - inverse / 8 + inverse**3 / 192 - inverse**5 / 640


def _nonzero(value: float) -> float:
    """Return a denominator that is never 0."""
    return value if abs(value) > _TINY else _TINY


def normal_margin(error: float, confidence: float) -> float:
    """Return how far a normal interval reaches on each side."""
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2)) * error


def skewed_mean_ends(values: Floats, confidence: float) -> tuple[float, float]:
    """Return the interval of the mean of values that are not negative and skewed, such as errors.

    Hall's cubic transformation of Student's t removes the skewness; the lower end is at least 0.
    """
    scale = power_of_two(values)
    values = values / scale
    size, mean = len(values), float(values.mean())
    away = values - mean
    spread = float(np.sqrt((away**2).mean()))
    if size < 2 or spread == 0:
        return math.nan, math.nan
    error = spread / math.sqrt(size - 1)
    lean = float(((away / spread) ** 3).mean()) / math.sqrt(size)
    far = -student_quantile(size - 1, (1 - confidence) / 2)
    sides: tuple[float, ...] = (far, -far)
    if abs(lean) >= _NO_LEAN:  # Student's t whose transform, t + at²/3 + a²t³/27 + a/6, is ± far.
        roots = (float(np.cbrt(1 + lean * (side - lean / 6))) for side in sides)
        sides = tuple(3 / lean * (root - 1) for root in roots)
    low, high = (scale * (mean - error * side) for side in sides)
    return max(low, 0.0), high


def wilson_center(
    successes: Floats, trials: Floats, confidence: float
) -> tuple[Floats, Floats, Floats]:
    """Return each share, the middle of Wilson's interval, and how far its ends are from there."""
    z, share = normal_margin(1.0, confidence), successes / trials
    middle = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    reach = z * np.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    return share, middle, reach / (1 + z**2 / trials)


def share_reach(right: Floats, items: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return how far the ends of Wilson's interval of each share are below and above it."""
    share, middle, reach = wilson_center(right, items, confidence)
    return share - middle + reach, middle + reach - share


def difference_reach(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> tuple[float, float]:
    """Return how far the ends of the interval of a difference are below and above it.

    Each of the two is a number with its low and its high end (MOVER; of shares with Wilson's
    intervals it is Newcombe's).
    """
    (value, low, high), (other_value, other_low, other_high) = one, other
    return (
        math.hypot(value - low, other_high - other_value),
        math.hypot(high - value, other_value - other_low),
    )


def influence_error(moved: Floats) -> float:
    """Return the standard error of a number, from how much each item moves it."""
    return float(np.sqrt((moved**2).sum()))
