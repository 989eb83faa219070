"""Probabilistic interleaving and multileaving, with the exact expected credit.

At each rank a system is drawn, and then a document by the system's probabilities, which fall with
the cube of the rank. Which system a document was drawn from is not kept: given the list, the draws
of systems are independent, so the expected credit of a click is the posterior probability of each
system at that rank.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from assay.behavior.interleaving.merged_list import InterleavingMethod, MergedList, Sampler
from assay.behavior.interleaving.query_rankings import QueryRankings
from assay.core.arrays import Floats

DECAY = 3
"""The probability of a document is proportional to 1 / rank to this power."""


def document_weights(rankings: QueryRankings) -> Floats:
    """Return the weight of each document in each system; 0 if it was not retrieved."""
    retrieved = rankings.ranks <= rankings.lengths[:, None]
    return np.where(retrieved, rankings.ranks.astype(np.float64) ** -DECAY, 0.0)


def _probabilities(weights: Floats) -> Floats:
    """Return the probability of each document in each system that has documents left."""
    totals = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)


def expected_credits(rankings: QueryRankings, docs: tuple[int, ...]) -> Floats:
    """Return the probability that each rank of a list is from each system, system × rank."""
    weights = document_weights(rankings)
    credits = np.empty((rankings.systems, len(docs)))
    for rank, doc in enumerate(docs):
        own = _probabilities(weights)[:, doc]
        credits[:, rank] = own / own.sum()
        weights[:, doc] = 0.0
    return credits


def draw_list(rankings: QueryRankings, depth: int, generator: Generator) -> tuple[int, ...]:
    """Return a list whose documents are drawn rank by rank."""
    weights = document_weights(rankings)
    docs: list[int] = []
    while len(docs) < min(depth, len(rankings.docs)):
        able = np.flatnonzero(weights.sum(axis=1) > 0)
        system = int(able[generator.integers(len(able))])
        running = np.cumsum(weights[system])
        doc = int(np.searchsorted(running, generator.random() * running[-1], side="right"))
        docs.append(doc)
        weights[:, doc] = 0.0
    return tuple(docs)


def prepare_probabilistic(rankings: QueryRankings, depth: int) -> Sampler:
    """Return what draws lists for a query."""

    def draw(generator: Generator) -> MergedList:
        """Return a drawn list with its expected credits."""
        docs = draw_list(rankings, depth, generator)
        return MergedList(docs, credits=expected_credits(rankings, docs))

    return draw


DECLARED = {"probabilistic": InterleavingMethod("probabilistic", prepare_probabilistic)}
