"""From resamples, or from a formula, to the two ends of an interval: one function for each way.

Every function takes columns, a value for each unit, and returns the lower and the upper ends.
"""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.student_quantiles import normal_cdf, student_quantile

Ends = tuple[Floats, Floats]


def percentile_ends(drawn: Floats, confidence: float) -> Ends:
    """The percentiles of the resamples as they are: too narrow for few units."""
    tail = (1 - confidence) / 2
    return _quantiles(drawn, np.full(drawn.shape[1], tail), np.full(drawn.shape[1], 1 - tail))


def expanded_ends(drawn: Floats, size: int, confidence: float) -> Ends:
    """Percentiles further out, by as much as Student's t is wider than the normal distribution.

    Resampling a mean of n units yields a variance that is too small by (n - 1)/n, and normal tails;
    both are mended by the tail α' = Φ(t(α/2; n - 1) · √(n/(n - 1))).
    """
    if size < 2:
        return nowhere(drawn.shape[1])
    widened = math.sqrt(size / (size - 1)) * student_quantile(size - 1, (1 - confidence) / 2)
    tail = normal_cdf(widened)
    return _quantiles(drawn, np.full(drawn.shape[1], tail), np.full(drawn.shape[1], 1 - tail))


def bca_ends(drawn: Floats, observed: Floats, acceleration: Floats, confidence: float) -> Ends:
    """Percentiles corrected for bias and for a spread that changes with the value."""
    from scipy.special import ndtr, ndtri

    below = (drawn < observed).mean(axis=0) / 2 + (drawn <= observed).mean(axis=0) / 2
    bias = ndtri(below)
    ends = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        shifted = bias + ndtri(tail)
        with np.errstate(invalid="ignore"):
            ends.append(ndtr(bias + shifted / (1 - acceleration * shifted)))
    constant = np.ptp(drawn, axis=0) == 0
    low, high = (np.where(constant | np.isnan(end), 0.5, end) for end in ends)
    return _quantiles(drawn, low, high)


def mean_acceleration(columns: Floats) -> Floats:
    """The acceleration of a mean, which leaving out each unit in turn would give."""
    away = columns - columns.mean(axis=0)
    spread = (away**2).sum(axis=0) ** 1.5
    result = np.zeros(columns.shape[1])
    np.divide((away**3).sum(axis=0), 6 * spread, out=result, where=spread > 0)
    return result


def student_ends(columns: Floats, confidence: float) -> Ends:
    """The mean and Student's t times its standard error."""
    from scipy.special import stdtrit

    size = len(columns)
    if size < 2:
        return nowhere(columns.shape[1])
    mean = columns.mean(axis=0)
    reach = stdtrit(size - 1, (1 + confidence) / 2) * columns.std(axis=0, ddof=1) / math.sqrt(size)
    return mean - reach, mean + reach


def wilson_ends(successes: Floats, trials: Floats, confidence: float) -> Ends:
    """Wilson's interval of a proportion: the proportions that a score test does not reject."""
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    share = successes / trials
    middle = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    reach = z * np.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    reach = reach / (1 + z**2 / trials)
    low = np.where(successes == 0, 0.0, middle - reach)
    return low, np.where(successes == trials, 1.0, middle + reach)


def exact_share_ends(successes: Floats, trials: Floats, confidence: float) -> Ends:
    """Return the Clopper-Pearson interval: the shares that neither one-sided exact test rejects."""
    from scipy.special import betaincinv

    tail, failures = (1 - confidence) / 2, trials - successes
    none, all_ = successes == 0, failures == 0
    low = betaincinv(np.where(none, 1.0, successes), failures + 1, tail)
    high = betaincinv(successes + 1, np.where(all_, 1.0, failures), 1 - tail)
    return np.where(none, 0.0, low), np.where(all_, 1.0, high)


def _quantiles(drawn: Floats, low: Floats, high: Floats) -> Ends:
    """The quantiles of each column; NaN where fewer than half of the resamples are defined."""
    lower, upper = nowhere(drawn.shape[1])
    if not drawn.size:
        return lower, upper
    if not np.isnan(drawn).any() and np.ptp(low) == np.ptp(high) == 0:
        ends = np.quantile(drawn, [low[0], high[0]], axis=0)
        return ends[0], ends[1]
    for column in range(drawn.shape[1]):
        kept = drawn[:, column][~np.isnan(drawn[:, column])]
        if len(kept) and 2 * len(kept) >= len(drawn):
            lower[column], upper[column] = np.quantile(kept, [low[column], high[column]])
    return lower, upper


def nowhere(columns: int) -> Ends:
    """Return no ends for so many columns."""
    return np.full(columns, math.nan), np.full(columns, math.nan)
