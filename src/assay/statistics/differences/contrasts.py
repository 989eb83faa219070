"""The differences of pairs of systems in one measure: how large, and how certain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Ints, row_blocks
from assay.core.errors import DataError
from assay.engine.result import ALL
from assay.statistics.differences.effect_sizes import (
    effect_columns,
    independent_units,
    posterior_columns,
)
from assay.statistics.differences.samples import TableSample, UnitSample
from assay.statistics.differences.table_contrasts import contrast_tables
from assay.statistics.differences.tested_differences import (
    Facts,
    joint_test_columns,
    paired_test_columns,
)
from assay.statistics.significance_tests import (
    ComparisonSettings,
    JointResult,
    joint_tests,
    paired_tests,
)

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
        columns |= joint_test_columns(joint, first, second, settings.level)
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
    facts |= effect_columns(own, first, second, settings)
    deviations = independent_units(differences, clusters, centered=True)
    facts |= posterior_columns(deviations, own.sign, settings)
    if settings.test in paired_tests():
        facts |= paired_test_columns(own, first, second, settings)
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
