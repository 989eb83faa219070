"""The table of a clustering, cluster by cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import counted, ratio
from assay.evidence.contingency import Contingency
from assay.evidence.points import Points, Progress
from assay.measures.clusters.purity import commonest
from assay.measures.points.silhouette import trace as silhouettes
from assay.measures.points.silhouette import within_squares
from assay.tasks.groupings import PRECOMPUTED, Columns, groupings


def per_cluster(
    data: Any, *, progress: Progress = lambda share: None, **columns: Any
) -> pl.DataFrame:
    """A row for each cluster: its size, its classes, and how well its points fit.

    The arguments are those of ``clustering`` that name columns.
    """
    parts = []
    asked = Columns(**columns)
    distance = None if asked.distance == PRECOMPUTED else asked.distance
    for each in groupings(data, asked, progress):
        views = each.views()
        table = pl.DataFrame()
        if Contingency in views:
            table = _by_classes(views[Contingency]())
        if Points in views:
            own = _by_points(views[Points](), distance)
            table = own if table.is_empty() else table.join(own, on=["cluster", "items"])
        parts.append(table.insert_column(0, pl.Series("clustering", [each.name] * table.height)))
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
