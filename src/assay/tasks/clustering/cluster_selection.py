"""Choosing among clusterings: the best by each measure, and the elbow of the squares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.names import measure
from assay.engine.scores import Result, Scores
from assay.measures.points.within_between import within


@dataclass(frozen=True)
class ClusterChoice:
    """The clustering that a measure prefers."""

    measure: str
    clustering: str
    clusters: int
    value: float
    note: str = ""


def choose_clusterings(scores: Scores) -> list[ClusterChoice]:
    """The best clustering by each measure that has a better end; the elbow where there is one."""
    sizes: dict[str, int] = scores.conventions["clusters"]
    found = []
    for name in scores.measures:
        defined = [each for each in scores.of(name) if not math.isnan(each.value)]
        if not defined or defined[0].better == "neither":
            continue
        if _is_elbow(name):
            found += _elbow_choice(name, defined, sizes)
            continue
        sign = 1 if defined[0].better == "higher" else -1
        best = max(defined, key=lambda each: (sign * each.value, -sizes[each.system]))
        found.append(ClusterChoice(name, best.system, sizes[best.system], best.value))
    return found


def _is_elbow(name: str) -> bool:
    """Whether more clusters always lower the measure, so that only its elbow says anything."""
    return not name.startswith("retrieval.") and measure(name, "clustering").definition is within


def _elbow_choice(
    name: str, results: Sequence[Result], sizes: dict[str, int]
) -> list[ClusterChoice]:
    """The clustering farthest below the straight line from the fewest clusters to the most."""
    ordered = sorted(results, key=lambda each: (sizes[each.system], each.system))
    place = elbow_position(
        [float(sizes[each.system]) for each in ordered], [each.value for each in ordered]
    )
    if place is None:
        return []
    one = ordered[place]
    return [ClusterChoice(name, one.system, sizes[one.system], one.value, "the elbow")]


def elbow_position(sizes: Sequence[float], values: Sequence[float]) -> int | None:
    """Where a falling curve bends most; None where there are fewer than three different sizes."""
    x, y = np.asarray(sizes), np.asarray(values)
    if len(set(sizes)) < 3 or x[-1] == x[0] or y[0] == y[-1]:
        return None
    line = 1 - (x - x[0]) / (x[-1] - x[0])
    below = line - (y - y[-1]) / (y[0] - y[-1])
    return int(np.argmax(below)) if below.max() > 0 else None
