"""What intervals in closed form share."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats

MANY_ITEMS = 20_000
"""Beyond this an interval is taken from a formula: resamples would give the same, slowly."""


def normal_margin(error: float, confidence: float) -> float:
    """Return how far a normal interval reaches on each side."""
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2)) * error


def influence_error(moved: Floats) -> float:
    """Return the standard error of a number, from how much each item moves it."""
    return float(np.sqrt((moved**2).sum()))
