"""What intervals in closed form share."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.scaling import power_of_two
from assay.core.student_distribution import student_quantile

_NO_LEAN = 1e-9
FEW_ITEMS = 10
"""Up to so many items their skewness cannot be seen."""
FEW_OUTCOMES = 10
"""A share with fewer successes, or failures, has Wilson's interval."""
MANY_ITEMS = 20_000
"""Beyond this an interval is taken from a formula: resamples would give the same, slowly."""


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
    low, high = (scale * (mean - error * _hall_inverse(side, lean)) for side in (far, -far))
    return max(low, 0.0), high


def _hall_inverse(point: float, lean: float) -> float:
    """Return Student's t whose transform is this point: t + at²/3 + a²t³/27 + a/6."""
    if abs(lean) < _NO_LEAN:
        return point
    return 3 / lean * (float(np.cbrt(1 + lean * (point - lean / 6))) - 1)


def share_reach(right: Floats, items: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return how far the ends of Wilson's interval of each share are below and above it."""
    z, share = normal_margin(1.0, confidence), right / items
    middle = (share + z**2 / (2 * items)) / (1 + z**2 / items)
    reach = z * np.sqrt(share * (1 - share) / items + (z / (2 * items)) ** 2) / (1 + z**2 / items)
    return share - middle + reach, middle + reach - share


def influence_error(moved: Floats) -> float:
    """Return the standard error of a number, from how much each item moves it."""
    return float(np.sqrt((moved**2).sum()))
