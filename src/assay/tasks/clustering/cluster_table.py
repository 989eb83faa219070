"""The table of a clustering, cluster by cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import ratio, sum_at
from assay.core.names import measure
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.points import Points
from assay.measures.clusters.purity import majority_classes
from assay.measures.points.cluster_separation import within_squares
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
