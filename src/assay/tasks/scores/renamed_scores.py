"""Scores whose systems have another name."""

from __future__ import annotations

from dataclasses import replace

from assay.engine.scores import Scores

SYSTEM_KEYS = ("sources", "counts")
"""Conventions with an entry for each system."""


def rename_systems(scores: Scores, name: str) -> Scores:
    """Return scores whose only system has another name; of several it comes before theirs."""
    single = len(scores.systems) == 1
    fresh = {each: name if single else f"{name}/{each}" for each in scores.systems}
    by_system = {
        key: {fresh[each]: fact for each, fact in facts.items() if each in fresh}
        for key in SYSTEM_KEYS
        if (facts := scores.conventions.get(key))
    }
    return replace(
        scores,
        results=tuple(replace(each, system=fresh[each.system]) for each in scores.results),
        conventions=scores.conventions | by_system,
        evidence={fresh[each]: items for each, items in scores.evidence.items() if each in fresh},
        origin=None,
    )
