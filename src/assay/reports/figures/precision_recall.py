"""Precision against recall: of systems over all queries, and of one query rank by rank."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.evidence.views.rankings import Rankings
from assay.measures.curves.by_depth import sawtooth
from assay.measures.rankings.precision_recall_curves import precision_at_recalls
from assay.reports.figures.axis import Axis
from assay.reports.figures.colors import ACCENT, BAD
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.system_lines import draw_lines


def precision_recall_figure(systems: Mapping[str, Rankings], rel: float = 1) -> Figure:
    """Interpolated precision at eleven recalls, averaged over the queries, for each system."""
    points = {name: precision_at_recalls(rankings, rel=rel) for name, rankings in systems.items()}
    plane = Plane(Axis("recall"), Axis("interpolated precision"))
    draw_lines(plane, points, "recall", "precision", dots=True, key=list(points))
    title = "Interpolated precision at eleven recalls, mean over the queries"
    return Figure(title, plane.svg(title), points)


def sawtooth_figure(rankings: Rankings, query: str, rel: float = 1) -> Figure:
    """Precision and recall at every rank of one query, with the interpolated curve above it."""
    own = rankings.take([rankings.queries.index(query)])
    points = sawtooth(own, rel=rel)
    points["interpolated"] = np.maximum.accumulate(points["precision"][::-1])[::-1]
    plane = Plane(Axis("recall"), Axis("precision"))
    recall = points["recall"].tolist()
    plane.line(recall, points["precision"].tolist(), ACCENT)
    plane.points(recall, points["precision"].tolist(), ACCENT, 2.6)
    upper = points["interpolated"].tolist()
    plane.line([0.0, *recall], [*upper[:1], *upper], BAD, stroke_dasharray="7 3")
    if recall:
        plane.labels(
            [
                (recall[-1], upper[-1], "interpolated", BAD),
                (recall[-1], float(points["precision"][-1]), "at each rank", ACCENT),
            ]
        )
    title = f"Precision and recall at every rank of query {query}"
    return Figure(title, plane.svg(title), {query: points})


def sawtooth_curves_figure(systems: Mapping[str, Rankings], query: str, rel: float = 1) -> Figure:
    """Return precision and recall at every rank of one query, with a line for each system."""
    points = {
        name: sawtooth(rankings.take([rankings.queries.index(query)]), rel=rel)
        for name, rankings in systems.items()
    }
    plane = Plane(Axis("recall"), Axis("precision"))
    draw_lines(plane, points, "recall", "precision", dots=True, key=list(points))
    title = f"Precision and recall at every rank of query {query}"
    return Figure(title, plane.svg(title), points)
