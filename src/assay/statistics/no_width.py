"""What stands in place of an interval without width: every resample gave the same number.

Such an interval does not say how sure the number is, but that resamples cannot tell. Where all
units are at a bound of a measure, Wilson's interval tells: a unit that is elsewhere was not drawn,
and is at most as far away as the other bound. Else there is no interval.
"""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.statistics import limits
from assay.statistics.bootstrap import AT_BOUND, NO_WIDTH, Interval

UNBOUNDED = (-math.inf, math.inf)
_ROUNDING = 1e-12
NOTHING = Interval(math.nan, math.nan, NO_WIDTH)


def alike(numbers: Floats) -> bool:
    """Whether there are at least two numbers, and no two differ by more than their rounding."""
    known = numbers[~np.isnan(numbers)]
    return len(known) > 1 and bool(np.ptp(known) <= _ROUNDING * np.abs(known).max())


def at_a_bound(
    value: float, size: float, bounds: tuple[float, float], confidence: float
) -> Interval:
    """The interval of the mean of so many units that all have the same value."""
    least, most = bounds
    if value not in bounds or math.isinf(most - least):
        return NOTHING
    there = np.asarray([size * (value == most)])
    low, high = limits.wilson_ends(there, np.asarray([size]), confidence)
    reach = most - least
    return Interval(least + reach * float(low[0]), least + reach * float(high[0]), AT_BOUND)
