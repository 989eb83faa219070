"""Tests for folds, whose training sets overlap so that folds are not independent.

The names of the units say which repetition and which fold of it each unit is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.errors import NeedsInput, UsageError
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.paired.student import mean_ends_from, t_test_from_variance
from assay.statistics.significance_tests import (
    ComparisonSettings,
    OwnInterval,
    Significances,
    paired_test,
    tail_p_value,
)

_TWO_NUMBERS = re.compile(r"\D*(\d+)\D+(\d+)\D*")
_NUMBER_AND_LETTER = re.compile(r"\D*(\d+)[^0-9A-Za-z]*([A-Za-z])")
NAMING_HINT = "1a, 1b, 2a … 5b, or r1f1, r1f2 … r5f2"
"""How units may be called so that repetition and half are known."""


def repetitions(units: Sequence[str]) -> list[tuple[int, str]] | None:
    """Return the repetition and the fold of each unit; None if some name does not include both."""
    found = [_NUMBER_AND_LETTER.fullmatch(unit) or _TWO_NUMBERS.fullmatch(unit) for unit in units]
    if not all(found):
        return None
    return [(int(each[1]), each[2].casefold().zfill(9)) for each in found if each]


def order_halves(units: Sequence[str]) -> Ints:
    """Return the places of ten units, by repetition and half."""
    known = repetitions(units)
    listed = ", ".join(units[:3]) + (" …" if len(units) > 3 else "")
    if known is None:
        raise NeedsInput(
            "a 5 × 2 test needs units that are called by repetition and half, such as"
            f" {NAMING_HINT};"
            f" these are called {listed}"
        )
    counts = [len({half for own, half in known if own == each}) for each in {r for r, _ in known}]
    if counts != [2] * 5 or len(known) != 10:
        raise NeedsInput(
            "a 5 × 2 test needs ten units, two halves of each of five repetitions; by their names"
            f" ({listed}) there are {len(known)} units of {len(counts)} repetitions"
        )
    return np.asarray(sorted(range(10), key=known.__getitem__))


def folds_per_repetition(units: Sequence[str]) -> int:
    """Return the number of folds per repetition: all units if names include no repetition.

    A name such as "fold 1 of 10" has two numbers too: they are taken for repetition and fold only
    where every repetition has the same folds, and at least two of them.
    """
    folds: dict[int, list[str]] = {}
    for repetition, fold in repetitions(units) or ():
        folds.setdefault(repetition, []).append(fold)
    each = {tuple(sorted(own)) for own in folds.values()}
    if len(each) != 1:
        return len(units)
    (common,) = each
    return len(common) if 2 <= len(common) == len(set(common)) else len(units)


def fold_names_note(units: Sequence[str]) -> str:
    """Return a note on what the names of the units were taken to mean."""
    each = folds_per_repetition(units)
    times = len(units) // each
    read = "one cross-validation" if times == 1 else f"{times} repetitions, by their names,"
    return f"the {len(units)} units are taken for {read} of {each} folds"


def _test_share_note(settings: ComparisonSettings) -> str | None:
    """Return a note on how the share of test items was found, unless it was given."""
    if settings.test_share is not None or len(settings.units) < 2:
        return None
    known = folds_per_repetition(settings.units) < len(settings.units)
    again = "" if known else " if they are repeated or random splits, such as 1/4 for 5 folds"
    return f"{fold_names_note(settings.units)}; set `test_share` to override this{again}"


def corrected_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    """Return the interval of the mean over folds, whose variance allows for their overlap."""
    freedom = len(differences) - 1
    return mean_ends_from(
        differences, corrected_variance(differences, settings), freedom, confidence
    )


def corrected_variance(differences: Floats, settings: ComparisonSettings) -> Floats:
    """Return the variance of the mean of folds: σ²(1/k + test/train)."""
    size = len(differences)
    folds = folds_per_repetition(settings.units) if settings.units else size
    share = 1 / max(folds - 1, 1) if settings.test_share is None else settings.test_share
    if share <= 0:
        raise UsageError(f"the share of test to training items is above 0, not {share:g}")
    if size < 2:
        return np.full(differences.shape[1], math.nan)
    return np.asarray(differences.var(axis=0, ddof=1) * (1 / size + share))


FOLD_TESTS = ("corrected-t", "5x2-t", "5x2-F")
"""The tests of this file: their units are folds."""
CORRECTED = OwnInterval("Student's t, corrected for overlapping folds", corrected_ends)


@paired_test("corrected-t", "corrected resampled t-test", note=_test_share_note, interval=CORRECTED)
def corrected_resampled(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test with the variance of Nadeau and Bengio for the mean of k folds, σ²(1/k + test/train).

    Where no share is given it is that of a cross-validation, 1/(k - 1) for k folds in each
    repetition according to the names of the units.
    """
    size = len(differences)
    if size < 2:
        return t_test_from_variance(differences, None, 0, settings)
    return t_test_from_variance(
        differences, corrected_variance(differences, settings), size - 1, settings
    )


def _five_by_two_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    from scipy.special import stdtrit

    pairs = _five_pairs(differences, settings)
    reach = float(stdtrit(5, (1 + confidence) / 2)) * np.sqrt(_spread(pairs).mean(axis=0))
    return pairs[0, 0] - reach, pairs[0, 0] + reach


def _five_by_two_f_ends(
    differences: Floats, settings: ComparisonSettings, confidence: float
) -> Ends:
    """Return the shifts of all ten differences that the F-test does not reject; NaN if none."""
    from scipy.special import fdtri

    pairs = _five_pairs(differences, settings)
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
def five_by_two(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test as Dietterich: the first difference over the spread within the five pairs of halves."""
    from scipy.special import stdtr

    pairs = _five_pairs(differences, settings)
    error = np.sqrt(_spread(pairs).mean(axis=0))
    t = _safe_quotient(pairs[0, 0], error)
    p = tail_p_value(stdtr(5, t), stdtr(5, -t), settings.alternative)
    return Significances(t, np.where(np.isnan(t), 1.0, p))


@paired_test(
    "5x2-F",
    "5 × 2 cross-validated F-test",
    interval=OwnInterval("the inverted 5 × 2 F-test", _five_by_two_f_ends),
    two_sided=True,
)
def five_by_two_f(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test as Alpaydin: ten squared differences over the spread within the five pairs of halves."""
    from scipy.special import fdtrc

    pairs = _five_pairs(differences, settings)
    f = _safe_quotient((pairs**2).sum(axis=(0, 1)), 2 * _spread(pairs).sum(axis=0))
    p = np.where(np.isinf(f), 0.0, fdtrc(10, 5, np.where(np.isfinite(f), f, 0)))
    return Significances(f, np.where(np.isnan(f), 1.0, p))


def _five_pairs(differences: Floats, settings: ComparisonSettings) -> Floats:
    """Return repetitions × halves, by the names of the units, or in order if they have none."""
    if settings.units:
        differences = differences[order_halves(settings.units)]
    if len(differences) != 10:
        raise NeedsInput(
            "a 5 × 2 test needs ten units in order, two halves of each of five repetitions;"
            f" there are {len(differences)}"
        )
    return differences.reshape(5, 2, -1)


def _spread(pairs: Floats) -> Floats:
    return ((pairs - pairs.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


def _safe_quotient(top: Floats, bottom: Floats) -> Floats:
    """Return the quotient; infinite for x/0, and NaN for 0/0."""
    result = np.where(top == 0, math.nan, np.copysign(math.inf, top))
    np.divide(top, bottom, out=result, where=bottom > 0)
    return result
