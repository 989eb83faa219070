"""Clusterings by their points: silhouettes, and the elbow of a series of clusterings."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.engine.scores import Scores
from assay.evidence.views.points import Points
from assay.measures.points.cluster_separation import silhouette
from assay.reports.figures.figure import ACCENT, MUTED, PAPER, Axis, Figure, figure
from assay.reports.figures.lines_and_labels import PointLabel, line_color, place_labels
from assay.reports.figures.panels import draw_panels
from assay.reports.figures.plane import Plane
from assay.tasks.clustering.cluster_columns import ClusterColumns
from assay.tasks.clustering.clustering import ClusteringEvidence

MOST = 2000
"""More points than these are drawn as so many, spread evenly over their cluster."""


@figure("silhouette", ClusteringEvidence, ClusterColumns)
def plot_silhouette(evidence: ClusteringEvidence) -> Figure:
    """Draw how well each point lies in its cluster; several clusterings have a panel each."""
    return draw_panels(
        "Silhouettes by cluster",
        evidence.systems,
        lambda name: silhouette_figure(evidence.view(name, Points, "a figure of silhouettes")),
    )


@figure("elbow", ClusteringEvidence, ClusterColumns)
def plot_elbow(evidence: ClusteringEvidence, measure: str = "WSS") -> Figure:
    """Draw a measure of several clusterings against their number of clusters."""
    scores = evidence.scores(measure, interval=None)
    return elbow_figure(scores, scores.measures[0])


def silhouette_figure(placed: Points) -> Figure:
    """The silhouette of every point, cluster below cluster, each from the widest to the least."""
    silhouettes = silhouette(placed)
    if not np.isfinite(silhouettes).any():
        raise DataError("no point has a silhouette; at least two clusters are needed")
    labels = np.repeat(np.asarray(placed.clusters, dtype=object), placed.sizes)
    share = min(1.0, MOST / max(len(labels), 1))
    shown: dict[str, Floats] = {}
    for name in placed.clusters:
        own = np.sort(silhouettes[labels == name])[::-1]
        kept = np.linspace(0, len(own) - 1, max(1, round(len(own) * share))).round()
        shown[name] = own[np.unique(kept.astype(np.int64))]
    gap = max(1, round(0.015 * sum(map(len, shown.values()))))
    total = sum(map(len, shown.values())) + gap * (len(shown) - 1)
    low = min(0.0, float(np.nanmin(silhouettes)))
    plane = Plane(Axis("silhouette", low, 1), Axis("points, by cluster", total, 0, ("",)), 380, 340)
    start = 0
    for number, (name, values) in enumerate(shown.items()):
        color = line_color(number % 6)
        for place, value in enumerate(values.tolist(), start):
            plane.box((0, value), (place, place + 1), PAPER)
            plane.box((0, value), (place, place + 1), color, 0.8)
        mean = float(np.nanmean(silhouettes[labels == name]))
        middle = start + len(values) / 2
        plane.labels([(1.0, middle, f"{name}: {mean:.2f}", color)], lead=False)
        start += len(values) + gap
    overall = float(np.nanmean(silhouettes))
    plane.rule((overall, 0), (overall, total))
    plane.text(overall, 0, f"mean {overall:.2f}", shift=(0, -8), color=MUTED)
    points = {name: {"silhouette": values} for name, values in shown.items()}
    title = f"Silhouettes by cluster, mean {overall:.3f}"
    return plane.figure(title, points)


def elbow_figure(scores: Scores, measure: str) -> Figure:
    """A measure of several clusterings against their number of clusters."""
    counted = scores.conventions["clusters"]
    sizes = [counted[each.system] for each in scores.of(measure)]
    values = [float(each.value) for each in scores.of(measure)]
    if len(values) < 2:
        raise DataError("an elbow needs several clusterings; name their columns, such as 'k*'")
    order = np.argsort(sizes, kind="stable")
    xs, ys = [float(sizes[n]) for n in order], [values[n] for n in order]
    systems = [scores.systems[n] for n in order]
    counts = Axis.around("number of clusters", xs, whole=True)
    plane = Plane(counts, Axis.around(measure, ys), width=420)
    plane.line(xs, ys, ACCENT)
    plane.points(xs, ys, ACCENT, 4)
    named = [PointLabel(x, y, name) for x, y, name in zip(xs, ys, systems, strict=True)]
    place_labels(plane, named, lines=[*zip(xs, ys, strict=True)])
    title = f"{measure} by the number of clusters"
    return plane.figure(title, {measure: {"clusters": xs, measure: ys}})
