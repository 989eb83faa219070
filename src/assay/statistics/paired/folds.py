"""Tests for folds, whose training sets overlap so that folds are not independent."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.statistics.fold_names import fold_names_note, folds_per_repetition, order_halves
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.paired.paired_test import OwnInterval, paired_test
from assay.statistics.paired.student import mean_ends_from, t_test_from_variance
from assay.statistics.test_result import Setup, Significances, tail_p_value


def _test_share_note(setup: Setup) -> str | None:
    """Where the share of items that are tested comes from, unless somebody said it."""
    if setup.test_share is not None or len(setup.units) < 2:
        return None
    return f"{fold_names_note(setup.units)}; `test_share=…` says it otherwise"


def corrected_ends(differences: Floats, setup: Setup, confidence: float) -> Ends:
    """Return the interval of the mean over folds, whose variance allows for their overlap."""
    freedom = len(differences) - 1
    return mean_ends_from(differences, corrected_variance(differences, setup), freedom, confidence)


def corrected_variance(differences: Floats, setup: Setup) -> Floats:
    """Return the variance of the mean of folds: σ²(1/k + test/train)."""
    size = len(differences)
    folds = folds_per_repetition(setup.units) if setup.units else size
    share = 1 / max(folds - 1, 1) if setup.test_share is None else setup.test_share
    if share <= 0:
        raise UsageError(f"the test share is items tested over items learnt from, not {share:g}")
    if size < 2:
        return np.full(differences.shape[1], math.nan)
    return np.asarray(differences.var(axis=0, ddof=1) * (1 / size + share))


FOLD_TESTS = ("corrected-t", "5x2-t", "5x2-F")
"""The tests of this file: their units are folds."""
CORRECTED = OwnInterval("Student's t, corrected for overlapping folds", corrected_ends)


@paired_test("corrected-t", "corrected resampled t-test", told=_test_share_note, interval=CORRECTED)
def corrected_resampled(differences: Floats, setup: Setup) -> Significances:
    """Nadeau and Bengio: the variance of the mean of k folds is σ²(1/k + test/train).

    Where no share is given it is that of a cross-validation, 1/(k - 1) for k folds in each
    repetition that the names of the units tell of.
    """
    size = len(differences)
    if size < 2:
        return t_test_from_variance(differences, None, 0, setup)
    return t_test_from_variance(
        differences, corrected_variance(differences, setup), size - 1, setup
    )


def _five_by_two_ends(differences: Floats, setup: Setup, confidence: float) -> Ends:
    from scipy.special import stdtrit

    pairs = _five_pairs(differences, setup)
    reach = float(stdtrit(5, (1 + confidence) / 2)) * np.sqrt(_spread(pairs).mean(axis=0))
    return pairs[0, 0] - reach, pairs[0, 0] + reach


def _five_by_two_f_ends(differences: Floats, setup: Setup, confidence: float) -> Ends:
    """Return the shifts of all ten differences that the F-test does not reject; NaN if none."""
    from scipy.special import fdtri

    pairs = _five_pairs(differences, setup)
    mean = pairs.mean(axis=(0, 1))
    room = 2 * float(fdtri(10, 5, confidence)) * _spread(pairs).sum(axis=0)
    square = (room - ((pairs - mean) ** 2).sum(axis=(0, 1))) / 10
    reach = np.sqrt(np.where(square >= 0, square, math.nan))
    return mean - reach, mean + reach


@paired_test(
    "5x2-t",
    "5 × 2 cross-validated t-test",
    interval=OwnInterval("t with 5 degrees, around the first difference", _five_by_two_ends),
)
def five_by_two(differences: Floats, setup: Setup) -> Significances:
    """Dietterich: the first difference over the spread within the five pairs of halves."""
    from scipy.special import stdtr

    pairs = _five_pairs(differences, setup)
    error = np.sqrt(_spread(pairs).mean(axis=0))
    t = _safe_quotient(pairs[0, 0], error)
    p = tail_p_value(stdtr(5, t), stdtr(5, -t), setup.alternative)
    return Significances(t, np.where(np.isnan(t), 1.0, p))


@paired_test(
    "5x2-F",
    "5 × 2 cross-validated F-test",
    interval=OwnInterval("the inverted 5 × 2 F-test", _five_by_two_f_ends),
)
def five_by_two_f(differences: Floats, setup: Setup) -> Significances:
    """Alpaydin: all ten squared differences over the spread within the five pairs of halves."""
    from scipy.special import fdtrc

    pairs = _five_pairs(differences, setup)
    f = _safe_quotient((pairs**2).sum(axis=(0, 1)), 2 * _spread(pairs).sum(axis=0))
    p = np.where(np.isinf(f), 0.0, fdtrc(10, 5, np.where(np.isfinite(f), f, 0)))
    return Significances(f, np.where(np.isnan(f), 1.0, p))


def _five_pairs(differences: Floats, setup: Setup) -> Floats:
    """Repetitions × halves, by the names of the units, or as they stand where they have none."""
    if setup.units:
        differences = differences[order_halves(setup.units)]
    if len(differences) != 10:
        raise UsageError(
            "a 5 × 2 test needs ten units in order, two halves of each of five repetitions;"
            f" there are {len(differences)}"
        )
    return differences.reshape(5, 2, -1)


def _spread(pairs: Floats) -> Floats:
    return ((pairs - pairs.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


def _safe_quotient(top: Floats, bottom: Floats) -> Floats:
    """The quotient; infinite over nothing, and NaN for nothing over nothing."""
    result = np.where(top == 0, math.nan, np.copysign(math.inf, top))
    np.divide(top, bottom, out=result, where=bottom > 0)
    return result
