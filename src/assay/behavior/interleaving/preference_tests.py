"""Which of two systems users prefer: estimates and tests with the user as the unit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks, sum_at
from assay.statistics.intervals.interval_settings import RESAMPLES


@dataclass(frozen=True)
class Preference:
    """The mean outcome of the impressions, with an interval and tests clustered by user."""

    impressions: int
    users: int
    wins: int
    losses: int
    ties: int
    value: float
    """The mean outcome of an impression."""
    low: float
    high: float
    p: float
    """By a t-test over users."""
    p_bootstrap: float
    p_sign: float
    """By the sign test (mid-p) over users whose outcomes do not cancel out."""


@dataclass(frozen=True)
class PreferenceSettings:
    """How preferences are tested."""

    confidence: float = 0.95
    resamples: int = RESAMPLES
    seed: int = 1


def estimate_preference(outcome: Floats, user: Ints, settings: PreferenceSettings) -> Preference:
    """Return the preference over all impressions; ``user`` numbers the user of each."""
    size = int(user.max()) + 1
    sums, counts = sum_at(user, outcome, size), np.bincount(user, minlength=size)
    value, error = ratio_estimate(sums, counts.astype(np.float64))
    low, high, p = _t_test(value, error, size, settings.confidence)
    return Preference(
        impressions=len(outcome),
        users=size,
        wins=int((outcome > 0).sum()),
        losses=int((outcome < 0).sum()),
        ties=int((outcome == 0).sum()),
        value=value,
        low=low,
        high=high,
        p=p,
        p_bootstrap=_bootstrap_p(sums, counts, value, settings),
        p_sign=_sign_p(sums),
    )


def ratio_estimate(sums: Floats, counts: Floats) -> tuple[float, float]:
    """Return the sum over the number of all users, and its standard error by the delta method."""
    users = len(sums)
    total = math.fsum(counts.tolist())
    value = math.fsum(sums.tolist()) / total
    if users < 2:
        return value, math.nan
    residuals = (sums - value * counts) / (total / users)
    return value, math.sqrt(math.fsum((residuals**2).tolist()) / (users - 1) / users)


def _t_test(
    value: float, error: float, users: int, confidence: float
) -> tuple[float, float, float]:
    from scipy.special import stdtr, stdtrit

    if math.isnan(error):
        return math.nan, math.nan, math.nan
    reach = float(stdtrit(users - 1, (1 + confidence) / 2)) * error
    if error == 0:
        return value, value, 1.0 if value == 0 else 0.0
    return value - reach, value + reach, 2 * float(stdtr(users - 1, -abs(value) / error))


def _bootstrap_p(sums: Floats, counts: Ints, value: float, settings: PreferenceSettings) -> float:
    """Return the share of resamples of users that are at least as far from the value as 0 is."""
    users = len(sums)
    if users < 2 or not settings.resamples:
        return math.nan
    generator = np.random.default_rng(settings.seed)
    far = 0
    for block in row_blocks(settings.resamples, users):
        drawn = generator.integers(users, size=(block, users))
        resampled = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        far += int((np.abs(resampled - value) >= abs(value)).sum())
    return (far + 1) / (settings.resamples + 1)


def _sign_p(sums: Floats) -> float:
    """Return the mid-p value of the sign test: half of what is observed counts as further away."""
    from scipy.stats import binom

    wins, losses = int((sums > 0).sum()), int((sums < 0).sum())
    fewer, users = min(wins, losses), wins + losses
    below = float(binom.cdf(fewer - 1, users, 0.5))
    return min(1.0, 2 * below + float(binom.pmf(fewer, users, 0.5)))
