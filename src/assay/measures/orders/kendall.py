"""Kendall's tau."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import define
from assay.core.facts import Settings
from assay.evidence.discordant_counts import discordant_pairs, pairs_tied_in_both, tied_pairs
from assay.evidence.views.order_pairs import OrderPairs


@define(
    "tau",
    better="higher",
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
    parts = [_tau(first, second, weight, ties) for first, second, weight in orders.weighted()]
    return np.concatenate(parts) if parts else np.empty(0)


def _tau(first: Floats, second: Floats, weight: Floats, ties: str) -> Floats:
    """One value for each row of weights; a pair counts as often as both of its items together."""
    every = (weight.sum(axis=1) ** 2 - (weight**2).sum(axis=1)) / 2
    one, two = tied_pairs(first, weight), tied_pairs(second, weight)
    opposite = discordant_pairs(first, second, weight)
    same = every - one - two + pairs_tied_in_both(first, second, weight) - opposite
    if ties == "b":
        return ratio(same - opposite, np.sqrt(every - one) * np.sqrt(every - two))
    return ratio(same - opposite, every)


@kendall.trace
def trace(orders: OrderPairs, s: Settings) -> Columns:
    """Item by item, the first order's earliest first: its pairs with the items before it."""
    first, second, _ = next(orders.weighted())
    order = np.lexsort((-second, -first))
    one, two = first[order], second[order]
    agree = [np.sign((one[:n] - one[n]) * (two[:n] - two[n])) for n in range(len(one))]
    same, opposite, level = (
        np.asarray([float((each == sign).sum()) for each in agree]) for sign in (1, -1, 0)
    )
    every = np.full(len(one), len(one) * (len(one) - 1) / 2)
    if s.ties == "b":
        untied = [every[:1] - tied_pairs(side, np.ones((1, len(one)))) for side in (one, two)]
        every = np.full(len(one), np.sqrt(untied[0] * untied[1]))
    return {
        "item": [orders.names[each] for each in order],
        "first": one,
        "second": two,
        "same order": same,
        "opposite": opposite,
        "tied": level,
        "same − opposite": np.cumsum(same - opposite),
        "of pairs" if s.ties == "a" else "of untied pairs": every,
        "tau": ratio(np.cumsum(same - opposite), every),
    }
