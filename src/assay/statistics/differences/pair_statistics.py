"""All about pairs of systems in one measure but the test: how large the differences are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, Ints, exact_mean, row_blocks
from assay.statistics.differences import effect_sizes
from assay.statistics.differences.equivalence import tost_p_value
from assay.statistics.differences.posterior import posterior_probabilities
from assay.statistics.differences.unit_values import Sample
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.intervals.unit_clusters import cluster_numbers
from assay.statistics.intervals.unit_intervals import mean_ends
from assay.statistics.intervals.zero_width import all_equal
from assay.statistics.test_result import Setup

PAIR_COLUMNS = (
    *("units", "baseline_value", "value", "difference", "low", "high", "relative"),
    *("d", "cliff", "wins", "ties", "losses", "statistic", "p", "equivalence_p"),
    *("worse_chance", "alike_chance", "better_chance"),
)
"""What is told of a pair, in this order."""


@dataclass(frozen=True)
class ContrastMethod:
    """How differences are tested, and how sure they are told to be."""

    test: str
    setup: Setup
    interval: Bootstrap
    margin: float | None = None
    """The smallest difference that matters."""


def pair_blocks(pairs: Ints, units: int) -> Iterator[Ints]:
    """The pairs in portions whose differences fit into memory."""
    start = 0
    for width in row_blocks(len(pairs), units):
        yield pairs[start : start + width]
        start += width


def pair_differences(own: Sample, first: Ints, second: Ints) -> Floats:
    """The second less the first, weighted; each column contiguous, so that it adds up alone."""
    return _distance(own.weighted(), first, second)


def exchangeable_products(own: Sample, first: Ints, second: Ints) -> Floats:
    """The same as products with the weights, for tests that exchange the two systems."""
    return _distance(own.products(), first, second)


def _distance(columns: Floats, first: Ints, second: Ints) -> Floats:
    values = np.ascontiguousarray(columns.T)
    return (values[second] - values[first]).T


def independent_units(
    columns: Floats, own: Sample, interval: Bootstrap, centered: bool = False
) -> Floats:
    """The columns with a row for each independent unit: clusters, where units are nested.

    A cluster counts by the sum of its units, scaled so that the mean stays what it was. Where the
    spread matters the sums are ``centred``: of how far its units lie from the mean, so that large
    clusters are not far from small ones by their size alone.
    """
    if not interval.clusters:
        return columns
    if centered:
        mean = exact_means(columns)
        return mean + independent_units(columns - mean, own, interval)
    numbers = cluster_numbers(own.units, interval.clusters)
    size = int(numbers.max()) + 1
    summed = [np.bincount(numbers, weights=column, minlength=size) for column in columns.T]
    return np.asfortranarray(np.stack(summed, axis=1) * (size / len(columns)))


def pair_statistics(
    own: Sample, first: Ints, second: Ints, method: ContrastMethod
) -> dict[str, Floats]:
    """All about each pair but the test."""
    if not len(own):
        return {"units": np.zeros(len(first))}
    apart = pair_differences(own, first, second)
    clusters = cluster_codes(own, method.interval)
    low, high = mean_ends(apart, method.interval, clusters, own.difference_bounds)
    same = [all_equal(column) for column in apart.T]
    low[same] = high[same] = np.nan
    return {
        "units": np.full(len(first), float(len(own))),
        "low": low,
        "high": high,
        **_effect_columns(own, first, second, method.setup.tie_width),
        **_posterior_columns(
            independent_units(apart, own, method.interval, centered=True), own, method
        ),
    }


def cluster_codes(own: Sample, interval: Bootstrap) -> Ints | None:
    """The number of the cluster of each unit, where units are nested."""
    return cluster_numbers(own.units, interval.clusters) if interval.clusters else None


def _effect_columns(own: Sample, first: Ints, second: Ints, tie_width: float) -> dict[str, Floats]:
    """How large the differences are."""
    mean = own.means()
    plain = _distance(own.values, first, second)
    wins, ties, losses = effect_sizes.win_tie_loss(own.sign * plain, tie_width)
    difference = own.means(plain)
    return {
        "baseline_value": mean[first],
        "value": mean[second],
        "difference": difference,
        "relative": effect_sizes.relative_difference(difference, mean[first]),
        "d": effect_sizes.cohen_d(plain, own.weights),
        "cliff": np.asarray(
            [
                effect_sizes.cliff_delta(own.values[:, a], own.values[:, b], own.weights)
                for a, b in zip(first.tolist(), second.tolist(), strict=True)
            ]
        ),
        "wins": wins,
        "ties": ties,
        "losses": losses,
    }


def _posterior_columns(apart: Floats, own: Sample, method: ContrastMethod) -> dict[str, Floats]:
    """Where the differences lie with respect to the margin."""
    share = method.setup.test_share
    correlation = share / (1 + share) if share else 0.0
    posterior = posterior_probabilities(own.sign * apart, method.margin or 0.0, correlation)
    found = {
        "worse_chance": posterior.worse,
        "alike_chance": posterior.alike,
        "better_chance": posterior.better,
    }
    if method.margin is not None:
        found["equivalence_p"] = tost_p_value(apart, method.margin)
    return found


def exact_means(columns: Floats) -> Floats:
    """The correctly rounded mean of each column."""
    return np.asarray([exact_mean(column) for column in columns.T.tolist()])
