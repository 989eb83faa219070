"""The table of a clustering, cluster by cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import counted, ratio
from assay.evidence.contingency import Contingency
from assay.evidence.points import Points
from assay.measures.clusters.purity import commonest
from assay.measures.points.silhouette import trace as silhouettes
from assay.measures.points.silhouette import within_squares
from assay.tasks.clustering import ClusteringEvidence


def per_cluster(evidence: ClusteringEvidence) -> pl.DataFrame:
    """Return a row for each cluster: its size, its classes, and how well its points fit."""
    parts = []
    columns = evidence.columns
    for name in evidence.systems:
        views = evidence.views(name)
        table = pl.DataFrame()
        if Contingency in views:
            table = _by_classes(views[Contingency]())
        if Points in views:
            points = _by_points(views[Points](), None if columns.precomputed else columns.distance)
            table = points if table.is_empty() else table.join(points, on=["cluster", "items"])
        parts.append(table.insert_column(0, pl.Series("clustering", [name] * table.height)))
    return pl.concat(parts)


def _by_classes(table: Contingency) -> pl.DataFrame:
    sizes, largest = table.cluster_sizes[0], table.largest_in_cluster[0]
    return pl.DataFrame(
        {
            "cluster": list(table.clusters),
            "items": sizes.astype(int),
            "commonest class": commonest(table),
            "of that class": largest.astype(int),
            "purity": ratio(largest, sizes),
            "classes": np.bincount(table.row, minlength=len(sizes)),
            "B3P": ratio(counted(table.row, table.counts[0] ** 2, len(sizes)), sizes**2),
        }
    )


def _by_points(points: Points, distance: Any) -> pl.DataFrame:
    columns = silhouettes(points, distance=distance) if len(points.clusters) > 1 else {}
    frame = pl.DataFrame(columns or {"cluster": list(points.clusters), "items": points.sizes})
    if points.features is not None:
        frame = frame.with_columns(pl.Series("squares within", within_squares(points)))
    return frame
