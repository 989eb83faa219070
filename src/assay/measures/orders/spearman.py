"""Spearman's rho and Pearson's r."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import (
    Floats,
    Ints,
    constant_rows,
    exact_block_sum,
    power_of_two,
    ratio,
    sorted_sum,
)
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.evidence.column_values import MOST_SORTED_AT_ONCE
from assay.evidence.exact_moments import exact_spreads
from assay.evidence.sorted_pairs import SortedPairs
from assay.evidence.views.order_pairs import OrderPairs, code_ranks, mid_ranks
from assay.measures.orders.order_intervals import (
    Ends,
    fisher_ends,
    has_many_items,
    item_sample,
    product_error,
    rank_influence,
    sampled_error,
)

ALL_EQUAL = "one of the two orders has only one value"


@define(
    "rho",
    bounds=(-1, 1),
    aliases=["spearman", "spearmanr", "spearman_plain(ties=none)"],
    undefined=ALL_EQUAL,
    variants=["rho(ties=none)"],
    label="Spearman's ρ",
    standard=True,
)
def spearman(orders: OrderPairs, ties: Literal["mid", "none"] = "mid") -> Floats:
    """The correlation of the ranks, where tied items share the mean of their ranks.

    ``ties=none`` is the formula for orders without ties, 1 − 6 Σd² / (n (n² − 1)), also where
    there are some; without ties both are the same.

    >>> measure("rho")(orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])).round(2)
    array([0.8])
    """
    parts = []
    for number in range(len(orders.groups)):
        pairs = orders.sorted_groups[number] if ties == "mid" else None
        if pairs is not None:
            parts.append(_exact_rank_correlation(pairs))
            continue
        first, second, weight = orders.coded_group(number)
        one, two = code_ranks(first, weight), code_ranks(second, weight)
        parts.append(
            _plain(one, two, weight) if ties == "none" else weighted_correlation(one, two, weight)
        )
    return np.concatenate(parts) if parts else np.empty(0)


@spearman.interval
def spearman_interval(orders: OrderPairs, confidence: float, s: Settings) -> Ends | None:
    """Return the interval of many items, from how much sampled ones move rho."""
    if not has_many_items(orders):
        return None
    error = sampled_error(rank_influence(*item_sample(orders), s.ties), len(orders.first))
    return fisher_ends(float(spearman(orders, s.ties)[0]), error, confidence)


def _plain(one: Floats, two: Floats, weight: Floats) -> Floats:
    size = weight.sum(axis=1)
    apart = sorted_sum(weight * (one - two) ** 2)
    different = (np.ptp(one, axis=1) > 0) & (np.ptp(two, axis=1) > 0)
    value = 1 - ratio(6 * apart, size * (size**2 - 1))
    return np.where(different, np.maximum(value, -1), np.nan)


@define(
    "r",
    bounds=(-1, 1),
    aliases=["pearson", "pearsonr", "pearson_order", "correlation_coefficient"],
    undefined=ALL_EQUAL,
    label="Pearson's r",
    standard=True,
)
def pearson(orders: OrderPairs) -> Floats:
    """The correlation of the two numbers of each item: how nearly they lie on a rising line.

    >>> measure("r", "correlation")(orders([1, 2, 3], [1, 2, 4])).round(3)
    array([0.982])
    """
    parts = [
        weighted_correlation(
            np.broadcast_to(first, weight.shape), np.broadcast_to(second, weight.shape), weight
        )
        for first, second, weight in orders.weighted_orders()
    ]
    return np.concatenate(parts) if parts else np.empty(0)


@pearson.interval
def pearson_interval(orders: OrderPairs, confidence: float) -> Ends | None:
    """Return the interval from how much each item moves r, if there are many items."""
    if not has_many_items(orders):
        return None
    error = product_error(orders.first, orders.second)
    return fisher_ends(float(pearson(orders)[0]), error, confidence)


def weighted_correlation(one: Floats, two: Floats, weight: Floats) -> Floats:
    """Return the correlation of two rows of numbers, weighted, for each row."""
    if weight.strides[1] == 0 and one.size > MOST_SORTED_AT_ONCE:
        return _exact_correlation(one[0], two[0])
    equal = constant_rows(one, weight) | constant_rows(two, weight)
    size = np.where(weight.sum(axis=1) > 0, weight.sum(axis=1), np.nan)[:, None]
    one, two = one / power_of_two(one), two / power_of_two(two)
    one = one - sorted_sum(weight * one)[:, None] / size
    two = two - sorted_sum(weight * two)[:, None] / size
    spread = np.sqrt(sorted_sum(weight * one**2)) * np.sqrt(sorted_sum(weight * two**2))
    return np.clip(ratio(sorted_sum(weight * one * two), np.where(equal, 0, spread)), -1, 1)


def _exact_correlation(one: Floats, two: Floats) -> Floats:
    """Return the correlation of many items that count once, by sums that need no order."""
    one, two = (each / scale if (scale := power_of_two(each)) != 1 else each for each in (one, two))
    return _bounded_ratio(*exact_spreads(one, two)[1])


def _exact_rank_correlation(pairs: SortedPairs) -> Floats:
    """Return the correlation of the middle ranks of many items that count once.

    The spread of ranks follows from the sizes of ties. Whole numbers, and halves, are exact.
    """
    size = len(pairs.sequence)
    one, two = _ranks_from_mean(pairs.one), _ranks_from_mean(pairs.two)
    of_items, ends = np.repeat(one, pairs.one), np.cumsum(pairs.two)

    def products(span: slice) -> Floats:
        """Return the products of the ranks of some items, each from its mean."""
        own: Floats = of_items[pairs.sequence[span]]
        stop = min(span.stop, size)
        ties = slice(ends.searchsorted(span.start, "right"), ends.searchsorted(stop) + 1)
        lengths = np.diff(np.minimum(ends[ties], stop), prepend=span.start)
        return np.multiply(own, np.repeat(two[ties], lengths), out=own)

    of_one, of_two = (_rank_spread(each, size) for each in (pairs.one, pairs.two))
    return _bounded_ratio(of_one, of_two, exact_block_sum(size, products))


def _ranks_from_mean(counts: Ints) -> Floats:
    """Return the middle rank of each group of ties, from the mean of all ranks."""
    ranks = counts / -2  # Whole numbers and halves: no step is rounded.
    ranks += np.cumsum(counts)
    ranks -= int(counts.sum()) / 2
    return ranks


def _rank_spread(counts: Ints, size: int) -> float:
    """Return the sum of the squared distances of middle ranks from their mean."""
    groups = enumerate(np.bincount(counts[counts > 1]).tolist())
    return (size**3 - size - sum(number * (tied**3 - tied) for tied, number in groups)) / 12


def _bounded_ratio(of_one: float, of_two: float, of_both: float) -> Floats:
    """Return the correlation, from two sums of squares and that of products."""
    spread = np.sqrt([of_one]) * np.sqrt(of_two)
    return np.clip(ratio(np.asarray([of_both]), spread), -1, 1)


@spearman.trace
def spearman_trace(orders: OrderPairs, s: Settings) -> Columns:
    """Return the ranks of each item in both orders, and the sums of the formula."""
    first, second, weight = next(iter(orders.weighted_orders()))
    one, two = mid_ranks(-first, weight)[0], mid_ranks(-second, weight)[0]
    columns = {"item": list(orders.names), "rank": one, "other rank": two}
    if s.ties == "mid":
        return columns | _products(one, two, "rho")
    apart, size = (one - two) ** 2, len(one)
    below = np.full(size, size * (size**2 - 1.0))
    return columns | {
        "apart": one - two,
        "squared": apart,
        "6 × sum so far": 6 * np.cumsum(apart),
        "n (n² − 1)": below,
        "rho: 1 − quotient": np.maximum(1 - ratio(6 * np.cumsum(apart), below), -1),
    }


@pearson.trace
def pearson_trace(orders: OrderPairs) -> Columns:
    """Return the numbers of each item, how far they are from their means, and the products."""
    first, second, _ = next(iter(orders.weighted_orders()))
    columns = {"item": list(orders.names), "first": first, "second": second}
    return columns | _products(first, second, "r")


def _products(one: Floats, two: Floats, name: str) -> Columns:
    """Return the deviations from the means and their products, down to the correlation."""
    one, two = one / power_of_two(one), two / power_of_two(two)
    one, two = one - one.mean(), two - two.mean()
    spread = np.sqrt((one**2).sum()) * np.sqrt((two**2).sum())
    products = np.cumsum(one * two)
    return {
        "from the mean": one,
        "other from the mean": two,
        "product": one * two,
        "sum of products": products,
        "√Σ² · √Σ²": np.full(len(one), spread),
        name: ratio(products, spread),
    }
