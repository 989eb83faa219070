"""Simulated logs of users who prefer neither system, though they click relevant documents."""

from __future__ import annotations

from itertools import combinations, product

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
    """Queries whose rankings are random orders, and the credits of every click pattern."""

    def __init__(
        self, method: str, seed: int, queries: int, systems: int = 2, lists: int = 8
    ) -> None:
        generator = np.random.default_rng(seed)
        self.method = find_method(method)
        self.relevant = np.zeros((queries, lists, DEPTH), dtype=bool)
        self.credits = np.zeros((queries, lists, len(PATTERNS), systems))
        for query in range(queries):
            orders = ["".join(generator.permutation(list(DOCS))) for _ in range(systems)]
            rankings = QueryRankings.of(orders)
            sampler = self.method.prepare(rankings, DEPTH)
            for number in range(lists):
                merged = sampler(generator)
                self.relevant[query, number] = [rankings.docs[doc] in "abc" for doc in merged.docs]
                self.credits[query, number] = pattern_credits(self.method, rankings, merged)

    def log(self, generator: np.random.Generator, users: int) -> tuple[np.ndarray, np.ndarray]:
        """Credits of impressions and their users; users differ in how much they click."""
        counts = 1 + generator.poisson(2, size=users)
        user = np.repeat(np.arange(users), counts)
        rate = generator.beta(2, 2, size=users)[user]
        query = generator.integers(len(self.credits), size=len(user))
        number = generator.integers(self.credits.shape[1], size=len(user))
        appeal = np.where(self.relevant[query, number], 0.9, 0.25) / np.sqrt(
            np.arange(1, DEPTH + 1)
        )
        clicks = generator.random(appeal.shape) < appeal * rate[:, None]
        pattern = clicks @ (1 << np.arange(DEPTH)[::-1])
        # Which ranking is called by which name is decided by chance, for each impression anew.
        return generator.permuted(self.credits[query, number, pattern], axis=1), user

    def outcome(self, credits: np.ndarray, system: int, base: int) -> np.ndarray:
        """What the analysis compares: the difference of credits, or its sign."""
        difference = credits[:, system] - credits[:, base]
        difference[np.abs(difference) < 1e-12] = 0
        return np.sign(difference) if self.method.outcome == "wins" else difference


def pattern_credits(
    declared: InterleavingMethod, rankings: QueryRankings, merged: MergedList
) -> np.ndarray:
    """The credit of each system for every pattern of clicks."""
    if merged.credits is not None:
        return PATTERNS @ merged.credits.T
    assert declared.credit is not None
    ranks = rankings.ranks[:, merged.docs]
    available = np.array(merged.available or (), dtype=np.int64)
    return np.array([declared.credit(ranks, available, clicked) for clicked in PATTERNS])


def simulate_preferences(
    method: str, logs: int, resamples: int, seed: int, users: int, queries: int, systems: int = 2
) -> list[list[Preference]]:
    """The preferences found in so many logs, one for each pair of systems."""
    simulated = IndifferentUsers(method, seed, queries, systems)
    generator = np.random.default_rng(seed + 1)
    found = []
    for number in range(logs):
        credits, user = simulated.log(generator, users)
        settings = PreferenceSettings(resamples=resamples, seed=number)
        found.append(
            [
                estimate_preference(simulated.outcome(credits, other, base), user, settings)
                for base, other in combinations(range(systems), 2)
            ]
        )
    return found


def rejection_rate(p_values: list[float]) -> float:
    """The share of p-values below 0.05."""
    return float(np.mean(np.array(p_values) < 0.05))
