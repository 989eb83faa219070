"""Pairwise-preference multileaving: clicks are preferences between documents.

Each rank is drawn evenly from the documents that some system has at that rank or above. A clicked
document is preferred to the documents above it and to the next one below that were not clicked. A
preference counts only if both documents were shown at ranks where either could have been, so that
their order is due to chance; it is weighted by the inverse of the probability of that.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.random import Generator

from assay.behavior.interleaving.merged_list import InterleavingMethod, MergedList, Sampler
from assay.behavior.interleaving.query_rankings import QueryRankings
from assay.core.arrays import Bools, Floats, Ints


def draw_evenly(rankings: QueryRankings, depth: int, generator: Generator) -> MergedList:
    """Return a list whose documents are drawn evenly rank by rank."""
    highest = rankings.ranks.min(axis=0)
    docs: list[int] = []
    available: list[int] = []
    for rank in range(1, min(depth, len(rankings.docs)) + 1):
        open_docs = [doc for doc in np.flatnonzero(highest <= rank).tolist() if doc not in docs]
        available.append(len(open_docs))
        docs.append(open_docs[int(generator.integers(len(open_docs)))])
    return MergedList(tuple(docs), available=tuple(available))


def click_preferences(clicked: Bools) -> Iterator[tuple[int, int]]:
    """Yield the places of the preferred and the other document of each preference."""
    for preferred in np.flatnonzero(clicked).tolist():
        below = next((n for n in range(preferred + 1, len(clicked)) if not clicked[n]), None)
        skipped = [n for n in range(preferred) if not clicked[n]]
        for other in [*skipped, *([] if below is None else [below])]:
            yield preferred, other


def preference_credit(ranks: Ints, available: Ints, clicked: Bools) -> Floats:
    """Return the weighted preferences that each system agrees with minus the others."""
    credit = np.zeros(len(ranks))
    highest = ranks.min(axis=0)
    for preferred, other in click_preferences(clicked):
        opened = max(highest[preferred], highest[other])
        if min(preferred, other) + 1 < opened:
            continue
        start = min(highest[preferred], highest[other])
        # The one that could be shown first was not drawn at any rank before the other could be.
        waited = available[start - 1 : opened - 1]
        probability = float(np.prod(1.0 - 1.0 / waited))
        credit += np.sign(ranks[:, other] - ranks[:, preferred]) / probability
    return credit


def prepare_pairwise(rankings: QueryRankings, depth: int) -> Sampler:
    """Return what draws lists for a query."""
    return lambda generator: draw_evenly(rankings, depth, generator)


DECLARED = {
    "pairwise-preference": InterleavingMethod(
        "pairwise-preference", prepare_pairwise, credit=preference_credit
    )
}
