"""Kendall's tau and its weighted forms."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Exemption, define
from assay.core.facts import Settings
from assay.evidence.alike_items import Codes, dense_ranks
from assay.evidence.discordant_counts import (
    OrderedPairs,
    tied_pairs,
    weight_of_larger_before,
)
from assay.evidence.views.order_pairs import OrderPairs, mid_ranks
from assay.measures.orders.order_intervals import (
    Ends,
    fisher_ends,
    has_many_items,
    item_sample,
    opposite_items,
    pair_influence,
    sampled_error,
    untied_counts,
)


@define(
    "tau",
    bounds=(-1, 1),
    aliases=["tau_a", "tau_b(ties=b)", "kendall(ties=b)", "kendalltau(ties=b)"],
    undefined="there are fewer than two different values",
    variants=["tau(ties=b)"],
    label="Kendall's τ",
    standard=True,
)
def kendall(orders: OrderPairs, ties: Literal["a", "b"] = "a") -> Floats:
    """The pairs in the same order less those in opposite order, as a share of all pairs.

    With ``ties=b`` pairs that are tied in one of the two orders are taken out of its side of the
    denominator: that is tau-b, which scipy and pandas call ``kendalltau`` and ``kendall``.

    >>> measure("tau")(orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])).round(2)
    array([0.6])
    """
    parts = [_tau(counts, ties) for counts in orders.pair_counts]
    return np.concatenate(parts) if parts else np.empty(0)


def _tau(counts: OrderedPairs, ties: str) -> Floats:
    """Return a value for each row of weights; a pair counts as often as both of its items."""
    every, one, two, both, opposite = counts
    same = every - one - two + both - opposite
    if ties == "b":
        return ratio(same - opposite, np.sqrt(every - one) * np.sqrt(every - two))
    return ratio(same - opposite, every)


@kendall.interval
def kendall_interval(orders: OrderPairs, confidence: float, s: Settings) -> Ends | None:
    """Return the interval of many items, from how much sampled ones move tau."""
    if not has_many_items(orders):
        return None
    error = sampled_error(pair_influence(*item_sample(orders), s.ties), len(orders.first))
    return fisher_ends(float(kendall(orders, s.ties)[0]), error, confidence)


@kendall.trace
def kendall_trace(orders: OrderPairs, s: Settings) -> Columns:
    """Return the pairs of each item with the items before it, in the first order."""
    first, second, _ = next(orders.weighted_orders())
    order = np.lexsort((-second, -first))
    one, two = first[order], second[order]
    agree = [np.sign((one[:n] - one[n]) * (two[:n] - two[n])) for n in range(len(one))]
    same, opposite, level = (
        np.asarray([float((each == sign).sum()) for each in agree]) for sign in (1, -1, 0)
    )
    every, ones = np.full(len(one), len(one) * (len(one) - 1) / 2), np.ones((1, len(one)))
    if s.ties == "b":
        untied = [every[:1] - tied_pairs(Codes(dense_ranks(side)[0]), ones) for side in (one, two)]
        every = np.full(len(one), np.sqrt(untied[0] * untied[1]))
    return {
        "item": [orders.names[each] for each in order],
        "rank": mid_ranks(-one, ones)[0],
        "other rank": mid_ranks(-two, ones)[0],
        "same order": same,
        "opposite": opposite,
        "tied": level,
        "same − opposite": np.cumsum(same - opposite),
        "of pairs" if s.ties == "a" else "of untied pairs": every,
        "tau": ratio(np.cumsum(same - opposite), every),
    }


@define(
    "weighted_tau",
    bounds=(-1, 1),
    aliases=["weightedtau", "vigna"],
    undefined="one of the two orders has only one value",
    label="weighted τ",
    exempt=Exemption("resamples", "the items of one list are not a sample", ([(2, 2), (1, 1)],)),
)
def weighted_tau(orders: OrderPairs) -> Floats:
    """Kendall's tau-b in which a pair counts for the sum of the inverse ranks of its two items.

    The mean of two values: ranks by the first order, and ranks by the second; ties are broken by
    the other order. Items of one list are no sample, so there is an interval only over groups.

    >>> measure("weighted_tau")(orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])).round(3)
    array([0.573])
    """
    if orders.weight is not None:
        return np.full(len(orders.weight), np.nan)
    return np.asarray(
        [_symmetric_tau(first, second) for first, second, _ in orders.weighted_orders()]
    )


def _symmetric_tau(first: Floats, second: Floats) -> float:
    one, two = dense_ranks(first)[0], dense_ranks(second)[0]
    opposite = opposite_items(one, two)
    same = opposite_items(one, -two)
    values = []
    for lead, other in ((one, two), (two, one)):
        rank = np.empty(len(one))
        rank[np.lexsort((-other, -lead))] = np.arange(1, len(one) + 1)
        weight = 1 / rank
        net = sorted_sum(weight * (same - opposite))
        sides = [sorted_sum(weight * untied_counts(each)) for each in (one, two)]
        values.append(ratio(net, np.sqrt(sides[0]) * np.sqrt(sides[1])))
    return float(np.clip((values[0] + values[1]) / 2, -1, 1))


@define(
    "tauAP",
    bounds=(-1, 1),
    aliases=["tau_ap", "tauAP_a", "tauAP_b(ties=b)"],
    undefined="there are fewer than two items, or all are tied in the second order",
    variants=["tauAP(ties=b)"],
    label="τ_AP",
    exempt=Exemption("resamples", "the items of one list are not a sample", ([(2, 2), (1, 1)],)),
)
def tau_ap(orders: OrderPairs, ties: Literal["a", "b"] = "a") -> Floats:
    """Kendall's tau with more weight at the top: the mean over ranks of correctly ordered pairs.

    The first order is the truth; a mistake at the top costs more than one at the bottom. With
    ``ties=a`` tied items are taken in every order, on average; ``ties=b`` looks at both orders
    alike and only at pairs that are tied in neither. Items of one list are no sample, so there is
    an interval only over several groups.

    >>> measure("tauAP")(orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])).round(3)
    array([0.375])
    """
    if orders.weight is not None:
        return np.full(len(orders.weight), np.nan)
    parts = [
        _symmetric(first, second) if ties == "b" else _expected(first, second)
        for first, second, _ in orders.weighted_orders()
    ]
    return np.asarray(parts)


def _counts_above(truth: Floats, found: Floats) -> tuple[Floats, Floats, Floats]:
    """Return how many items are above each item, and how many of them rightly and wrongly."""
    size = np.ones((1, len(found)))
    counts = []
    for values in (dense_ranks(truth)[0], dense_ranks(-truth)[0]):
        order = np.lexsort((values, -found))
        each = np.empty(len(found))
        each[order] = weight_of_larger_before(values[order], size)[0]
        counts.append(each)
    ordered = np.sort(-found)
    return np.searchsorted(ordered, -found).astype(np.float64), counts[0], counts[1]


def _expected(truth: Floats, found: Floats) -> float:
    """Return the mean over all ways to break ties in either order."""
    size = len(found)
    if size < 2:
        return np.nan
    above, right, wrong = _counts_above(truth, found)
    right = right + (above - right - wrong) / 2
    place = np.sort(-found)
    tied = np.searchsorted(place, -found, side="right") - above
    # An item has each rank of its group equally often: below those above the group, and
    # below k others of the group, of which half are right.
    inverse = np.concatenate(([0.0, 0.0], np.cumsum(1 / np.arange(1, size + 1))))
    start, stop = above.astype(np.int64), (above + tied).astype(np.int64)
    below_one = np.divide(1, above, out=np.zeros(size), where=above > 0)
    ranks = np.where(tied == 1, below_one, inverse[stop] - inverse[start])
    outside = right * ranks / tied
    within = (tied - np.where(above > 0, above * ranks, 1)) / 2 / tied
    return float(2 * sorted_sum(outside + within) / (size - 1) - 1)


def _symmetric(first: Floats, second: Floats) -> float:
    """Return the mean of both directions, over the pairs that are tied in neither order."""
    return float((_untied_pairs(first, second) + _untied_pairs(second, first)) / 2)


def _untied_pairs(truth: Floats, found: Floats) -> Floats:
    above, right, _ = _counts_above(truth, found)
    lower = above > 0
    shares = right[lower] / above[lower]
    return ratio(2 * sorted_sum(shares), np.asarray(lower.sum(), dtype=float)) - 1
