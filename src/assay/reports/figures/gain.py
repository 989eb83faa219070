"""Gain: how a measure grows from rank to rank, over all queries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.core.arrays import exact_mean
from assay.core.names import measure as measure_named
from assay.evidence.views.rankings import Rankings
from assay.reports.figures.axis import Axis
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.system_lines import draw_lines

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)


def gain_figure(
    systems: Mapping[str, Rankings], measure: str = "nDCG", depths: tuple[int, ...] = DEPTHS
) -> Figure:
    """The mean of a measure over the queries when lists are cut at each of several depths."""
    points = {
        name: {"depth": np.asarray(depths), measure: _means(rankings, measure, depths)}
        for name, rankings in systems.items()
    }
    values = [float(v) for columns in points.values() for v in columns[measure]]
    y = Axis.around(f"mean {measure}@depth", [*values, 0, 1] if max(values) <= 1 else values, True)
    plane = Plane(Axis("depth", 0, max(depths)), y)
    draw_lines(plane, points, "depth", measure, dots=True)
    title = f"{measure} when lists are cut at a depth, mean over the queries"
    return Figure(title, plane.svg(title), points)


def _means(rankings: Rankings, measure: str, depths: tuple[int, ...]) -> np.ndarray:
    means = []
    for depth in depths:
        values = measure_named(f"{measure}@{depth}", "retrieval")(rankings)
        means.append(exact_mean(values[~np.isnan(values)].tolist()))
    return np.asarray(means)
