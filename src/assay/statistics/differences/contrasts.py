"""The differences of pairs of systems in one measure: how large, how sure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.errors import DataError, UsageError
from assay.engine.scores import ALL
from assay.statistics.differences.pair_statistics import (
    PAIR_COLUMNS,
    ContrastMethod,
    cluster_codes,
    exchangeable_products,
    independent_units,
    pair_blocks,
    pair_differences,
    pair_statistics,
)
from assay.statistics.differences.unit_values import Sample
from assay.statistics.intervals.interval_settings import NO_WIDTH, TOO_FEW, Bootstrap
from assay.statistics.intervals.unit_intervals import applicable_method
from assay.statistics.intervals.zero_width import ROUNDING, all_equal
from assay.statistics.joint.joint_test import JointResult, joint_tests
from assay.statistics.paired.paired_test import find_test, paired_tests


class ComparedSystems(Protocol):
    """Systems in one measure."""

    @property
    def measure(self) -> str:
        """The name of the measure."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""


@dataclass(frozen=True)
class Contrasts:
    """A column for each fact, an entry for each pair: a baseline and a system."""

    sample: ComparedSystems
    first: Ints
    second: Ints
    columns: dict[str, Floats]
    joint: JointResult | None = None
    slice: str = ALL
    notes: tuple[str, ...] = ()
    intervals: tuple[str, ...] = ()
    """How the interval of each pair was really made."""
    tests: tuple[str, ...] = ()
    """What each pair was tested by, where it is not the test that was asked for."""


def system_pairs(systems: Sequence[str], baselines: Sequence[str]) -> tuple[Ints, Ints]:
    """Each baseline with each other system; all pairs where there is no baseline."""
    if not baselines:
        first, second = np.triu_indices(len(systems), 1)
        return first.astype(np.int64), second.astype(np.int64)
    places = {name: place for place, name in enumerate(systems)}
    chosen = [places[name] for name in baselines]
    found = [
        (base, other)
        for at, base in enumerate(chosen)
        for other in range(len(systems))
        if other != base and other not in chosen[:at]
    ]
    return (
        np.asarray([base for base, _ in found], dtype=np.int64),
        np.asarray([other for _, other in found], dtype=np.int64),
    )


def paired_contrasts(sample: Sample, baselines: Sequence[str], method: ContrastMethod) -> Contrasts:
    """Every pair over the units that both have, with a paired test."""
    test = find_test(method.test)
    _refuse_weights(sample, method.test, test.weights is not None)
    made = pair_differences if test.weights == "spread" else exchangeable_products
    first, second = system_pairs(sample.systems, baselines)
    columns = empty_contrasts(len(first))
    ways = np.full(len(first), "", dtype=object)
    notes: list[str] = []
    for which, own in sample.pairs_by_units(first, second):
        for chosen in pair_blocks(which, len(own)):
            facts = pair_statistics(own, first[chosen], second[chosen], method)
            if len(own):
                apart = made(own, first[chosen], second[chosen])
                centered = test.weights == "spread"
                tested = independent_units(apart, own, method.interval, centered)
                names = () if method.interval.clusters else own.units
                if len(tested) >= test.least_units:
                    found = test(tested, replace(method.setup, units=names))
                    facts |= {"statistic": found.statistic, "p": found.p}
                ways[chosen] = _interval_methods(
                    own, first[chosen], second[chosen], method.interval
                )
                if test.interval is not None:
                    setup = replace(method.setup, units=names)
                    ends = test.interval.ends(tested, setup, method.interval.confidence)
                    facts |= {"low": ends[0], "high": ends[1]}
                    ways[chosen] = _own_ways(test.interval.said, tested, facts)
            _set_columns(columns, chosen, facts)
        notes += _few_units_note(own, first[which], second[which])
        notes += _weak_test_note(own, method.test)
        notes += _fold_note(own, method)
    return Contrasts(
        sample, first, second, columns, notes=tuple(notes), intervals=tuple(ways.tolist())
    )


def _interval_methods(own: Sample, first: Ints, second: Ints, interval: Bootstrap) -> list[str]:
    """How the interval of each difference is really made."""
    apart = pair_differences(own, first, second)
    clusters = cluster_codes(own, interval)
    return [
        NO_WIDTH
        if all_equal(column)
        else applicable_method(column, interval, clusters, own.difference_bounds)
        for column in apart.T
    ]


def _own_ways(said: str, apart: Floats, facts: dict[str, Floats]) -> list[str]:
    """How the interval of a test is made, or why it has none; one without width is removed."""
    low, high = facts["low"], facts["high"]
    flat = np.abs(high - low) <= ROUNDING * np.maximum(np.abs(low), np.abs(high))
    low[flat] = high[flat] = math.nan
    return [
        said if not math.isnan(end) else NO_WIDTH if all_equal(column) else TOO_FEW
        for end, column in zip(low.tolist(), apart.T, strict=True)
    ]


def joint_contrasts(sample: Sample, baselines: Sequence[str], method: ContrastMethod) -> Contrasts:
    """Every pair over the units that all systems have, with a joint test."""
    _refuse_weights(sample, method.test, False)
    own = sample.where(sample.complete)
    if len(own) < 2:
        raise DataError(
            f"{sample.measure}: {len(own)} of {len(sample)} units have a value for every system;"
            f" {method.test} needs at least two"
        )
    first, second = system_pairs(sample.systems, baselines)
    columns = empty_contrasts(len(first))
    ways: list[str] = []
    for chosen in pair_blocks(np.arange(len(first)), len(own)):
        _set_columns(columns, chosen, pair_statistics(own, first[chosen], second[chosen], method))
        ways += _interval_methods(own, first[chosen], second[chosen], method.interval)
    table = independent_units(np.asfortranarray(own.values), own, method.interval)
    found = joint_tests()[method.test](table, method.setup)
    columns["statistic"] = found.pair_statistic[first, second]
    columns["p"] = found.pairs[first, second]
    notes = []
    if len(own) < len(sample):
        notes.append(
            f"{sample.measure}: {len(sample) - len(own)} of {len(sample)} units are left out,"
            " for not every system has a value"
        )
    return Contrasts(
        sample, first, second, columns, found, notes=tuple(notes), intervals=tuple(ways)
    )


def _refuse_weights(sample: Sample, test: str, has_form: bool) -> None:
    if sample.weights is not None and not has_form:
        known = [name for name, each in paired_tests().items() if each.weights is not None]
        raise UsageError(
            f"the test {test} has no weighted form: leave the weights out, or choose"
            f" {', '.join(known)}"
        )


def empty_contrasts(pairs: int) -> dict[str, Floats]:
    """Nothing known of so many pairs."""
    return {fact: np.full(pairs, math.nan) for fact in PAIR_COLUMNS}


def _set_columns(columns: dict[str, Floats], chosen: Ints, facts: dict[str, Floats]) -> None:
    for fact, values in facts.items():
        columns[fact][chosen] = values


def _weak_test_note(own: Sample, test: str) -> list[str]:
    if not 1 < len(own) < find_test(test).least_units:
        return []
    return [
        f"{own.measure}: with {len(own)} units the {find_test(test).said} finds differences too"
        " easily,"
        f" and gives no p below {find_test(test).least_units}; bootstrap, t and randomization do"
    ]


def _fold_note(own: Sample, method: ContrastMethod) -> list[str]:
    """What a test reads from the names of the units."""
    tell = find_test(method.test).told
    names = () if method.interval.clusters else own.units
    said = tell(replace(method.setup, units=names)) if tell else None
    return [] if said is None else [f"{method.test}: {said}"]


def _few_units_note(own: Sample, first: Ints, second: Ints) -> list[str]:
    """What is to be said where hardly anything can be tested."""
    if len(own) > 1:
        tied = (own.values[:, first] == own.values[:, second]).all(axis=0)
        who = _pair_names(own, first[tied], second[tied])
        return [f"{own.measure}: {who} are tied on all {len(own)} units"] if tied.any() else []
    who = _pair_names(own, first, second)
    if not len(own):
        return [f"{own.measure}: {who} have no unit in common: there is nothing to compare"]
    return [f"{own.measure}: {who} have one unit in common: one unit shows no spread"]


def _pair_names(own: Sample, first: Ints, second: Ints) -> str:
    """The first of some pairs, and how many more there are."""
    if not len(first):
        return "the systems"
    more = f" (and {len(first) - 1} more pairs)" if len(first) > 1 else ""
    return f"{own.systems[second[0]]} and {own.systems[first[0]]}{more}"
