"""Team draft interleaving and multileaving: systems pick documents in turn, as captains do."""

from __future__ import annotations

from numpy.random import Generator

from assay.behavior.interleaving.merged_list import (
    InterleavingMethod,
    MergedList,
    Sampler,
    one_hot,
)
from assay.behavior.interleaving.query_rankings import QueryRankings


def draft_list(rankings: QueryRankings, depth: int, generator: Generator) -> MergedList:
    """Return a list in which the systems with the fewest picks pick next, in random order."""
    orders = [rankings.order(system) for system in range(rankings.systems)]
    picks = [0] * rankings.systems
    docs: list[int] = []
    teams: list[int] = []
    used: set[int] = set()
    while len(docs) < min(depth, len(rankings.docs)):
        best = [next((doc for doc in order if doc not in used), None) for order in orders]
        able = [system for system, doc in enumerate(best) if doc is not None]
        fewest = min(picks[system] for system in able)
        turn = [system for system in able if picks[system] == fewest]
        team = turn[int(generator.integers(len(turn)))]
        doc = best[team]
        if doc is not None:
            docs.append(doc)
            used.add(doc)
        teams.append(team)
        picks[team] += 1
    drawn = tuple(teams)
    return MergedList(tuple(docs), drawn, one_hot(drawn, rankings.systems))


def prepare_draft(rankings: QueryRankings, depth: int) -> Sampler:
    """Return what drafts lists for a query."""
    return lambda generator: draft_list(rankings, depth, generator)


DECLARED = {"team-draft": InterleavingMethod("team-draft", prepare_draft, outcome="wins")}
