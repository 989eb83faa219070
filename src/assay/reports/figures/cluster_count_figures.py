"""Figures of the number of clusters: one for each criterion, and the clusters in a plane."""

from __future__ import annotations

import polars as pl

from assay.reports.figures.figure import Figure
from assay.reports.figures.semi_supervised_figures import plane_of
from assay.reports.figures.series_figures import class_points, interval_lines
from assay.selection.learning_tasks.cluster_counts import CRITERIA, ClusterCounts

AXES = {
    "silhouette": "mean silhouette",
    "elbow": "sum of squares within clusters",
    "gap": "gap statistic",
    "stability": "adjusted Rand index",
}


def cluster_count_figures(result: ClusterCounts) -> dict[str, Figure]:
    """Return each criterion against the number of clusters, and the chosen clusters."""
    figures = {}
    for name in CRITERIA:
        rows = result.criteria.filter(pl.col("criterion") == name, pl.col("value").is_not_nan())
        k = result.chosen[name]
        chosen = "none" if k is None else k
        title = f"{name.capitalize()} by the number of clusters (chosen: {chosen})"
        if rows.height:
            axes = ("number of clusters", AXES[name])
            figures[name] = interval_lines(rows, "k", title, axes, "criterion", mark=k)
    shown = result.chosen["silhouette"] or next(iter(result.clusterings))
    places, axes = plane_of(result.features, result.names)
    labels = [str(each + 1) for each in result.clusterings[shown].tolist()]
    title = f"{shown} clusters"
    return figures | {"clusters": class_points(places, labels, title, axes)}
