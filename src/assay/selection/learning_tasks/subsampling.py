"""Intervals of numbers whose items depend on each other, from samples of the items.

The silhouette of an item, its neighbors and their ranks depend on all the other items: a bootstrap
over items takes them as independent, and its intervals are too narrow. Here the number is computed
again on samples of the items, drawn without replacement so that no item is its own neighbor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.closed_form_intervals import student_quantile
from assay.statistics.intervals.interval_ends import ROUNDING
from assay.statistics.intervals.interval_settings import (
    NO_WIDTH,
    TOO_FEW,
    UNBOUNDED,
    Bootstrap,
    Interval,
)
from assay.statistics.intervals.ratio_intervals import bound_interval

DRAWS = 60
MOST_ITEMS = 700
"""Samples are no larger: their distances are computed once for each of them."""
MOST_NUMBERS = 4_000_000
"""All samples together have no more numbers: of many features, fewer items are drawn."""
HALF = 0.5
"""The share of items in a sample for clusters, distances and variance."""
LEAST_ITEMS = 10
"""Slices with fewer items have no interval."""
SUBSAMPLES = "subsamples"
"""The method: how far the number moves between samples of the items."""


def conservative_note(numbers: str, used: Bootstrap | None) -> list[str]:
    """Say that intervals of these numbers cover more often than stated; nothing without any."""
    if used is None:
        return []
    return [f"intervals of {numbers} are from samples of the items, and conservative"]


@dataclass(frozen=True)
class Subsamples:
    """Samples of the items, without replacement."""

    rows: Ints
    """Samples × items: the places of the items."""
    total: int
    """The number of all items."""

    def error(self, values: Floats, extremes: bool = False) -> float:
        """Return the standard error of a number, from its values in the samples.

        Samples of m of n items share items: the variance of a number that averages over items is
        that of the samples times m / (n - m), the jackknife of n - m items at a time. A number that
        depends on the ``extremes`` of the items hardly varies less with more items: n / (n - m).
        """
        drawn, total = self.rows.shape[1], self.total
        factor = (total if extremes else drawn) / (total - drawn)
        return float(np.nanstd(values, ddof=1) * np.sqrt(factor))


def draw_subsamples(
    shape: tuple[int, ...], share: float, least: int, seed: int
) -> Subsamples | None:
    """Return samples of a share of items × features; None if they had fewer than ``least``."""
    size, width = shape
    drawn = min(int(share * size), MOST_ITEMS, MOST_NUMBERS // (DRAWS * width))
    if drawn < least:
        return None
    random = np.random.default_rng(seed)
    rows = [np.sort(random.permutation(size)[:drawn]) for _ in range(DRAWS)]
    return Subsamples(np.array(rows), size)


def error_interval(
    value: float,
    error: float,
    used: Bootstrap,
    bounds: tuple[float, float] = UNBOUNDED,
) -> Interval:
    """Return the interval of Student's t around a value, within its bounds."""
    if not error > ROUNDING * abs(value):
        return Interval(np.nan, np.nan, NO_WIDTH)
    reach = -student_quantile(DRAWS - 1, (1 - used.confidence) / 2) * error
    low, high = (float(np.clip(end, *bounds)) for end in (value - reach, value + reach))
    return Interval(low, high, SUBSAMPLES)


def sampled_interval(
    value: float,
    drawn: Floats,
    samples: Subsamples | None,
    used: Bootstrap | None,
    bounds: tuple[float, float] = UNBOUNDED,
) -> Interval:
    """Return the interval of a number from its values in samples of the items."""
    if used is None:
        return Interval(np.nan, np.nan, "")
    if samples is None:
        return Interval(np.nan, np.nan, TOO_FEW)
    return error_interval(value, samples.error(drawn), used, bounds)


@dataclass(frozen=True)
class DependentMean:
    """A mean over items of what depends on other items: its values, and those in samples."""

    values: Floats
    samples: Subsamples | None
    drawn: Floats
    """Samples × items: the value of each item within its sample."""
    bounds: tuple[float, float] = (0.0, 1.0)
    shrinks: bool = False
    """Whether the distance to 1, and with it the spread, is smaller with more items."""

    def interval(self, part: Bools, used: Bootstrap) -> Interval:
        """Return the interval of the mean over the items of a slice."""
        values = self.values[part]
        if len(values) and np.ptp(values) == 0:
            return bound_interval(float(values[0]), len(values), self.bounds, used.confidence)
        if self.samples is None or len(values) < LEAST_ITEMS:
            return Interval(np.nan, np.nan, TOO_FEW)
        member = part[self.samples.rows]
        count = member.sum(axis=1)
        sums = np.where(member, self.drawn, 0.0).sum(axis=1)
        means = np.divide(sums, count, out=np.full(len(sums), np.nan), where=count > 0)
        value, error = float(values.mean()), self.samples.error(means)
        if self.shrinks:
            rest = 1 - float(np.nanmean(means))
            error *= min((1 - value) / rest, 1.0) if rest > 0 else 1.0
        return error_interval(value, error, used, self.bounds)
