"""The bootstrap test by shifting, of the mean and of Student's t."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, row_slices
from assay.statistics.intervals.interval_ends import Ends, column_products, nowhere, unit_counts
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.significance_tests import (
    Alternative,
    ComparisonSettings,
    OwnInterval,
    Significances,
    paired_test,
    reaches,
)


def narrow_share(p: float, size: int, alternative: Alternative) -> float:
    """Return the share of resampled means that ``widen_share`` turns into this p-value."""
    from scipy.special import ndtr, stdtrit

    if size < 2:
        return p
    sides = 2 if alternative == "two-sided" else 1
    return float(sides * ndtr(stdtrit(size - 1, p / sides) * np.sqrt(size / (size - 1))))


def shifted_ends(middle: Floats, away: Floats, share: float, alternative: Alternative) -> Ends:
    """Return the shifts that are reached by at least a share of how far resamples are away.

    ``away`` has a row for each resample, around 0; the observed number counts as one more.
    """
    needed = math.ceil(share * (len(away) + 1)) - 1
    if needed < 1:
        return np.full(len(middle), -math.inf), np.full(len(middle), math.inf)
    if alternative == "two-sided":
        reach = np.partition(np.abs(away), -needed, axis=0)[-needed]
        return middle - reach, middle + reach
    if alternative == "greater":
        return middle - np.partition(away, -needed, axis=0)[-needed], np.full(len(middle), math.inf)
    return np.full(len(middle), -math.inf), middle - np.partition(away, needed - 1, axis=0)[
        needed - 1
    ]


def _mean_ends(share: Callable[[float, int, Alternative], float]) -> OwnInterval:
    """Return the interval of a test of resampled means whose p-value comes from this share."""

    def ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
        """Return the shifts that the test does not reject."""
        size, alternative = len(differences), settings.alternative
        if size < 2:
            return nowhere(differences.shape[1])
        needed = share(1 - confidence, size, alternative)
        return _by_columns(
            differences,
            settings,
            lambda counts, centered: column_products(counts, centered) / size,
            lambda own, away: shifted_ends(own.mean(axis=0), away, needed, alternative),
        )

    return OwnInterval("the shifts that the bootstrap test does not reject", ends, True)


def _t_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    """Return the shifts that the test of Student's t does not reject."""
    size, alternative = len(differences), settings.alternative
    if size < 2:
        return nowhere(differences.shape[1])
    level = (1 - confidence) * (1 if alternative == "two-sided" else 2)

    def of_columns(own: Floats, t: Floats) -> Ends:
        """Return the mean and so many standard errors."""
        low, high = shifted_ends(np.zeros(own.shape[1]), t, min(level, 1.0), "two-sided")
        mean, error = own.mean(axis=0), own.std(axis=0)
        with np.errstate(invalid="ignore"):
            low, high = mean + low * error, mean + high * error
        none = np.full(len(mean), math.inf)
        return (
            low if alternative != "less" else -none,
            high if alternative != "greater" else none,
        )

    return _by_columns(differences, settings, _resampled_t, of_columns)


def _by_columns(
    differences: Floats,
    settings: ComparisonSettings,
    statistic: Callable[[Floats, Floats], Floats],
    ends: Callable[[Floats, Floats], Ends],
) -> Ends:
    """Return the ends from the statistics of all resamples, a block of columns at a time."""
    found = []
    for columns in row_slices(differences.shape[1], settings.permutations):
        own = differences[:, columns]
        centered = own - own.mean(axis=0)
        draws = unit_counts(len(own), settings.permutations, settings.seed)
        found.append(ends(own, np.concatenate([statistic(each, centered) for each in draws])))
    low, high = zip(*found, strict=True)
    return np.concatenate(low), np.concatenate(high)


def _resampled_t(counts: Floats, centered: Floats) -> Floats:
    """Return Student's t of each resample."""
    return _t_statistics(
        column_products(counts, centered), column_products(counts, centered**2), len(centered)
    )


@paired_test(
    "bootstrap",
    "bootstrap test by shifting",
    _mean_ends(narrow_share),
    seeded=True,
    weights="spread",
)
def bootstrap_shift(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test by the share of resamples, shifted to mean zero, with a mean at least as large.

    Resampled means of few units spread too little, and have normal tails: the share is widened
    by as much as the default interval is.
    """
    plain = bootstrap_plain(differences, settings)
    return Significances(
        plain.statistic, widen_share(plain.p, len(differences), settings.alternative)
    )


@paired_test(
    "bootstrap-plain",
    "bootstrap test by shifting, not widened",
    _mean_ends(lambda p, size, alternative: p),
    seeded=True,
    least_units=50,
    weights="spread",
)
def bootstrap_plain(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test by the plain share, p = (b + 1)/(m + 1), as published: too small for few units."""
    size = len(differences)
    mean = differences.mean(axis=0)
    slack = TOLERANCE * np.abs(differences).mean(axis=0)
    p = _share(
        differences, mean, slack, settings, lambda counts, centered: counts @ centered / size
    )
    return Significances(mean, p)


def widen_share(share: Floats, size: int, alternative: Alternative) -> Floats:
    """Return the p-value for a share of resampled means of so many units.

    The normal point of the share is scaled by √((n - 1)/n) and looked up in Student's t: the
    inverse of the widening of the default interval.
    """
    from scipy.special import ndtri, stdtr

    if size < 2:
        return share
    sides = 2 if alternative == "two-sided" else 1
    point = ndtri(share / sides) * np.sqrt((size - 1) / size)
    return np.where(share >= 1, 1.0, np.minimum(1.0, sides * stdtr(size - 1, point)))


@paired_test(
    "bootstrap-t",
    "bootstrap test of Student's t by shifting",
    OwnInterval("the shifts that the bootstrap test of Student's t does not reject", _t_ends, True),
    seeded=True,
    weights="spread",
)
def bootstrap_t(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test with each mean over its own standard error, which holds for few units too.

    A one-sided p is half of the two-sided one, or the rest: single tails of so few resamples
    would reject too often.
    """
    t = _t_statistics(differences.sum(axis=0), (differences**2).sum(axis=0), len(differences))
    slack = np.where(np.isfinite(t), TOLERANCE * np.abs(t), 0.0)
    both = replace(settings, alternative="two-sided")
    p = _share(differences, t, slack, both, _resampled_t)
    if settings.alternative == "two-sided":
        return Significances(t, p)
    suspected = t > 0 if settings.alternative == "greater" else t < 0
    alike = (differences == 0).all(axis=0)
    return Significances(t, np.where(suspected, p / 2, np.where(alike, 1.0, 1 - p / 2)))


def _t_statistics(sums: Floats, squares: Floats, size: int) -> Floats:
    """Return Student's t from the sums of values and squares; infinite where there is no spread."""
    mean = sums / size
    spread = np.sqrt(np.maximum(squares / size - mean**2, 0))
    spread = np.where(spread <= 1e-9 * np.sqrt(squares / size), 0.0, spread)
    t = np.where(
        np.abs(sums) <= TOLERANCE * np.sqrt(squares * size), 0.0, np.copysign(np.inf, sums)
    )
    np.divide(mean, spread, out=t, where=spread > 0)
    return t


def _share(
    differences: Floats,
    observed: Floats,
    slack: Floats,
    settings: ComparisonSettings,
    statistic: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Return how often a statistic of resamples, shifted to mean zero, reaches the observed one."""
    if len(differences) < 2:
        return np.where(observed == 0, 1.0, np.nan)
    centered = differences - differences.mean(axis=0)
    reached = np.zeros(differences.shape[1])
    done = 0
    for counts in unit_counts(len(differences), settings.permutations, settings.seed):
        for own in row_slices(differences.shape[1], len(counts)):
            drawn, seen, near = statistic(counts, centered[:, own]), observed[own], slack[own]
            hit = reaches(drawn, seen, near, settings.alternative)
            reached[own] += np.count_nonzero(hit, axis=0)
        done += len(counts)
        settings.progress(done, settings.permutations)
    return (reached + 1) / (settings.permutations + 1)
