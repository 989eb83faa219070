"""Intervals of the correlation of many items, from how much each item moves it."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, Ints, exact_block_sum, power_of_two
from assay.core.closed_form_intervals import MANY_ITEMS, normal_margin
from assay.evidence.alike_items import dense_ranks
from assay.evidence.discordant_counts import discordant_partners
from assay.evidence.exact_moments import exact_spreads
from assay.evidence.sorted_pairs import pair_keys
from assay.evidence.views.order_pairs import OrderPairs

Ends = tuple[float, float]


def has_many_items(orders: OrderPairs) -> bool:
    """Return whether there is one group of so many items that resamples would take long."""
    return len(orders.groups) == 1 and orders.weight is None and len(orders.first) > MANY_ITEMS


def fisher_ends(value: float, error: float, confidence: float) -> Ends:
    """Return the ends around a correlation with this standard error, equally far in Fisher's z."""
    if math.isnan(value) or abs(value) >= 1:
        return value, value
    middle = math.atanh(value)
    far = normal_margin(error / (1 - value * value), confidence)
    return math.tanh(middle - far), math.tanh(middle + far)


def item_sample(orders: OrderPairs) -> tuple[Ints, Ints]:
    """Return the places of items in both orders: every k-th item of those sorted by both.

    20,000 to 40,000 items are enough to see how much single items move a correlation. Which they
    are depends on the numbers alone, not on the order of the input.
    """
    key, bits = pair_keys(orders.first, orders.second)
    key.sort()
    key = key[:: max(1, len(key) // MANY_ITEMS)]
    return dense_ranks(key >> bits)[0], dense_ranks(key & ((1 << bits) - 1))[0]


def sampled_error(moved: Floats, count: int) -> float:
    """Return the standard error for so many items, from how much sampled ones move the number."""
    return float(moved.std()) / math.sqrt(count)


def rank_influence(one: Ints, two: Ints, ties: str) -> Floats:
    """Return how much each item moves Spearman's rho, up to a constant."""
    first, second = _shares_below(one), _shares_below(two)
    if ties == "none":
        apart = first - second
        return -6 * (apart**2 + 2 * _above(one, apart) - 2 * _above(two, apart))
    product = first * second + _above(one, second) + _above(two, first)
    spreads = [float(each.var()) for each in (first, second)]
    if not all(spreads):
        return np.full(len(one), np.nan)
    root = math.sqrt(spreads[0]) * math.sqrt(spreads[1])
    value = float(((first - 0.5) * (second - 0.5)).mean()) / root
    squares = [
        (own**2 + 2 * _above(code, own)) / spread
        for own, code, spread in zip((first, second), (one, two), spreads, strict=True)
    ]
    return product / root - value / 2 * (squares[0] + squares[1])


def _shares_below(code: Ints) -> Floats:
    """Return the share of items with a smaller code, those with the same by half."""
    counts = np.bincount(code)
    shares: Floats = ((np.cumsum(counts) - counts / 2) / len(code))[code]
    return shares


def _above(code: Ints, values: Floats) -> Floats:
    """Return the mean of the values of items with a larger code, those with the same by half."""
    sums = np.bincount(code, weights=values)
    means: Floats = ((sums.sum() - np.cumsum(sums) + sums / 2) / len(code))[code]
    return means


def pair_influence(one: Ints, two: Ints, ties: str) -> Floats:
    """Return how much each item moves Kendall's tau, up to a constant."""
    net = opposite_items(one, -two) - opposite_items(one, two)
    if ties == "a":
        return 2 * net / (len(one) - 1)
    untied = [untied_counts(each) for each in (one, two)]
    sides = [float(each.mean()) for each in untied]
    if not all(sides):
        return np.full(len(one), np.nan)
    shares = untied[0] / sides[0] + untied[1] / sides[1]
    return 2 * (net - float(net.mean()) / 2 * shares) / math.sqrt(sides[0] * sides[1])


def opposite_items(first: Ints, second: Ints) -> Floats:
    """Return how many items are on the other side of each item in the two orders."""
    size = np.ones((1, len(first)))
    later = second - second.min(initial=0)
    earlier = second.max(initial=0) - second
    before = discordant_partners(first, later, size)[0]
    return before + discordant_partners(first.max(initial=0) - first, earlier, size)[0]


def untied_counts(values: Ints) -> Floats:
    """Return how many items have another value, for each item."""
    return (len(values) - np.bincount(values)[values]).astype(np.float64)


def product_error(one: Floats, two: Floats) -> float:
    """Return the standard error of Pearson's r, by exact sums over all items."""
    one, two = one / power_of_two(one), two / power_of_two(two)
    (first, second), (of_one, of_two, of_both) = exact_spreads(one, two)
    if not (of_one and of_two):
        return math.nan
    count, roots = len(one), (math.sqrt(of_one / len(one)), math.sqrt(of_two / len(two)))
    half = of_both / (count * roots[0] * roots[1]) / 2

    def squares(span: slice) -> Floats:
        """Return the squares of how much some items move it."""
        own, other = (one[span] - first) / roots[0], (two[span] - second) / roots[1]
        moved: Floats = own * other - half * (own * own + other * other)
        return moved * moved

    return math.sqrt(exact_block_sum(count, squares)) / count
