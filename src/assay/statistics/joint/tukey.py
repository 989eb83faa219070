"""Tukey's honestly significant difference for the paired design, and its randomized form."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, row_blocks
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.significance_tests import ComparisonSettings, JointResult, joint_test
from assay.statistics.studentized_range import upper_point, upper_tail
from assay.statistics.variance import two_way_anova


@joint_test("tukey", "Tukey's HSD after a two-way analysis of variance")
def tukey(table: Floats, settings: ComparisonSettings) -> JointResult:
    """Test the difference of two means over the residual error of units and systems."""
    analysis = two_way_anova(table)
    apart = mean_differences(table)
    error = math.sqrt(analysis.residual / analysis.units)
    q = np.where(apart == 0, 0.0, np.inf)
    np.divide(apart, error, out=q, where=np.full(q.shape, error > 0))
    p = upper_tail(q, analysis.systems, analysis.freedom)
    reach = error * upper_point(settings.level, analysis.systems, analysis.freedom)
    ends = _ends_around(table, reach)
    return JointResult("two-way ANOVA F", analysis.f_systems, analysis.p_systems, p, q, *ends)


def _ends_around(table: Floats, reach: float) -> tuple[Floats, Floats, str]:
    """Return the difference of each two means, and as far on both sides, for all pairs at once."""
    mean = table.mean(axis=0)
    apart = mean[None, :] - mean[:, None]
    return apart - reach, apart + reach, "simultaneous for all pairs"


def mean_differences(table: Floats) -> Floats:
    """Return the absolute difference of the means of each two systems; 0 within rounding."""
    mean = table.mean(axis=0)
    apart = np.abs(mean[:, None] - mean[None, :])
    return np.where(apart <= 1e-14 * np.abs(table).max(initial=0), 0.0, apart)


@joint_test("randomized-tukey", "randomized Tukey HSD", seeded=True)
def randomized_tukey(table: Floats, settings: ComparisonSettings) -> JointResult:
    """Test by the share of random exchanges within units whose means are as far apart.

    p = (b + 1)/(m + 1).
    """
    ranges = np.sort(_ranges(table, settings))
    apart = mean_differences(table)
    slack = TOLERANCE * float(np.abs(table).mean(axis=0).max(initial=0))
    reached = len(ranges) - np.searchsorted(ranges, apart - slack, side="left")
    p = (reached + 1) / (len(ranges) + 1)
    analysis = two_way_anova(table)
    np.fill_diagonal(p, 1.0)
    needed = math.ceil(settings.level * (len(ranges) + 1)) - 1
    ends = _ends_around(table, float(ranges[-needed]) + slack if needed else math.inf)
    return JointResult("two-way ANOVA F", analysis.f_systems, analysis.p_systems, p, apart, *ends)


def _ranges(table: Floats, settings: ComparisonSettings) -> Floats:
    """Return the range of the means of each exchange.

    The tables are exchanged in place: rows that lie together in memory take half of the time.
    """
    random = np.random.default_rng(settings.seed)
    found = []
    done = 0
    tables = np.empty((next(row_blocks(settings.permutations, table.size), 0), *table.shape))
    for rows in row_blocks(settings.permutations, table.size):
        drawn = tables[:rows]
        drawn[:] = table
        random.permuted(drawn, axis=2, out=drawn)
        found.append(np.ptp(drawn.mean(axis=1), axis=1))
        done += rows
        settings.progress(done, settings.permutations)
    return np.concatenate(found)
