"""The AP correlation: Kendall's tau with more weight at the top."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.definition import Exemption, define
from assay.evidence.discordant_counts import dense_ranks, weight_of_larger_before
from assay.evidence.views.order_pairs import OrderPairs


@define(
    "tauAP",
    bounds=(-1, 1),
    aliases=["tau_ap", "tauAP_a", "tauAP_b(ties=b)"],
    undefined="there are fewer than two items, or all are tied in the second order",
    variants=["tauAP(ties=b)"],
    label="τ_AP",
    exempt=[
        Exemption(
            "resamples",
            "items of one list are no sample",
            ([(2, 2), (1, 1)],),
        )
    ],
)
def tau_ap(orders: OrderPairs, ties: Literal["a", "b"] = "a") -> Floats:
    """How rightly each item of the second order stands below those above it, mean over ranks.

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
        for first, second, _ in orders.weighted()
    ]
    return np.asarray(parts)


def _counts_above(truth: Floats, found: Floats) -> tuple[Floats, Floats, Floats]:
    """For each item: how many stand above it in the found order; of these rightly; and wrongly."""
    size = np.ones((1, len(found)))
    counts = []
    for values in (dense_ranks(truth), dense_ranks(-truth)):
        order = np.lexsort((values, -found))
        each = np.empty(len(found))
        each[order] = weight_of_larger_before(values[order], size)[0]
        counts.append(each)
    ordered = np.sort(-found)
    return np.searchsorted(ordered, -found).astype(np.float64), counts[0], counts[1]


def _expected(truth: Floats, found: Floats) -> float:
    """The mean over all ways to break ties in either order."""
    size = len(found)
    if size < 2:
        return np.nan
    above, right, wrong = _counts_above(truth, found)
    right = right + (above - right - wrong) / 2
    place = np.sort(-found)
    tied = np.searchsorted(place, -found, side="right") - above
    # An item stands at each rank of its group equally often: below those above the group, and
    # below k others of the group, of which half are right.
    inverse = np.concatenate(([0.0, 0.0], np.cumsum(1 / np.arange(1, size + 1))))
    start, stop = above.astype(np.int64), (above + tied).astype(np.int64)
    below_one = np.divide(1, above, out=np.zeros(size), where=above > 0)
    ranks = np.where(tied == 1, below_one, inverse[stop] - inverse[start])
    outside = right * ranks / tied
    within = (tied - np.where(above > 0, above * ranks, 1)) / 2 / tied
    return float(2 * sorted_sum(outside + within) / (size - 1) - 1)


def _symmetric(first: Floats, second: Floats) -> float:
    """The mean of both directions, over the pairs that are tied in neither order."""
    return float((_untied_pairs(first, second) + _untied_pairs(second, first)) / 2)


def _untied_pairs(truth: Floats, found: Floats) -> Floats:
    above, right, _ = _counts_above(truth, found)
    lower = above > 0
    shares = right[lower] / above[lower]
    return ratio(2 * sorted_sum(shares), np.asarray(lower.sum(), dtype=float)) - 1
