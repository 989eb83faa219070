"""Resamples of units, and the two ends of an interval, from resamples or by a formula.

The draws depend on the seed, the number of units and their clusters alone, so that a number never
depends on which other numbers are computed; no more than a block of counts is in memory. A function
for ends takes columns, with a value for each unit, and returns the lower and upper ends. The
quantiles of the default interval are computed here, since importing SciPy takes 0.2 s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks, sum_at
from assay.engine.scores import Result
from assay.statistics.intervals.interval_settings import (
    FEW_PER_CELL,
    NO_WIDTH,
    Bootstrap,
    Interval,
)

Ends = tuple[Floats, Floats]
ROUNDING = 1e-12
"""Numbers that differ by less, relative to their size, are equal."""
_IN_CACHE = 8
"""Blocks are this much smaller than memory allows: each is read again for every column."""
_STEPS = 200
_TINY = 1e-300


def unit_counts(
    units: int, resamples: int, seed: int, clusters: Ints | None = None
) -> Iterator[Floats]:
    """Yield blocks of resamples × units: how often each unit is drawn.

    With ``clusters`` (the number of the cluster of each unit) whole clusters are drawn.
    """
    drawn = units if clusters is None else int(clusters.max()) + 1
    random = np.random.default_rng(seed)
    for rows in row_blocks(resamples, _IN_CACHE * max(units, drawn)):
        chosen = random.integers(0, drawn, size=(rows, drawn))
        counts = np.empty((rows, drawn))
        for row in range(rows):  # one at a time, for its counts fit the processor's cache
            counts[row] = np.bincount(chosen[row], minlength=drawn)
        yield counts if clusters is None else counts[:, clusters]


def resampled_means(
    columns: Floats, resamples: int, seed: int, clusters: Ints | None = None
) -> Floats:
    """Return the mean of each column in each resample of its rows: resamples × columns.

    Each column is multiplied on its own, and not by BLAS: a product of matrices may round
    differently when it has more columns, or more threads.
    """
    if not columns.size:
        return np.empty((0, columns.shape[1]))
    apart = np.ascontiguousarray(columns.T)
    parts = []
    for counts in unit_counts(len(columns), resamples, seed, clusters):
        sums = np.stack([np.einsum("ij,j->i", counts, column) for column in apart], axis=1)
        parts.append(sums / (len(columns) if clusters is None else counts.sum(axis=1)[:, None]))
    return np.concatenate(parts)


def cluster_numbers(units: Sequence[str], clusters: Mapping[str, str]) -> Ints:
    """Return the number of the cluster of each unit; a unit without one is a cluster of its own."""
    names = [clusters.get(unit, f"\0{unit}") for unit in units]
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def by_cluster(columns: Floats, clusters: Ints | None) -> Floats:
    """Return the sum of each column in each cluster; the columns themselves without clusters."""
    if clusters is None:
        return columns
    size = int(clusters.max(initial=-1)) + 1
    return np.stack([sum_at(clusters, column, size) for column in columns.T], axis=1)


def all_equal(numbers: Floats) -> bool:
    """Return whether there are at least two numbers that differ by rounding at most."""
    known = numbers[~np.isnan(numbers)]
    return len(known) > 1 and bool(np.ptp(known) <= ROUNDING * np.abs(known).max())


def resampled_ends(
    drawn: Floats, size: int, bootstrap: Bootstrap, correction: Callable[[], Ends]
) -> Ends:
    """Return the ends from resamples of so many units, by the method of the settings.

    ``correction`` returns what BCa needs: the observed values and their acceleration.
    """
    if bootstrap.method == "percentile":
        return percentile_ends(drawn, bootstrap.confidence)
    if bootstrap.method == "bca" and len(drawn):
        return bca_ends(drawn, *correction(), bootstrap.confidence)
    return expanded_ends(drawn, size, bootstrap.confidence)


def single_interval(ends: Ends, method: str) -> Interval:
    """Return the ends of the first column as an interval."""
    return Interval(float(ends[0][0]), float(ends[1][0]), method)


def add_interval(result: Result, interval: Interval) -> Result:
    """Return the result with its interval and method, or the reason why there is none."""
    no_ends = math.isnan(interval.low) and interval.method not in (NO_WIDTH, FEW_PER_CELL)
    method = "" if no_ends else interval.method
    return replace(result, low=interval.low, high=interval.high, interval=method)


def log_odds_reach(center: float, reach: float) -> tuple[float, float]:
    """Return how far the ends are from the center, equally far in log-odds if it is above 0.5."""
    if not 0.5 < center < 1:
        return -reach, reach
    step = math.exp(min(reach / (center * (1 - center)), 700.0))
    odds = center / (1 - center)
    return odds / (odds + step) - center, odds * step / (1 + odds * step) - center


def percentile_ends(drawn: Floats, confidence: float) -> Ends:
    """Return plain percentiles of the resamples: too narrow for few units."""
    tail = (1 - confidence) / 2
    return _quantiles(drawn, np.full(drawn.shape[1], tail), np.full(drawn.shape[1], 1 - tail))


def expanded_ends(drawn: Floats, size: int, confidence: float) -> Ends:
    """Return percentiles widened by the ratio of Student's t to the normal distribution.

    Resampling a mean of n units yields a variance that is too small by (n - 1)/n, and normal tails;
    both are corrected by the tail α' = Φ(t(α/2; n - 1) · √(n/(n - 1))).
    """
    if size < 2:
        return nowhere(drawn.shape[1])
    widened = math.sqrt(size / (size - 1)) * student_quantile(size - 1, (1 - confidence) / 2)
    tail = normal_cdf(widened)
    return _quantiles(drawn, np.full(drawn.shape[1], tail), np.full(drawn.shape[1], 1 - tail))


def bca_ends(drawn: Floats, observed: Floats, acceleration: Floats, confidence: float) -> Ends:
    """Return percentiles corrected for bias and for a spread that changes with the value."""
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
    """Return the acceleration of a mean, as leaving out each unit in turn would give it."""
    away = columns - columns.mean(axis=0)
    spread = (away**2).sum(axis=0) ** 1.5
    result = np.zeros(columns.shape[1])
    np.divide((away**3).sum(axis=0), 6 * spread, out=result, where=spread > 0)
    return result


def student_ends(columns: Floats, confidence: float) -> Ends:
    """Return the mean plus and minus Student's t times its standard error."""
    from scipy.special import stdtrit

    size = len(columns)
    if size < 2:
        return nowhere(columns.shape[1])
    mean = columns.mean(axis=0)
    reach = stdtrit(size - 1, (1 + confidence) / 2) * columns.std(axis=0, ddof=1) / math.sqrt(size)
    return mean - reach, mean + reach


def wilson_ends(successes: Floats, trials: Floats, confidence: float) -> Ends:
    """Return Wilson's interval of a proportion: those that a score test does not reject."""
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
    """Return the quantiles of each column; NaN if fewer than half of the resamples are defined."""
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


def normal_cdf(point: float) -> float:
    """Return the share of the normal distribution below a point."""
    return math.erfc(-point / math.sqrt(2)) / 2


@lru_cache(maxsize=64)
def student_quantile(freedom: float, share: float) -> float:
    """Return the point of Student's t with this share below it, for shares up to one half."""
    low, high = -1.0, 0.0
    while student_cdf(freedom, low) > share:
        low, high = 2 * low, low
    point = (low + high) / 2
    for _ in range(_STEPS):
        away = student_cdf(freedom, point) - share
        low, high = (low, point) if away > 0 else (point, high)
        better = point - away / _student_density(freedom, point)
        if not low < better < high:
            better = (low + high) / 2
        if abs(better - point) <= 4e-16 * abs(point):
            break
        point = better
    return point


def _student_density(freedom: float, point: float) -> float:
    front = _log_gamma_half_step(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(front - (freedom + 1) / 2 * math.log1p(point * point / freedom))


def student_cdf(freedom: float, point: float) -> float:
    """Return the share of Student's t below a point that is not above 0."""
    total = freedom + point * point
    return incomplete_beta(freedom / 2, 0.5, freedom / total, point * point / total) / 2


def incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularized incomplete beta function of x = 1 - rest, where a or b is 1/2."""
    if x == 0 or rest == 0:
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, rest, x)
    powers = a * _log(x, rest) + b * _log(rest, x)
    front = math.exp(_log_gamma_half_step(max(a, b)) - math.log(math.pi) / 2 + powers) / a
    value, upper, lower = 1.0, 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value *= lower
    for m in range(1, _STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            lower = 1 / _nonzero(1 + term * lower)
            upper = _nonzero(1 + term / upper)
            value *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return front * value


def _log(x: float, rest: float) -> float:
    """Return the logarithm of x = 1 - rest, from the smaller of the two."""
    return math.log(x) if x < rest else math.log1p(-rest)


def _log_gamma_half_step(a: float) -> float:
    """Return ln Γ(a + 1/2) - ln Γ(a), by its series where the difference would lose digits."""
    if a < 50:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    inverse = 1 / a
    return math.log(a) / 2 - inverse / 8 + inverse**3 / 192 - inverse**5 / 640


def _nonzero(value: float) -> float:
    """Return a denominator that is never 0."""
    return value if abs(value) > _TINY else _TINY
