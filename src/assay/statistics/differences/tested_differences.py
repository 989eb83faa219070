"""The p-value of each difference, and beside it the interval that belongs to the same test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.statistics.differences.effect_sizes import independent_units
from assay.statistics.differences.samples import UnitSample
from assay.statistics.intervals.interval_ends import ROUNDING, Ends, all_equal
from assay.statistics.intervals.interval_settings import (
    ALL_REJECTED,
    NO_SPREAD,
    NO_WIDTH,
    TOO_FEW,
    UNTESTED,
)
from assay.statistics.significance_tests import (
    ComparisonSettings,
    JointResult,
    PairedTest,
    find_test,
)

Facts = dict[str, NDArray[Any]]


def paired_test_columns(
    own: UnitSample, first: Ints, second: Ints, settings: ComparisonSettings
) -> Facts:
    """Return the results of a paired test and its interval.

    With too few units for the test there is neither a p-value nor an interval.
    """
    test = find_test(settings.test)
    spread, clusters = test.weights == "spread", own.clusters(settings.interval)
    differences = own.differences(first, second, exchangeable=not spread)
    tested = independent_units(differences, clusters, centered=spread)
    if len(tested) < test.least_units:
        return {"interval": np.full(len(first), UNTESTED, object)}
    settings = replace(
        settings,
        units=() if settings.interval.clusters else own.units,
        shares=None if spread else independent_units(own.shares[:, None], clusters)[:, 0],
    )
    statistic, p = test(tested, settings)
    low, high = include_null(*_test_ends(test, tested, settings), p, settings.level)
    title = test.interval.title
    methods = [
        _reason(column, ends, chance < settings.level) or title
        for column, *ends, chance in zip(tested.T, low, high, p, strict=True)
    ]
    shown = np.asarray([method == title for method in methods], bool)
    return {
        "statistic": statistic,
        "p": p,
        "low": np.where(shown, low, math.nan),
        "high": np.where(shown, high, math.nan),
        "interval": np.asarray(methods, object),
    }


def _test_ends(test: PairedTest, tested: Floats, settings: ComparisonSettings) -> Ends:
    """Return the ends for the alternative of the settings: infinite on the other side."""
    confidence, alternative = settings.interval.confidence, settings.alternative
    if alternative == "two-sided" or test.interval.one_sided:
        return test.interval.ends(tested, settings, confidence)
    low, high = test.interval.ends(tested, settings, 2 * confidence - 1)
    none = np.where(np.isnan(low), math.nan, math.inf)
    return (low, none) if alternative == "greater" else (-none, high)


def include_null(low: Floats, high: Floats, p: Floats, level: float) -> Ends:
    """Return the ends so that they include 0 where the test does not reject it.

    Ties make some tests reject shifts on both sides of 0 but not 0 itself.
    """
    kept = p >= level
    return np.where(kept & (low > 0), 0.0, low), np.where(kept & (high < 0), 0.0, high)


def _reason(column: Floats, ends: Sequence[float], rejected: bool) -> str | None:
    """Return why an interval is not shown."""
    low, high = ends
    if all_equal(column):
        return NO_WIDTH
    if math.isnan(low) or (math.isinf(low) and math.isinf(high)):
        return ALL_REJECTED if rejected else TOO_FEW
    flat = math.isfinite(high - low) and high - low <= ROUNDING * max(abs(low), abs(high))
    return NO_SPREAD if flat else None


def joint_test_columns(joint: JointResult, first: Ints, second: Ints, level: float) -> Facts:
    """Return the results of a joint test for these pairs, with its intervals."""
    p = joint.pairs[first, second]
    low, high = include_null(joint.low[first, second], joint.high[first, second], p, level)
    flat = np.isfinite(low) & (high - low <= ROUNDING * np.maximum(np.abs(low), np.abs(high)))
    shown = np.isfinite(low) & ~flat
    missing = np.isnan(joint.low[first, second])
    why = np.where(flat | (missing & np.isfinite(p)), NO_SPREAD, TOO_FEW)
    if np.isnan(joint.low).all():
        why, shown = np.full(len(p), joint.interval, object), np.zeros(len(p), bool)
    return {
        "statistic": joint.pair_statistic[first, second],
        "p": p,
        "low": np.where(shown, low, math.nan),
        "high": np.where(shown, high, math.nan),
        "interval": np.where(shown, joint.interval, why).astype(object),
    }
