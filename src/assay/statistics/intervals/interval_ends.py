"""Resamples of units, and the two ends of an interval, from resamples or by a formula.

The draws depend on the seed, the number of units and their clusters alone, so that a number never
depends on which other numbers are computed; no more than a block of counts is in memory. A function
for ends takes columns, with a value for each unit, and returns the lower and upper ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, Ints, row_blocks, sum_at
from assay.core.closed_form_intervals import normal_cdf, student_quantile, wilson_center
from assay.engine.result import Result
from assay.statistics.intervals.interval_settings import (
    BIASED,
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
_CELLS, _FEW_UNITS = 1 << 12, 512
"""Up to so many counts are counted at once, of up to so many units."""


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
        together = _CELLS // drawn if drawn <= _FEW_UNITS else 1
        if together > 1:  # each of these rows is counted in cells of its own
            chosen += drawn * (np.arange(rows) % together)[:, None]
        counts = _count_parts(chosen.ravel(), together * drawn).reshape(chosen.shape)
        yield counts if clusters is None else counts[:, clusters]


def _count_parts(numbers: Ints, size: int) -> Floats:
    """Return how often each number below a size occurs in each part of that size.

    A part is counted after the other, for its counts fit the processor's cache.
    """
    counts = np.empty(len(numbers))
    for first in range(0, len(numbers), size):
        part = numbers[first : first + size]
        counts[first : first + size] = np.bincount(part, minlength=len(part))
    return counts


def resampled_means(
    columns: Floats, resamples: int, seed: int, clusters: Ints | None = None
) -> Floats:
    """Return the mean of each column in each resample of its rows: resamples × columns."""
    if not columns.size:
        return np.empty((0, columns.shape[1]))
    parts = []
    for counts in unit_counts(len(columns), resamples, seed, clusters):
        sums = column_products(counts, columns)
        parts.append(sums / (len(columns) if clusters is None else counts.sum(axis=1)[:, None]))
    return np.concatenate(parts)


def column_products(rows: Floats, columns: Floats) -> Floats:
    """Return the sums of each column, weighted by each row.

    Each column is multiplied on its own, and not by BLAS: a product of matrices may round
    differently when it has more columns, or more threads.
    """
    apart = np.ascontiguousarray(columns.T)
    return np.stack([np.einsum("ij,j->i", rows, column) for column in apart], axis=1)


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


def cluster_means(columns: Floats, clusters: Ints | None) -> Floats:
    """Return a row for each cluster: the mean, and by how much the cluster moves it."""
    if clusters is None:
        return columns
    mean = columns.mean(axis=0)
    moved = by_cluster(columns - mean, clusters)
    return mean + moved * (len(moved) / len(columns))


def all_equal(numbers: Floats) -> bool:
    """Return whether there are at least two numbers that differ by rounding at most."""
    undefined = np.isnan(numbers)
    known = numbers[~undefined] if undefined.any() else numbers
    if len(known) < 2:
        return False
    low, high = known.min(), known.max()
    return bool(high - low <= ROUNDING * max(-low, high))


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
    no_ends = math.isnan(interval.low) and interval.method not in (NO_WIDTH, FEW_PER_CELL, BIASED)
    method = "" if no_ends else interval.method
    return replace(result, low=interval.low, high=interval.high, interval=method)


def log_odds_reach(center: float, reach: float, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return how far the ends are from the center: equally far in log-odds in the upper half."""
    width = bounds[1] - bounds[0]
    share = (center - bounds[0]) / width if math.isfinite(width) else 0.0
    if not 0.5 < share < 1:
        return -reach, reach
    step = math.exp(min(reach / width / (share * (1 - share)), 700.0))
    odds = share / (1 - share)
    return (odds / (odds + step) - share) * width, (1 / (1 + 1 / odds / step) - share) * width


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
    tail = _expanded_tail(size, confidence)
    return _quantiles(drawn, np.full(drawn.shape[1], tail), np.full(drawn.shape[1], 1 - tail))


def _expanded_tail(size: int, confidence: float) -> float:
    """Return the share of resamples beyond an end, for so many units."""
    widened = math.sqrt(size / (size - 1)) * student_quantile(size - 1, (1 - confidence) / 2)
    return normal_cdf(widened)


def rank_ends(drawn: Floats, size: int, confidence: float) -> Ends:
    """Return the least and the largest rank of each column over rows of resamples, 1 the highest.

    Equal values share all of their ranks. Percentiles are widened as in ``expanded_ends``.
    """
    known = drawn[~np.isnan(drawn).any(axis=1)]
    if size < 2 or not len(known) or 2 * len(known) < len(drawn):
        return nowhere(drawn.shape[1])
    tail, columns = _expanded_tail(size, confidence), drawn.shape[1]
    first, last = np.empty(known.shape), np.empty(known.shape)
    for row, values in enumerate(known):
        rising = np.sort(values)
        first[row] = columns + 1 - np.searchsorted(rising, values, "right")
        last[row] = columns - np.searchsorted(rising, values, "left")
    low = np.quantile(first, tail, axis=0, method="inverted_cdf")
    return low, np.quantile(last, 1 - tail, axis=0, method="inverted_cdf")


def normal_draws(values: Floats, moved: Floats, bootstrap: Bootstrap) -> Floats:
    """Return resamples × columns, drawn from a normal distribution instead of from the units.

    ``moved`` is how far each unit moves each value.
    """
    random = np.random.default_rng(bootstrap.seed)
    return random.multivariate_normal(values, moved.T @ moved, bootstrap.resamples, method="eigh")


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
    _, middle, reach = wilson_center(successes, trials, confidence)
    low = np.where(successes == 0, 0.0, middle - reach)
    return low, np.where(successes == trials, 1.0, middle + reach)


def exact_share_ends(successes: Floats, trials: Floats, confidence: float | Floats) -> Ends:
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
        return column_quantiles(drawn, float(low[0]), float(high[0]))
    for column in range(drawn.shape[1]):
        kept = drawn[:, column][~np.isnan(drawn[:, column])]
        if len(kept) and 2 * len(kept) >= len(drawn):
            lower[column], upper[column] = np.quantile(kept, [low[column], high[column]])
    return lower, upper


def column_quantiles(drawn: Floats, low: float, high: float) -> Ends:
    """Return two quantiles of each column, as np.quantile has them to the last bit.

    That would import numpy.ma, which takes longer than all resamples of a small file.
    """
    last = len(drawn) - 1
    places = [(math.floor(last * share), math.ceil(last * share)) for share in (low, high)]
    ordered = np.partition(drawn, sorted({0, last, *places[0], *places[1]}), axis=0)
    ends = []
    for share, (below, above) in zip((low, high), places, strict=True):
        part, step = last * share - below, ordered[above] - ordered[below]
        near = ordered[below] + step * part
        ends.append(near if part < 0.5 else ordered[above] - step * (1 - part))
    return ends[0], ends[1]


def nowhere(columns: int) -> Ends:
    """Return no ends for so many columns."""
    return np.full(columns, math.nan), np.full(columns, math.nan)
