"""The differences of pairs of systems in one measure: how large, how sure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints, exact_mean
from assay.core.errors import DataError
from assay.engine.scores import ALL
from assay.statistics import effects
from assay.statistics.bootstrap import Bootstrap
from assay.statistics.equivalence import equivalence
from assay.statistics.findings import Setup
from assay.statistics.intervals import mean_ends
from assay.statistics.joint.test import Joint, joint_tests
from assay.statistics.paired.test import find
from assay.statistics.pairing import Sample
from assay.statistics.posterior import chances
from assay.statistics.resampling import blocks, cluster_numbers

PAIR_CELLS = 8
"""Differences in memory at a time, in blocks of the resampling."""


@dataclass(frozen=True)
class Contrasts:
    """A column for each fact, an entry for each pair: a baseline and a system."""

    sample: Sample
    first: Ints
    second: Ints
    columns: dict[str, Floats]
    joint: Joint | None = None
    slice: str = ALL
    notes: tuple[str, ...] = ()


def pairs_of(systems: Sequence[str], baselines: Sequence[str]) -> tuple[Ints, Ints]:
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


FACTS = (
    *("units", "baseline_value", "value", "difference", "low", "high", "relative"),
    *("d", "cliff", "wins", "ties", "losses", "statistic", "p", "equivalence_p"),
    *("worse_chance", "alike_chance", "better_chance"),
)


def contrasts(
    sample: Sample,
    baselines: Sequence[str],
    test: str,
    setup: Setup,
    interval: Bootstrap,
    margin: float | None = None,
) -> Contrasts:
    """Every pair over the units that both have, with a paired test."""
    first, second = pairs_of(sample.systems, baselines)
    columns = {fact: np.full(len(first), math.nan) for fact in FACTS}
    notes: list[str] = []
    for which, own in sample.pairs_by_units(first, second):
        width = max(1, PAIR_CELLS * next(blocks(10**12, max(len(own), 1))))
        for start in range(0, len(which), width):
            chosen = which[start : start + width]
            facts = _facts(own, first[chosen], second[chosen], setup, interval, margin)
            if len(own):
                apart = differences(own, first[chosen], second[chosen])
                found = find(test)(_test_units(apart, own, interval), setup)
                facts |= {"statistic": found.statistic, "p": found.p}
            for fact, values in facts.items():
                columns[fact][chosen] = values
        notes += _small(own, [(sample.systems[second[n]], sample.systems[first[n]]) for n in which])
    return Contrasts(sample, first, second, columns, notes=tuple(notes))


def joint_contrasts(
    sample: Sample,
    baselines: Sequence[str],
    test: str,
    setup: Setup,
    interval: Bootstrap,
    margin: float | None = None,
) -> Contrasts:
    """Every pair over the units that all systems have, with a joint test."""
    complete = sample.complete
    own = sample.where(complete)
    if len(own) < 2:
        raise DataError(
            f"{sample.measure}: {len(own)} of {len(sample)} units have a value for every system;"
            f" {test} needs at least two"
        )
    first, second = pairs_of(sample.systems, baselines)
    notes = []
    if not complete.all():
        notes.append(
            f"{sample.measure}: {int((~complete).sum())} of {len(sample)} units are left out,"
            " for not every system has a value"
        )
    table = _test_units(np.asfortranarray(own.weighted()), own, interval)
    found = joint_tests()[test](table, setup)
    columns = {fact: np.full(len(first), math.nan) for fact in FACTS}
    width = max(1, PAIR_CELLS * next(blocks(10**12, len(own))))
    for start in range(0, len(first), width):
        chosen = np.arange(start, min(start + width, len(first)))
        for fact, values in _facts(
            own, first[chosen], second[chosen], setup, interval, margin
        ).items():
            columns[fact][chosen] = values
    columns["statistic"] = found.pair_statistic[first, second]
    columns["p"] = found.pairs[first, second]
    return Contrasts(sample, first, second, columns, found, notes=tuple(notes))


def differences(own: Sample, first: Ints, second: Ints) -> Floats:
    """The second less the first, weighted; each column contiguous, so that it adds up alone."""
    values = np.ascontiguousarray(own.weighted().T)
    return (values[second] - values[first]).T


def _test_units(columns: Floats, own: Sample, interval: Bootstrap) -> Floats:
    """The columns with a row for each independent unit: clusters, where units are nested.

    A cluster counts by the sum of its units, scaled so that the mean stays what it was.
    """
    if not interval.clusters:
        return columns
    numbers = cluster_numbers(own.units, interval.clusters)
    size = int(numbers.max()) + 1
    summed = [np.bincount(numbers, weights=column, minlength=size) for column in columns.T]
    return np.asfortranarray(np.stack(summed, axis=1) * (size / len(columns)))


def _facts(
    own: Sample,
    first: Ints,
    second: Ints,
    setup: Setup,
    interval: Bootstrap,
    margin: float | None,
) -> dict[str, Floats]:
    """All about each pair but the test."""
    apart = differences(own, first, second)
    if not len(own):
        return {"units": np.zeros(len(first))}
    mean = exact_means(own.weighted())
    clusters = cluster_numbers(own.units, interval.clusters) if interval.clusters else None
    low, high = mean_ends(apart, interval, clusters)
    wins, ties, losses = effects.tally(own.sign * apart, setup.tie_width)
    apart_by_unit = _test_units(apart, own, interval)
    share = setup.test_share
    correlation = share / (1 + share) if share else 0.0
    posterior = chances(own.sign * apart_by_unit, margin or 0.0, correlation)
    difference = exact_means(apart)
    facts = {
        "units": np.full(len(first), float(len(own))),
        "baseline_value": mean[first],
        "value": mean[second],
        "difference": difference,
        "low": low,
        "high": high,
        "relative": effects.relative(difference, mean[first]),
        "d": effects.cohen_d(apart),
        "cliff": np.asarray(
            [
                effects.cliff_delta(own.values[:, a], own.values[:, b])
                for a, b in zip(first.tolist(), second.tolist(), strict=True)
            ]
        ),
        "wins": wins,
        "ties": ties,
        "losses": losses,
        "worse_chance": posterior.worse,
        "alike_chance": posterior.alike,
        "better_chance": posterior.better,
    }
    if margin is not None:
        facts["equivalence_p"] = equivalence(apart_by_unit, margin)
    return facts


def exact_means(columns: Floats) -> Floats:
    """The correctly rounded mean of each column."""
    return np.asarray([exact_mean(column) for column in columns.T.tolist()])


def _small(own: Sample, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """What is to be said where hardly anything can be tested."""
    who = f"{pairs[0][0]} and {pairs[0][1]}" if pairs else "the systems"
    more = f" (and {len(pairs) - 1} more pairs)" if len(pairs) > 1 else ""
    if not len(own):
        return [f"{own.measure}: {who}{more} have no unit in common: there is nothing to compare"]
    if len(own) == 1:
        return [f"{own.measure}: {who}{more} have one unit in common: one unit shows no spread"]
    return []
