"""Intervals of means over draws: of labeled items, or of pairs of samples."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.closed_form_intervals import student_quantile
from assay.statistics.intervals.interval_settings import (
    NO_INTERVAL,
    TOO_FEW,
    Bootstrap,
    Interval,
)

SKEWED_T = "t, widened for skewness"


def draw_interval(values: Floats, used: Bootstrap | None, bounds: tuple[float, float]) -> Interval:
    """Return Student's t interval of the mean over draws; none where all draws are equal.

    Most draws are near the best value, and a few far below it: Johnson's (1978) term for skewness
    moves the end on that side outward, and the other end stays.
    """
    if used is None:
        return Interval(np.nan, np.nan, "")
    size, mean = len(values), float(values.mean())
    if size < 2:
        return Interval(np.nan, np.nan, TOO_FEW)
    if not np.ptp(values) > 0:
        return NO_INTERVAL
    spread = float(values.std(ddof=1))
    skewness = float(((values - mean) ** 3).mean()) / spread**3
    quantile = -student_quantile(size - 1, (1 - used.confidence) / 2)
    reach = quantile * spread / np.sqrt(size)
    shift = skewness * spread / (6 * size) * (1 + 2 * quantile**2)
    low, high = mean - reach + min(shift, 0.0), mean + reach + max(shift, 0.0)
    return Interval(float(np.clip(low, *bounds)), float(np.clip(high, *bounds)), SKEWED_T)
