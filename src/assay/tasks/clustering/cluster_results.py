"""Results of clusterings: the table of each, cluster by cluster, and the best by each measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import ratio, sum_at
from assay.core.names import measure
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.points import Points
from assay.measures.clusters.purity import majority_classes
from assay.measures.points.cluster_separation import within_squares
from assay.measures.points.within_between import sum_of_squares_within_clusters
from assay.tasks.clustering.clustering import ClusteringEvidence


def cluster_table(evidence: ClusteringEvidence) -> pl.DataFrame:
    """Return a row for each cluster: its size, its classes, and how well its points fit."""
    parts = []
    columns = evidence.columns
    distance = None if columns.precomputed else columns.distance
    for name in evidence.systems:
        views = evidence.views(name)
        table = pl.DataFrame()
        if Contingency in views:
            table = _class_columns(views[Contingency]())
        if Points in views:
            points = _point_columns(views[Points](), distance)
            table = points if table.is_empty() else table.join(points, on=["cluster", "items"])
        parts.append(table.insert_column(0, pl.Series("clustering", [name] * table.height)))
    return pl.concat(parts)


def _class_columns(table: Contingency) -> pl.DataFrame:
    sizes, largest = table.cluster_sizes[0], table.largest_in_cluster[0]
    return pl.DataFrame(
        {
            "cluster": list(table.clusters),
            "items": sizes.astype(int),
            "commonest class": majority_classes(table),
            "of that class": largest.astype(int),
            "purity": ratio(largest, sizes),
            "classes": np.bincount(table.row, minlength=len(sizes)),
            "B3P": ratio(sum_at(table.row, table.counts[0] ** 2, len(sizes)), sizes**2),
        }
    )


def _point_columns(points: Points, distance: Any) -> pl.DataFrame:
    silhouette = measure("silhouette", "clustering")
    if distance is not None:
        silhouette = silhouette.default("distance", distance)
    columns = silhouette.trace(points) if len(points.clusters) > 1 else {}
    frame = pl.DataFrame(columns or {"cluster": list(points.clusters), "items": points.sizes})
    if points.features is not None:
        frame = frame.with_columns(pl.Series("squares within", within_squares(points)))
    return frame


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
    return (
        not name.startswith("retrieval.")
        and measure(name, "clustering").definition is sum_of_squares_within_clusters
    )


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
