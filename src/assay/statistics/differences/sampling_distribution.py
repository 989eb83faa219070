"""How sure one number is that comes from whole tables: by resamples, or by a standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.statistics.intervals import interval_ends
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.intervals.zero_width import all_equal
from assay.statistics.paired.bootstrap_shift import widen_share
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.test_result import Alternative, tail_p_value


class Distribution(Protocol):
    """The distribution of a number around its true value."""

    @property
    def method(self) -> str:
        """How its interval is made."""

    @property
    def estimate(self) -> float:
        """The number itself."""

    @property
    def statistic(self) -> float:
        """What is tested."""

    @property
    def certain(self) -> bool:
        """Whether nothing that is drawn or left out changes the number."""

    def ends(self, confidence: float) -> tuple[float, float]:
        """The interval."""

    def above(self, bound: float) -> float:
        """The p-value of the true number being at most the bound: small if it is surely above."""

    def below(self, bound: float) -> float:
        """The p-value of the true number being at least the bound."""

    def apart(self) -> float:
        """The two-sided p-value of the true number being 0."""


def distribution_p_value(spread: Distribution, alternative: Alternative) -> float:
    """The p-value of no difference."""
    if alternative == "two-sided":
        return spread.apart()
    return spread.above(0.0) if alternative == "greater" else spread.below(0.0)


@dataclass(frozen=True)
class ResampledDistribution:
    """By resamples of the items, of which as many were drawn as there are units."""

    estimate: float
    drawn: Floats
    """NaN where a resample has no value."""
    size: int
    bootstrap: Bootstrap
    away: Floats = field(init=False)

    def __post_init__(self) -> None:
        known = self.drawn[~np.isnan(self.drawn)]
        enough = 2 * len(known) >= max(len(self.drawn), 1) and not math.isnan(self.estimate)
        object.__setattr__(self, "away", known - self.estimate if enough else np.empty(0))

    @property
    def method(self) -> str:
        """Percentiles as they are if asked for, else widened ones."""
        return "percentile" if self.bootstrap.method == "percentile" else "expanded"

    @property
    def statistic(self) -> float:
        """The number itself."""
        return self.estimate

    @property
    def certain(self) -> bool:
        """Whether all resamples are alike."""
        return all_equal(self.drawn)

    def ends(self, confidence: float) -> tuple[float, float]:
        """Percentiles of the resamples."""
        drawn = self.drawn[:, None]
        if self.method == "percentile":
            low, high = interval_ends.percentile_ends(drawn, confidence)
        else:
            low, high = interval_ends.expanded_ends(drawn, self.size, confidence)
        return float(low[0]), float(high[0])

    def above(self, bound: float) -> float:
        """The share of resamples, moved onto the bound, that reach the number."""
        return self._share(self.away >= self.estimate - bound - self._slack, "greater")

    def below(self, bound: float) -> float:
        """The share of resamples, moved onto the bound, that reach down to the number."""
        return self._share(self.away <= self.estimate - bound + self._slack, "less")

    def apart(self) -> float:
        """The share of resamples that stray from the number as far as it is from 0."""
        return self._share(np.abs(self.away) >= abs(self.estimate) - self._slack, "two-sided")

    @property
    def _slack(self) -> float:
        return TOLERANCE * abs(self.estimate)

    def _share(self, reached: Bools, alternative: Alternative) -> float:
        if not len(self.away):
            return math.nan
        share = (np.count_nonzero(reached) + 1) / (len(self.away) + 1)
        return float(widen_share(np.asarray(share), self.size, alternative))


@dataclass(frozen=True)
class StandardErrorDistribution:
    """By a standard error, with Student's t, or the normal distribution for endless freedom."""

    estimate: float
    error: float
    method: str
    freedom: float = math.inf
    bias: float = 0.0
    """By how far the number is known to be too high."""

    @property
    def statistic(self) -> float:
        """The number, without its bias, in standard errors."""
        return self._points(0.0)

    @property
    def certain(self) -> bool:
        """Whether there is no error."""
        return self.error == 0

    def ends(self, confidence: float) -> tuple[float, float]:
        """So many standard errors on each side; the number itself is never left outside."""
        from scipy.special import ndtri, stdtrit

        share = (1 + confidence) / 2
        points = ndtri(share) if math.isinf(self.freedom) else stdtrit(self.freedom, share)
        if math.isnan(self.error):
            return math.nan, math.nan
        middle, reach = self.estimate - self.bias, float(points) * self.error
        return min(self.estimate, middle - reach), max(self.estimate, middle + reach)

    def above(self, bound: float) -> float:
        """The upper tail."""
        return self._tail(-self._points(bound))

    def below(self, bound: float) -> float:
        """The lower tail."""
        return self._tail(self._points(bound))

    def apart(self) -> float:
        """Both tails."""
        sides = np.asarray(self.below(0.0)), np.asarray(self.above(0.0))
        return float(tail_p_value(*sides, "two-sided"))

    def _points(self, bound: float) -> float:
        away = self.estimate - self.bias - bound
        if self.error > 0 or math.isnan(self.error) or not away:
            return away / self.error if self.error else away
        return math.copysign(math.inf, away)

    def _tail(self, points: float) -> float:
        from scipy.special import ndtr, stdtr

        if points == 0 and not self.error:
            return 1.0
        return float(ndtr(points) if math.isinf(self.freedom) else stdtr(self.freedom, points))
