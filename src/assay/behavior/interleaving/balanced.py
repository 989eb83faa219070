"""Balanced interleaving, and the same lists with credit that is not biased.

One of two lists is shown, each with probability 1/2: the systems add their next document in turn,
and a coin decides who begins. Balanced credit compares the clicks within the first k documents of
each system, where k is the smallest depth at which some system has the lowest clicked document.
Users who click without regard to the documents may prefer one system by this credit. Debiased
credit removes what such users contribute: a click at a rank brings 1 / rank in the system, minus
the mean of it over the documents of both lists at the rank that was clicked.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from assay.behavior.interleaving.merged_list import InterleavingMethod, MergedList, Sampler
from assay.behavior.interleaving.query_rankings import QueryRankings
from assay.core.arrays import Bools, Floats, Ints


def balanced_list(rankings: QueryRankings, depth: int, first: int) -> tuple[int, ...]:
    """Return the list in which a system (0 or 1) begins."""
    orders = [rankings.order(system) for system in (0, 1)]
    places = [0, 0]
    docs: dict[int, None] = {}
    while len(docs) < depth and any(places[s] < len(orders[s]) for s in (0, 1)):
        behind = places[0] < places[1] or (places[0] == places[1] and first == 0)
        turn = 0 if behind else 1
        if places[turn] >= len(orders[turn]):
            turn = 1 - turn
        docs.setdefault(orders[turn][places[turn]])
        places[turn] += 1
    return tuple(docs)


def balanced_credit(ranks: Ints, available: Ints, clicked: Bools) -> Floats:
    """Return the clicks that count for each system."""
    if not clicked.any():
        return np.zeros(len(ranks))
    lowest = int(np.flatnonzero(clicked)[-1])
    depth = ranks[:, lowest].min()
    return (clicked & (ranks <= depth)).sum(axis=1).astype(np.float64)


def prepare_balanced(rankings: QueryRankings, depth: int) -> Sampler:
    """Return what chooses one of the two balanced lists."""
    lists = [balanced_list(rankings, depth, first) for first in (0, 1)]
    share = 1.0 if lists[0] == lists[1] else 0.5

    def choose(generator: Generator) -> MergedList:
        """Return a balanced list."""
        return MergedList(lists[int(generator.integers(2))], probability=share)

    return choose


def prepare_debiased(rankings: QueryRankings, depth: int) -> Sampler:
    """Return what chooses one of the two balanced lists, with unbiased credits."""
    lists = [balanced_list(rankings, depth, first) for first in (0, 1)]
    share = 1.0 if lists[0] == lists[1] else 0.5
    values = [rankings.inverse_ranks()[:, docs] for docs in lists]
    expected = (values[0] + values[1]) / 2
    credits = [value - expected for value in values]

    def choose(generator: Generator) -> MergedList:
        """Return a balanced list with its credits."""
        first = int(generator.integers(2))
        return MergedList(lists[first], credits=credits[first], probability=share)

    return choose


DECLARED = {
    "balanced": InterleavingMethod("balanced", prepare_balanced, 2, "wins", balanced_credit),
    "debiased-balanced": InterleavingMethod("debiased-balanced", prepare_debiased, 2),
}
