"""Intervals by inverting tests of signs and signed ranks: values that the test does not reject.

Both are order statistics: of the differences for the sign test, of their pairwise means (Walsh
averages) for Wilcoxon's. Where the test cannot reject at the level there is no interval.
"""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats

_AT_ONCE = 2_000
"""Differences up to which all their pairwise means are held in memory: 16 MB."""


def order_interval(values: Floats, rejected: int) -> tuple[float, float]:
    """Return the ends, if a test rejects with at most so many values beyond zero."""
    if rejected < 0 or 2 * rejected >= len(values):
        return math.nan, math.nan
    ordered = np.sort(values)
    return float(ordered[rejected]), float(ordered[-1 - rejected])


def walsh_interval(values: Floats, rejected: int) -> tuple[float, float]:
    """Return the same for all pairwise means of values, each with itself too."""
    pairs = len(values) * (len(values) + 1) // 2
    if rejected < 0 or 2 * rejected >= pairs:
        return math.nan, math.nan
    if len(values) > _AT_ONCE:
        return _walsh_at(values, rejected), _walsh_at(values, pairs - 1 - rejected)
    first, second = np.triu_indices(len(values))
    means = (values[first] + values[second]) / 2
    places = (rejected, pairs - 1 - rejected)
    ends = np.partition(means, places)[list(places)]
    return float(ends[0]), float(ends[1])


def _walsh_at(values: Floats, place: int) -> float:
    """Return the pairwise mean at a place in order, by bisection, without holding them all."""
    ordered = np.sort(values)
    low, high = float(ordered[0]), float(ordered[-1])
    while low < (middle := (low + high) / 2) < high:
        with_others = int(np.searchsorted(ordered, 2 * middle - ordered, side="right").sum())
        with_itself = int(np.searchsorted(ordered, middle, side="right"))
        if (with_others + with_itself) // 2 > place:
            high = middle
        else:
            low = middle
    return high
