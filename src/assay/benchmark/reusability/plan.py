"""Planning: hours of judging, the difference they can detect, and other uses of the same hours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.benchmark.pools.pool import Pool
from assay.core.errors import UsageError
from assay.core.printable import Printable
from assay.statistics.sample_size import smallest_effect
from assay.tasks.power import power as power_study

DEPTHS = (5, 10, 20, 50, 100, 200)
SPREAD = 0.2
"""The standard deviation of differences between two systems over topics, unless a pilot shows it;
that of AP and nDCG is mostly between 0.1 and 0.2."""


@dataclass(frozen=True)
class JudgingCosts:
    """What judging takes: minutes, and how many documents a pool has at a depth."""

    minutes: float = 1.5
    """Minutes for each document."""
    topic_minutes: float = 0.0
    """Minutes for each topic, to write it and to read it."""
    per_document: int = 1
    """How many assessors judge each document."""
    runs: int = 10
    overlap: float = 0.6
    """The share of a further run that is in the pool already."""
    pool_size: float | None = None
    """Documents for each rank of depth, from a pool that was made."""

    def __post_init__(self) -> None:
        if not max(self.minutes, self.topic_minutes, self.per_document) < 1e12:
            raise UsageError("minutes and assessors of a document are numbers below 1e12")
        if math.isnan(self.minutes + self.topic_minutes + self.per_document):
            raise UsageError("minutes and assessors of a document are numbers, not nan")
        if self.minutes <= 0 or self.topic_minutes < 0 or self.per_document < 1 or self.runs < 1:
            raise UsageError("minutes and numbers of runs and assessors are above 0")
        if not 0 <= self.overlap < 1:
            raise UsageError(f"overlap is {self.overlap}: a share from 0 to below 1 is expected")

    def documents(self, depth: int) -> float:
        """Return how many documents of a topic are judged at a depth."""
        if self.pool_size is not None:
            return depth * self.pool_size
        return round(depth * (1 + (self.runs - 1) * (1 - self.overlap)), 9)

    def hours(self, topics: int, depth: int) -> float:
        """Return the hours of all assessors together."""
        each = self.documents(depth) * self.minutes * self.per_document + self.topic_minutes
        return topics * each / 60

    def topics(self, hours: float, depth: int) -> int:
        """Return how many topics can be judged at a depth in so many hours."""
        return int(hours / self.hours(1, depth) + 1e-9)


@dataclass(frozen=True, repr=False, eq=False)
class PoolPlan(Printable):
    """Hours and the detectable difference, as planned and for other uses of the same hours."""

    plan: pl.DataFrame
    alternatives: pl.DataFrame
    notes: tuple[str, ...] = ()


def pool_plan(
    topics: int,
    depth: int,
    *,
    assessors: int = 1,
    minutes: float = 1.5,
    topic_minutes: float = 0.0,
    per_document: int = 1,
    runs: int = 10,
    overlap: float = 0.6,
    pool: Any = None,
    pilot: Any = None,
    measure: str | None = None,
    spread: float | None = None,
    power: float = 0.8,
    level: float = 0.05,
    depths: Sequence[int] = DEPTHS,
) -> PoolPlan:
    """Return the hours that a pool takes, and the difference that its topics can detect.

    ``pilot`` is a file of scores: its differences between systems show the spread over topics;
    ``spread`` states it. ``pool`` is a pool that shows how many documents a rank of depth costs;
    otherwise ``runs`` and the ``overlap`` of each further one with the others do. ``assessors``
    share the hours; ``per_document`` of them judge each document.
    """
    if topics < 2 or depth < 1 or assessors < 1:
        raise UsageError("a plan needs at least 2 topics, depth 1 and 1 assessor")
    costs = JudgingCosts(minutes, topic_minutes, per_document, runs, overlap)
    notes = []
    if pool is not None:
        costs = replace(costs, pool_size=_documents_per_rank(pool))
    differences, origin = _spread(pilot, measure, spread)
    notes.append(origin)
    hours = costs.hours(topics, depth)
    planned = _row(topics, depth, costs, differences, power, level)
    planned |= {"hours_each": hours / assessors}
    others = [
        _row(count, each, costs, differences, power, level)
        for each in sorted({*depths, depth})
        if (count := costs.topics(hours, each)) >= 2
    ]
    notes.append(
        "a shallower pool of more topics detects smaller differences, but leaves more of later runs"
        " unjudged: see 'assay pool reuse' for what that costs"
    )
    return PoolPlan(pl.DataFrame([planned]), pl.DataFrame(others), tuple(notes))


def _row(
    topics: int, depth: int, costs: JudgingCosts, spread: float, power: float, level: float
) -> dict[str, Any]:
    documents = costs.documents(depth)
    return {
        "topics": topics,
        "depth": depth,
        "documents_per_topic": documents,
        "documents": topics * documents,
        "hours": costs.hours(topics, depth),
        "detectable_difference": smallest_effect(topics, power, level) * spread,
    }


def _documents_per_rank(pool: Any) -> float:
    made = Pool.read(pool)
    deepest = made.frame["best_rank"].max()
    if not isinstance(deepest, int) or not deepest:
        raise UsageError("the pool has no best_rank, so its depth is not known")
    return made.frame.height / made.frame["query"].n_unique() / deepest


def _spread(pilot: Any, measure: str | None, given: float | None) -> tuple[float, str]:
    """Return the standard deviation of differences between systems, and where it is from."""
    if pilot is not None and given is not None:
        raise UsageError("give a `pilot` or a `spread`, not both")
    if given is not None:
        if not given > 0 or not math.isfinite(given):
            raise UsageError(f"spread is {given}: a number above 0 is expected")
        return given, f"differences between systems have the given standard deviation, {given:g}"
    if pilot is None:
        return SPREAD, (
            f"differences between systems are taken to have a standard deviation of {SPREAD:g} over"
            " topics; a `pilot` or a `spread` says more"
        )
    design = power_study(pilot, measure).design()
    found = float(design["difference_sd"][0])
    name = design["measure"][0]
    return found, f"differences in {name} have a standard deviation of {found:.4f} in the pilot"
