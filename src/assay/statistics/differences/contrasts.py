"""The differences of pairs of systems in one measure: how large, and how certain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints, row_blocks
from assay.core.errors import DataError
from assay.engine.scores import ALL
from assay.statistics.comparison_settings import ComparisonSettings
from assay.statistics.differences import effect_sizes
from assay.statistics.differences.samples import (
    TableSample,
    UnitSample,
    column_differences,
    exact_means,
)
from assay.statistics.differences.table_distributions import (
    TABLE_TESTS,
    Distribution,
    TableDistributions,
)
from assay.statistics.intervals.interval_ends import ROUNDING, all_equal
from assay.statistics.intervals.interval_settings import NO_INTERVAL, NO_WIDTH, TOO_FEW
from assay.statistics.intervals.unit_intervals import mean_intervals
from assay.statistics.significance_tests import JointResult, find_test, joint_tests, paired_tests

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


def system_pairs(systems: Sequence[str], baselines: Sequence[str]) -> tuple[Ints, Ints]:
    """Return each baseline with each other system; all pairs where there is no baseline."""
    if not baselines:
        first, second = np.triu_indices(len(systems), 1)
        return first.astype(np.int64), second.astype(np.int64)
    bases = [systems.index(name) for name in baselines]
    pairs = [
        (base, other)
        for at, base in enumerate(bases)
        for other in range(len(systems))
        if other != base and other not in bases[:at]
    ]
    first, second = np.asarray(pairs, dtype=np.int64).reshape(-1, 2).T
    return first, second


def contrast_systems(
    sample: UnitSample | TableSample, settings: ComparisonSettings, slice_name: str = ALL
) -> Contrasts:
    """Compare every pair of systems over the units that both have.

    A joint test takes the units that all systems have.
    """
    first, second = system_pairs(sample.systems, settings.baselines)
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
        if len(own) < 2:
            yield which, {"units": np.full(len(which), float(len(own)))}
            return
        taking_part = sorted({*first[which].tolist(), *second[which].tolist()})
        spreads = TableDistributions(own, settings.interval, taking_part)
        for pair in which.tolist():
            spread = spreads.difference(int(first[pair]), int(second[pair]))
            yield np.asarray([pair]), _table_facts(own, int(first[pair]), spread, settings)
            settings.progress(pair + 1, len(first))
        return
    start = 0
    for width in row_blocks(len(which), len(own)):
        pairs = which[start : start + width]
        yield pairs, _unit_facts(own, first[pairs], second[pairs], settings)
        start += width


def _table_facts(
    own: TableSample, base: int, spread: Distribution, settings: ComparisonSettings
) -> Facts:
    """Return the facts about one pair of tables."""
    before, difference = own.value(base), spread.estimate
    low, high = (math.nan,) * 2 if spread.certain else spread.ends(settings.interval.confidence)
    margin = settings.margin or 0.0
    better, worse = 1 - spread.p_value("greater", margin), 1 - spread.p_value("less", -margin)
    if own.better == "lower":
        better, worse = worse, better
    alike = float(np.clip(1 - worse - better, 0, 1))
    p = spread.p_value(settings.alternative)
    facts: dict[str, Any] = {
        "units": float(len(own)),
        "baseline_value": before,
        "value": before + difference,
        "difference": difference,
        "low": low,
        "high": high,
        "interval": NO_WIDTH if spread.certain else "" if math.isnan(low) else spread.method,
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


def _unit_facts(own: UnitSample, first: Ints, second: Ints, settings: ComparisonSettings) -> Facts:
    """Return the facts about pairs whose units have values."""
    facts: Facts = {
        "units": np.full(len(first), float(len(own))),
        "test": np.full(len(first), settings.test, object),
    }
    if not len(own):
        return facts
    differences, clusters = own.differences(first, second), own.clusters(settings.interval)
    found = mean_intervals(differences, settings.interval, clusters, own.difference_bounds)
    intervals = [
        NO_INTERVAL if all_equal(column) else interval
        for interval, column in zip(found, differences.T, strict=True)
    ]
    low, high, methods = zip(*intervals, strict=True)
    facts |= {"low": np.asarray(low), "high": np.asarray(high)}
    facts["interval"] = np.asarray(methods, object)
    facts |= _effect_columns(own, first, second, settings.tie_width)
    deviations = independent_units(differences, clusters, centered=True)
    facts |= _posterior_columns(deviations, own.sign, settings)
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


def independent_units(columns: Floats, clusters: Ints | None, centered: bool = False) -> Floats:
    """Return the columns with a row for each independent unit: clusters, where there are any.

    A cluster counts by the sum of its units, scaled so that the mean is unchanged. Where the
    spread matters the sums are ``centered``: they sum deviations from the mean, so that large
    clusters do not differ from small ones by their size alone.
    """
    if clusters is None:
        return columns
    if centered:
        mean = exact_means(columns)
        return mean + independent_units(columns - mean, clusters)
    size = int(clusters.max()) + 1
    sums = [np.bincount(clusters, weights=column, minlength=size) for column in columns.T]
    return np.asfortranarray(np.stack(sums, axis=1) * (size / len(columns)))


def _effect_columns(own: UnitSample, first: Ints, second: Ints, tie_width: float) -> Facts:
    """Return how large the differences are."""
    mean = own.means()
    plain = column_differences(own.values, first, second)
    wins, ties, losses = effect_sizes.win_tie_loss(own.sign * plain, tie_width)
    difference = own.means(plain)
    cliff = [
        effect_sizes.cliff_delta(own.values[:, a], own.values[:, b], own.weights)
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    return {
        "baseline_value": mean[first],
        "value": mean[second],
        "difference": difference,
        "relative": effect_sizes.relative_difference(difference, mean[first]),
        "d": effect_sizes.cohen_d(plain, own.weights),
        "cliff": np.asarray(cliff),
        "wins": wins,
        "ties": ties,
        "losses": losses,
    }


def _posterior_columns(differences: Floats, sign: float, settings: ComparisonSettings) -> Facts:
    """Return where the differences lie with respect to the margin."""
    share = settings.test_share
    correlation = share / (1 + share) if share else 0.0
    posterior = effect_sizes.posterior_probabilities(
        sign * differences, settings.margin or 0.0, correlation
    )
    names = ("worse_chance", "alike_chance", "better_chance")
    columns: Facts = dict(zip(names, posterior, strict=True))
    if settings.margin is not None:
        columns["equivalence_p"] = effect_sizes.tost_p_value(differences, settings.margin)
    return columns
