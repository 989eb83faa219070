"""Simulated logs of users who prefer neither system, though they click relevant documents."""

from __future__ import annotations

from itertools import product

import numpy as np

from assay.behavior.interleaving.merged_list import InterleavingMethod, MergedList, find_method
from assay.behavior.interleaving.preference_tests import (
    Preference,
    PreferenceSettings,
    estimate_preference,
)
from assay.behavior.interleaving.query_rankings import QueryRankings

DEPTH = 5
DOCS = "abcdefgh"
PATTERNS = np.array(list(product([False, True], repeat=DEPTH)))


class IndifferentUsers:
    """Queries whose two rankings are random orders, and the outcome of every click pattern."""

    def __init__(self, method: str, seed: int, queries: int, lists: int = 8) -> None:
        generator = np.random.default_rng(seed)
        declared = find_method(method)
        self.relevant = np.zeros((queries, lists, DEPTH), dtype=bool)
        self.outcome = np.zeros((queries, lists, len(PATTERNS)))
        for query in range(queries):
            orders = ["".join(generator.permutation(list(DOCS))) for _ in range(2)]
            rankings = QueryRankings.of(orders)
            sampler = declared.prepare(rankings, DEPTH)
            for number in range(lists):
                merged = sampler(generator)
                self.relevant[query, number] = [rankings.docs[doc] in "abc" for doc in merged.docs]
                self.outcome[query, number] = outcomes(declared, rankings, merged)

    def log(self, generator: np.random.Generator, users: int) -> tuple[np.ndarray, np.ndarray]:
        """Outcomes of impressions and their users; users differ in how much they click."""
        counts = 1 + generator.poisson(2, size=users)
        user = np.repeat(np.arange(users), counts)
        rate = generator.beta(2, 2, size=users)[user]
        query = generator.integers(len(self.outcome), size=len(user))
        number = generator.integers(self.outcome.shape[1], size=len(user))
        # Which ranking is called new is decided by a coin, for each user and query anew.
        sign = generator.choice([-1.0, 1.0], size=len(user))
        appeal = np.where(self.relevant[query, number], 0.9, 0.25) / np.sqrt(
            np.arange(1, DEPTH + 1)
        )
        clicks = generator.random(appeal.shape) < appeal * rate[:, None]
        pattern = clicks @ (1 << np.arange(DEPTH)[::-1])
        return sign * self.outcome[query, number, pattern], user


def outcomes(
    declared: InterleavingMethod, rankings: QueryRankings, merged: MergedList
) -> np.ndarray:
    """The outcome of an impression for every pattern of clicks."""
    if declared.credit is None:
        difference = PATTERNS @ (merged.credits[1] - merged.credits[0])
    else:
        ranks = rankings.ranks[:, merged.docs]
        available = np.array(merged.available or (), dtype=np.int64)
        credits = [declared.credit(ranks, available, clicked) for clicked in PATTERNS]
        difference = np.array([credit[1] - credit[0] for credit in credits])
    difference[np.abs(difference) < 1e-12] = 0
    return np.sign(difference) if declared.outcome == "wins" else difference


def simulate_preferences(
    method: str, logs: int, resamples: int, seed: int, users: int, queries: int
) -> list[Preference]:
    """The preferences found in so many logs."""
    simulated = IndifferentUsers(method, seed, queries)
    generator = np.random.default_rng(seed + 1)
    return [
        estimate_preference(
            *simulated.log(generator, users), PreferenceSettings(resamples=resamples, seed=number)
        )
        for number in range(logs)
    ]


def rejection_rate(p_values: list[float]) -> float:
    """The share of p-values below 0.05."""
    return float(np.mean(np.array(p_values) < 0.05))
