"""Kendall's tau with weights that fall with the rank."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio, sorted_sum
from assay.core.definition import Exemption, define
from assay.evidence.discordant_counts import dense_ranks, discordant_partners
from assay.evidence.views.order_pairs import OrderPairs


@define(
    "weighted_tau",
    bounds=(-1, 1),
    aliases=["weightedtau", "vigna"],
    undefined="one of the two orders has only one value",
    label="weighted τ",
    exempt=[
        Exemption(
            "resamples",
            "items of one list are no sample",
            ([(2, 2), (1, 1)],),
        )
    ],
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
    return np.asarray([_symmetric_tau(first, second) for first, second, _ in orders.weighted()])


def _symmetric_tau(first: Floats, second: Floats) -> float:
    one, two = dense_ranks(first), dense_ranks(second)
    opposite = _partners(one, two)
    same = _partners(one, -two)
    values = []
    for lead, other in ((one, two), (two, one)):
        rank = np.empty(len(one))
        rank[np.lexsort((-other, -lead))] = np.arange(1, len(one) + 1)
        weight = 1 / rank
        net = sorted_sum(weight * (same - opposite))
        sides = [sorted_sum(weight * _untied_counts(each)) for each in (one, two)]
        values.append(ratio(net, np.sqrt(sides[0]) * np.sqrt(sides[1])))
    return float(np.clip((values[0] + values[1]) / 2, -1, 1))


def _partners(first: Ints, second: Ints) -> Floats:
    """For each item how many stand on the other side of it in the two orders."""
    size = np.ones((1, len(first)))
    later = second - second.min(initial=0)
    earlier = second.max(initial=0) - second
    before = discordant_partners(first, later, size)[0]
    return before + discordant_partners(first.max(initial=0) - first, earlier, size)[0]


def _untied_counts(values: Ints) -> Floats:
    """For each item how many have another value."""
    return (len(values) - np.bincount(values)[values]).astype(np.float64)
