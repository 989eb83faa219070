"""Kendall's tau."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.catalogue import define
from assay.evidence.orders import OrderPairs


@define(
    "tau",
    better="higher",
    bounds=(-1, 1),
    aliases=["kendall", "kendalltau", "tau_b(ties=b)"],
    undefined="there are fewer than two different values",
    variants=["tau(ties=b)"],
    label="Kendall's τ",
    standard=True,
)
def kendall(orders: OrderPairs, ties: Literal["a", "b"] = "a") -> Floats:
    """The pairs in the same order less those in opposite order, as a share of all pairs.

    With ``ties=b`` pairs that are tied in one of the two orders are taken out of its side of the
    denominator.

    >>> measure("tau")(orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2])).round(2)
    array([0.6])
    """
    if orders.weight is not None:
        return _tau(*orders.group(0), orders.weight, ties)
    groups = [orders.group(number) for number in range(len(orders.groups))]
    return np.concatenate(
        [_tau(first, second, np.ones((1, len(first))), ties) for first, second in groups]
    )


def _tau(first: Floats, second: Floats, weight: Floats, ties: str) -> Floats:
    """One value for each row of weights; a pair counts as often as both of its items together."""
    one = np.sign(first[:, None] - first[None, :])
    two = np.sign(second[:, None] - second[None, :])
    agree = _pairs(one * two, weight)
    if ties == "b":
        return ratio(agree, np.sqrt(_pairs(one**2, weight)) * np.sqrt(_pairs(two**2, weight)))
    return ratio(agree, _pairs(1 - np.eye(len(first)), weight))


def _pairs(table: Floats, weight: Floats) -> Floats:
    return np.asarray(((weight @ table) * weight).sum(axis=1))
