"""The differences of pairs of systems in one measure: how large, and how certain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Ints, row_blocks
from assay.core.errors import DataError
from assay.engine.scores import ALL
from assay.statistics.differences.effect_sizes import (
    effect_columns,
    independent_units,
    posterior_columns,
)
from assay.statistics.differences.samples import TableSample, UnitSample
from assay.statistics.differences.table_distributions import contrast_tables
from assay.statistics.intervals.interval_ends import ROUNDING, all_equal
from assay.statistics.intervals.interval_settings import NO_INTERVAL, NO_WIDTH, TOO_FEW
from assay.statistics.intervals.unit_intervals import mean_intervals
from assay.statistics.significance_tests import (
    ComparisonSettings,
    JointResult,
    find_test,
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
        columns["statistic"] = joint.pair_statistic[first, second]
        columns["p"] = joint.pairs[first, second]
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
        yield from contrast_tables(own, which, first, second, settings)
        return
    start = 0
    for width in row_blocks(len(which), len(own.units)):
        pairs = which[start : start + width]
        yield pairs, _unit_facts(own, first[pairs], second[pairs], settings)
        start += width


def _unit_facts(own: UnitSample, first: Ints, second: Ints, settings: ComparisonSettings) -> Facts:
    """Return the facts about pairs whose units have values: effect, interval and test."""
    facts: Facts = {
        "units": np.full(len(first), float(len(own))),
        "test": np.full(len(first), settings.test, object),
    }
    if not len(own):
        return facts
    differences, clusters = own.differences(first, second), own.clusters(settings.interval)
    bounds = own.difference_bounds
    facts |= effect_columns(own, first, second, settings)
    deviations = independent_units(differences, clusters, centered=True)
    facts |= posterior_columns(deviations, own.sign, settings)
    found = mean_intervals(differences, settings.interval, clusters, bounds)
    intervals = [
        NO_INTERVAL if all_equal(column) else interval
        for interval, column in zip(found, differences.T, strict=True)
    ]
    low, high, methods = zip(*intervals, strict=True)
    facts |= {"low": np.asarray(low), "high": np.asarray(high)}
    facts["interval"] = np.asarray(methods, object)
    if settings.test in paired_tests():
        facts |= _paired_test_columns(own, first, second, settings)
    return facts


def _paired_test_columns(
    own: UnitSample, first: Ints, second: Ints, settings: ComparisonSettings
) -> Facts:
    """Return the results of a paired test, and its own interval if it has one."""
    test = find_test(settings.test)
    spread = test.weights == "spread"
    differences = own.differences(first, second, exchangeable=not spread)
    tested = independent_units(differences, own.clusters(settings.interval), centered=spread)
    settings = replace(settings, units=() if settings.interval.clusters else own.units)
    facts: Facts = {}
    if len(tested) >= test.least_units:
        statistic, p = test(tested, settings)
        facts |= {"statistic": statistic, "p": p}
    if test.interval is not None:
        low, high = test.interval.ends(tested, settings, settings.interval.confidence)
        flat = np.abs(high - low) <= ROUNDING * np.maximum(np.abs(low), np.abs(high))
        low[flat] = high[flat] = math.nan
        methods = [
            test.interval.title
            if not math.isnan(end)
            else NO_WIDTH
            if all_equal(column)
            else TOO_FEW
            for end, column in zip(low.tolist(), tested.T, strict=True)
        ]
        facts |= {"low": low, "high": high, "interval": np.asarray(methods, object)}
    return facts


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
    table = np.asfortranarray(own.values)
    table = independent_units(table, own.clusters(settings.interval))
    return joint_tests()[settings.test](table, settings), own
