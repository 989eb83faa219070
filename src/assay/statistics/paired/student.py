"""Student's paired t-test."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.interval_ends import Ends, nowhere, student_ends
from assay.statistics.significance_tests import (
    ComparisonSettings,
    OwnInterval,
    Significances,
    paired_test,
    tail_p_value,
)


def mean_ends_from(
    differences: Floats, variance: Floats | float, freedom: float, confidence: float
) -> Ends:
    """Return the ends of a t-interval of the mean, given the variance of the mean."""
    from scipy.special import stdtrit

    if len(differences) < 2:
        return nowhere(differences.shape[1])
    mean = differences.mean(axis=0)
    reach = float(stdtrit(freedom, (1 + confidence) / 2)) * np.sqrt(variance)
    return mean - reach, mean + reach


def _student_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    return student_ends(differences, confidence)


@paired_test(
    "t",
    "Student's paired t-test",
    weights="spread",
    interval=OwnInterval("Student's t", _student_ends),
)
def student(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test the mean difference over its standard error against Student's t with n - 1 degrees."""
    size = len(differences)
    return t_test_from_variance(
        differences,
        differences.var(axis=0, ddof=1) / size if size > 1 else None,
        size - 1,
        settings,
    )


def t_test_from_variance(
    differences: Floats, variance: Floats | None, freedom: int, settings: ComparisonSettings
) -> Significances:
    """Return a t-test of the mean, given its variance; p is 0 or 1 if all differences are equal."""
    from scipy.special import stdtr

    mean = differences.mean(axis=0)
    if variance is None:
        return Significances(np.full(len(mean), math.nan), np.where(mean == 0, 1.0, math.nan))
    error = np.sqrt(np.maximum(variance, 0))
    # A spread below the rounding of the values is no spread.
    error[np.ptp(differences, axis=0) <= 1e-12 * np.abs(differences).max(axis=0, initial=0)] = 0
    t = np.zeros(len(mean))
    np.divide(mean, error, out=t, where=error > 0)
    t[(error == 0) & (mean != 0)] = math.inf
    t = np.where((error == 0) & (mean < 0), -math.inf, t)
    p = tail_p_value(stdtr(freedom, t), stdtr(freedom, -t), settings.alternative)
    return Significances(t, np.where((error == 0) & (mean == 0), 1.0, p))
