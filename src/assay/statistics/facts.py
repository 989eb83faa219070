"""All about pairs of systems in one measure but the test: how large the differences are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints, blocks, exact_mean
from assay.statistics import effects
from assay.statistics.bootstrap import Bootstrap
from assay.statistics.clusters import cluster_numbers
from assay.statistics.equivalence import equivalence
from assay.statistics.findings import Setup
from assay.statistics.intervals import mean_ends
from assay.statistics.no_width import alike
from assay.statistics.pairing import Sample
from assay.statistics.posterior import chances

FACTS = (
    *("units", "baseline_value", "value", "difference", "low", "high", "relative"),
    *("d", "cliff", "wins", "ties", "losses", "statistic", "p", "equivalence_p"),
    *("worse_chance", "alike_chance", "better_chance"),
)
"""What is told of a pair, in this order."""


@dataclass(frozen=True)
class Method:
    """How differences are tested, and how sure they are told to be."""

    test: str
    setup: Setup
    interval: Bootstrap
    margin: float | None = None
    """The smallest difference that matters."""


def portions(pairs: Ints, units: int) -> Iterator[Ints]:
    """The pairs in portions whose differences fit into memory."""
    start = 0
    for width in blocks(len(pairs), units):
        yield pairs[start : start + width]
        start += width


def differences(own: Sample, first: Ints, second: Ints) -> Floats:
    """The second less the first, weighted; each column contiguous, so that it adds up alone."""
    return _apart(own.weighted(), first, second)


def exchanged(own: Sample, first: Ints, second: Ints) -> Floats:
    """The same as products with the weights, for tests that exchange the two systems."""
    return _apart(own.products(), first, second)


def _apart(columns: Floats, first: Ints, second: Ints) -> Floats:
    values = np.ascontiguousarray(columns.T)
    return (values[second] - values[first]).T


def independent_units(
    columns: Floats, own: Sample, interval: Bootstrap, centred: bool = False
) -> Floats:
    """The columns with a row for each independent unit: clusters, where units are nested.

    A cluster counts by the sum of its units, scaled so that the mean stays what it was. Where the
    spread matters the sums are ``centred``: of how far its units lie from the mean, so that large
    clusters are not far from small ones by their size alone.
    """
    if not interval.clusters:
        return columns
    if centred:
        mean = exact_means(columns)
        return mean + independent_units(columns - mean, own, interval)
    numbers = cluster_numbers(own.units, interval.clusters)
    size = int(numbers.max()) + 1
    summed = [np.bincount(numbers, weights=column, minlength=size) for column in columns.T]
    return np.asfortranarray(np.stack(summed, axis=1) * (size / len(columns)))


def facts_of(own: Sample, first: Ints, second: Ints, method: Method) -> dict[str, Floats]:
    """All about each pair but the test."""
    if not len(own):
        return {"units": np.zeros(len(first))}
    apart = differences(own, first, second)
    clusters = own_clusters(own, method.interval)
    low, high = mean_ends(apart, method.interval, clusters, own.difference_bounds)
    same = [alike(column) for column in apart.T]
    low[same] = high[same] = np.nan
    return {
        "units": np.full(len(first), float(len(own))),
        "low": low,
        "high": high,
        **_sizes(own, first, second, method.setup.tie_width),
        **_chances(independent_units(apart, own, method.interval, centred=True), own, method),
    }


def own_clusters(own: Sample, interval: Bootstrap) -> Ints | None:
    """The number of the cluster of each unit, where units are nested."""
    return cluster_numbers(own.units, interval.clusters) if interval.clusters else None


def _sizes(own: Sample, first: Ints, second: Ints, tie_width: float) -> dict[str, Floats]:
    """How large the differences are."""
    mean = own.means()
    plain = _apart(own.values, first, second)
    wins, ties, losses = effects.tally(own.sign * plain, tie_width)
    difference = own.means(plain)
    return {
        "baseline_value": mean[first],
        "value": mean[second],
        "difference": difference,
        "relative": effects.relative(difference, mean[first]),
        "d": effects.cohen_d(plain, own.weights),
        "cliff": np.asarray(
            [
                effects.cliff_delta(own.values[:, a], own.values[:, b], own.weights)
                for a, b in zip(first.tolist(), second.tolist(), strict=True)
            ]
        ),
        "wins": wins,
        "ties": ties,
        "losses": losses,
    }


def _chances(apart: Floats, own: Sample, method: Method) -> dict[str, Floats]:
    """Where the differences lie with respect to the margin."""
    share = method.setup.test_share
    correlation = share / (1 + share) if share else 0.0
    posterior = chances(own.sign * apart, method.margin or 0.0, correlation)
    found = {
        "worse_chance": posterior.worse,
        "alike_chance": posterior.alike,
        "better_chance": posterior.better,
    }
    if method.margin is not None:
        found["equivalence_p"] = equivalence(apart, method.margin)
    return found


def exact_means(columns: Floats) -> Floats:
    """The correctly rounded mean of each column."""
    return np.asarray([exact_mean(column) for column in columns.T.tolist()])
