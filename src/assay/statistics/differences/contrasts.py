"""The differences of pairs of systems in one measure: how large, and how certain by a test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints, row_slices
from assay.core.errors import DataError
from assay.engine.result import ALL
from assay.statistics.differences.effect_sizes import (
    cliff_delta,
    cohen_d,
    independent_units,
    posterior_columns,
    relative_difference,
    win_tie_loss,
)
from assay.statistics.differences.samples import TableSample, UnitSample, column_differences
from assay.statistics.differences.table_distributions import (
    TABLE_TESTS,
    Distribution,
    TableDistributions,
)
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
    joint_tests,
    paired_tests,
)

Facts = dict[str, NDArray[Any]]
PAIR_COLUMNS = (
    *("units", "baseline_value", "value", "difference", "low", "high", "interval", "relative"),
    *("d", "cliff", "wins", "ties", "losses", "test", "statistic", "p", "equivalence_p"),
    *("worse_chance", "alike_chance", "better_chance"),
)
"""The facts about a pair, in this order."""
NAME_COLUMNS = ("interval", "test")
"""How the interval was made, or why there is none; and the test."""


@dataclass(frozen=True)
class Contrasts:
    """An array for each column, with an entry for each pair: a baseline and a system."""

    sample: UnitSample | TableSample
    slice: str
    first: Ints
    second: Ints
    columns: Facts
    joint: JointResult | None


def contrast_systems(
    sample: UnitSample | TableSample, settings: ComparisonSettings, slice_name: str = ALL
) -> Contrasts:
    """Compare every pair of systems over their common units.

    A joint test takes the units that all systems have.
    """
    first, second = sample.pairs(settings.baselines)
    columns: Facts = {
        name: np.full(len(first), *(("", object) if name in NAME_COLUMNS else (math.nan,)))
        for name in PAIR_COLUMNS
    }
    joint = None
    groups: Iterable[tuple[Ints, UnitSample | TableSample]]
    if isinstance(sample, UnitSample) and settings.test in joint_tests():
        joint, shared = _test_jointly(sample, settings)
        columns |= _joint_test_columns(joint, first, second, settings.level)
        groups = [(np.arange(len(first)), shared)]
    else:
        groups = sample.pairs_by_units(first, second)
    for which, own in groups:
        for pairs, facts in _contrast_pairs(own, which, first, second, settings):
            for name, values in facts.items():
                columns[name][pairs] = values
    return Contrasts(sample, slice_name, first, second, columns, joint)


def _contrast_pairs(
    own: UnitSample | TableSample,
    which: Ints,
    first: Ints,
    second: Ints,
    settings: ComparisonSettings,
) -> Iterator[tuple[Ints, Facts]]:
    """Yield pairs and their facts, in blocks whose differences fit into memory."""
    if isinstance(own, TableSample):
        yield from _contrast_tables(own, which, first, second, settings)
        return
    for block in row_slices(len(which), len(own.units)):
        pairs = which[block]
        yield pairs, _unit_facts(own, first[pairs], second[pairs], settings)


def _unit_facts(own: UnitSample, first: Ints, second: Ints, settings: ComparisonSettings) -> Facts:
    """Return the facts about pairs whose units have values: effect, interval and test."""
    facts: Facts = {
        "units": np.full(len(first), float(len(own))),
        "test": np.full(len(first), settings.test, object),
    }
    if not len(own):
        return facts
    plain = column_differences(own.values, first, second)
    mean, difference, sign = own.means(), own.means(plain), own.sign
    differences, clusters = own.differences(first, second), own.clusters(settings.interval)
    wins, ties, losses = win_tie_loss(sign * plain, settings.tie_width)
    cliff = [
        cliff_delta(own.values[:, a], own.values[:, b], own.weights)
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    facts |= {
        "baseline_value": mean[first],
        "value": mean[second],
        "difference": difference,
        "relative": relative_difference(difference, mean[first]),
        "d": cohen_d(plain, own.weights),
        "cliff": np.asarray(cliff),
        "wins": wins,
        "ties": ties,
        "losses": losses,
    }
    deviations = independent_units(differences, clusters, centered=True)
    facts |= posterior_columns(deviations, sign, settings)
    if settings.test in paired_tests():
        facts |= _paired_test_columns(own, first, second, settings)
    return facts


def _paired_test_columns(
    own: UnitSample, first: Ints, second: Ints, settings: ComparisonSettings
) -> Facts:
    """Return the p-values of a paired test and its intervals; neither with too few units."""
    test = paired_tests()[settings.test]
    spread, clusters = test.weights == "spread", own.clusters(settings.interval)
    differences = own.differences(first, second, exchangeable=not spread)
    tested = independent_units(differences, clusters, centered=spread)
    if len(tested) < test.least_units:
        return {"interval": np.full(len(first), UNTESTED, object)}
    shares = None  # all units count alike
    if not spread and (own.weights is not None or clusters is not None):
        shares = independent_units(own.shares[:, None], clusters)[:, 0]
    units = () if settings.interval.clusters else own.units
    settings = replace(settings, units=units, shares=shares)
    ends = _test_ends(test, tested, settings)
    statistic, p = test.function(tested, settings)
    width = own.bounds[1] - own.bounds[0]
    ends = np.maximum(ends[0], -width), np.minimum(ends[1], width)
    low, high = _include_null(*ends, p, settings.level)
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


def _include_null(low: Any, high: Any, p: Any, level: float) -> Ends:
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


def _joint_test_columns(joint: JointResult, first: Ints, second: Ints, level: float) -> Facts:
    """Return the results of a joint test for these pairs, with its intervals."""
    p = joint.pairs[first, second]
    low, high = _include_null(joint.low[first, second], joint.high[first, second], p, level)
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


def _test_jointly(
    sample: UnitSample, settings: ComparisonSettings
) -> tuple[JointResult, UnitSample]:
    """Return the result of a joint test, and the units that all systems have."""
    own = sample.where(sample.complete)
    if len(own) < 2:
        raise DataError(
            f"{sample.measure}: {len(own)} of {len(sample)} units have a value for every system;"
            f" {settings.test} needs at least two"
        )
    table = independent_units(np.asfortranarray(own.values), own.clusters(settings.interval))
    return joint_tests()[settings.test](table, settings), own


def _contrast_tables(
    own: TableSample, which: Ints, first: Ints, second: Ints, settings: ComparisonSettings
) -> Iterator[tuple[Ints, Facts]]:
    """Yield each of the pairs of tables, and the facts about it."""
    if len(own) < 2:
        yield which, {"units": np.full(len(which), float(len(own)))}
        return
    taking_part = sorted({*first[which].tolist(), *second[which].tolist()})
    spreads = TableDistributions(own, settings.interval, taking_part)
    for pair in which.tolist():
        spread = spreads.difference(int(first[pair]), int(second[pair]))
        yield np.asarray([pair]), _table_facts(own, int(first[pair]), spread, settings)
        settings.progress(pair + 1, len(first))


def _table_facts(
    own: TableSample, base: int, spread: Distribution, settings: ComparisonSettings
) -> Facts:
    """Return the facts about one pair of tables."""
    before, difference = own.value(base), spread.estimate
    low, high, p = math.nan, math.nan, spread.p_value(settings.alternative)
    if not spread.certain:
        ends = spread.tested_ends(settings.interval.confidence, settings.alternative)
        low, high = map(float, _include_null(*ends, p, settings.level))
    method = NO_WIDTH if spread.certain else "" if math.isnan(low) else spread.test_interval
    if math.isinf(low) and math.isinf(high):
        low, high, method = math.nan, math.nan, TOO_FEW
    margin = settings.margin or 0.0
    better, worse = 1 - spread.p_value("greater", margin), 1 - spread.p_value("less", -margin)
    if own.better == "lower":
        better, worse = worse, better
    alike = float(np.clip(1 - worse - better, 0, 1))
    facts: dict[str, Any] = {
        "units": float(len(own)),
        "baseline_value": before,
        "value": before + difference,
        "difference": difference,
        "low": low,
        "high": high,
        "interval": method,
        "relative": difference / abs(before) if before else math.nan,
        "test": "" if math.isnan(p) else TABLE_TESTS.get(spread.method, ""),
        "statistic": spread.statistic,
        "p": p,
        "worse_chance": worse,
        "alike_chance": alike if margin or not difference else 0.0 * alike,
        "better_chance": better,
    }
    if settings.margin is not None:
        facts["equivalence_p"] = max(
            spread.p_value("greater", -margin), spread.p_value("less", margin)
        )
    return {name: np.asarray([value]) for name, value in facts.items()}
