"""The bootstrap test by shifting, of the mean and of Student's t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, row_blocks
from assay.statistics.intervals.interval_ends import unit_counts
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.significance_tests import (
    Alternative,
    ComparisonSettings,
    Significances,
    paired_test,
    reaches,
)


@paired_test("bootstrap", "bootstrap test by shifting", seeded=True, weights="spread")
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
    "bootstrap-t", "bootstrap test of Student's t by shifting", seeded=True, weights="spread"
)
def bootstrap_t(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test with each mean over its own standard error, which holds for few units too.

    A one-sided p is half of the two-sided one, or the rest: single tails of so few resamples
    would reject too often.
    """

    def resampled(counts: Floats, centered: Floats) -> Floats:
        """Return Student's t of each resample."""
        return _t_statistics(counts @ centered, counts @ centered**2, len(differences))

    t = _t_statistics(differences.sum(axis=0), (differences**2).sum(axis=0), len(differences))
    slack = np.where(np.isfinite(t), TOLERANCE * np.abs(t), 0.0)
    both = replace(settings, alternative="two-sided")
    p = _share(differences, t, slack, both, resampled)
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
        start = 0
        for width in row_blocks(differences.shape[1], len(counts)):
            own = slice(start, start + width)
            drawn, seen, near = statistic(counts, centered[:, own]), observed[own], slack[own]
            hit = reaches(drawn, seen, near, settings.alternative)
            reached[own] += np.count_nonzero(hit, axis=0)
            start += width
        done += len(counts)
        settings.progress(done, settings.permutations)
    return (reached + 1) / (settings.permutations + 1)
