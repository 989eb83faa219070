"""What stands in place of an interval without width: every resample gave the same number.

Such an interval does not say how sure the number is, but that resamples cannot tell. Where all
units are at a bound of a measure, Wilson's interval tells (with up to ten units, Clopper and
Pearson's): a unit that is elsewhere was not drawn, and is at most as far away as the other bound.
Else there is no interval.
"""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals import interval_ends
from assay.statistics.intervals.few_units import MOST
from assay.statistics.intervals.interval_settings import (
    AT_BOUND_METHOD,
    EXACT_SHARE,
    NO_WIDTH,
    Interval,
)

UNBOUNDED = (-math.inf, math.inf)
ROUNDING = 1e-12
"""Numbers that differ by less, relative to their size, are equal."""
NO_INTERVAL = Interval(math.nan, math.nan, NO_WIDTH)


def all_equal(numbers: Floats) -> bool:
    """Whether there are at least two numbers, and no two differ by more than their rounding."""
    known = numbers[~np.isnan(numbers)]
    return len(known) > 1 and bool(np.ptp(known) <= ROUNDING * np.abs(known).max())


def bound_interval(
    value: float, size: float, bounds: tuple[float, float], confidence: float
) -> Interval:
    """The interval of the mean of so many units that all have the same value."""
    least, most = bounds
    if value not in bounds or math.isinf(most - least):
        return NO_INTERVAL
    there, reach = np.asarray([size * (value == most)]), most - least
    few = size <= MOST
    share_ends = interval_ends.exact_share_ends if few else interval_ends.wilson_ends
    low, high = (
        least + reach * float(end[0]) for end in share_ends(there, np.asarray([size]), confidence)
    )
    return Interval(low, high, EXACT_SHARE if few else AT_BOUND_METHOD)
