"""What intervals in closed form share."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats

FEW_OF_A_CLASS = 50
"""Up to so many items of a class the area under the ROC curve is skewed."""
MANY_ITEMS = 20_000
"""Beyond this an interval is taken from a formula: resamples would give the same, slowly."""


def normal_margin(error: float, confidence: float) -> float:
    """Return how far a normal interval reaches on each side."""
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2)) * error


def log_odds_ends(value: float, error: float, confidence: float) -> tuple[float, float]:
    """Return the ends of an interval of a share that is symmetric in its log-odds."""
    middle = math.log(value / (1 - value))
    far = normal_margin(error / (value * (1 - value)), confidence)
    low, high = (1 / (1 + math.exp(-(middle + side))) for side in (-far, far))
    return low, high


def influence_error(moved: Floats) -> float:
    """Return the standard error of a number, from how much each item moves it."""
    return float(np.sqrt((moved**2).sum()))
