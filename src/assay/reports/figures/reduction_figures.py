"""Figures of dimensionality reduction: embeddings, components, and the curse of dimensionality."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.reports.figures.figure import ACCENT, Axis, Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.series_figures import class_points, interval_lines
from assay.selection.learning_tasks.reduction import DimensionReduction


def reduction_figures(result: DimensionReduction) -> dict[str, Figure]:
    """Return each embedding, the variance of the components, and distances by dimensions."""
    figures = {}
    values = result.scores["trustworthiness"]
    for name, places in result.embeddings.items():
        plane = places if places.shape[1] > 1 else np.column_stack([places, 0 * places])
        title = f"{name}: trustworthiness {values[name]:.3f}"
        figures[name] = class_points(plane[:, :2], result.classes, title)
    return figures | {
        "components": _components(result),
        "contrast": _by_dimension(result, "contrast", "(farthest − nearest) / nearest"),
        "accuracy": _by_dimension(result, "accuracy", "accuracy of 5 neighbors"),
    }


def _components(result: DimensionReduction) -> Figure:
    table = result.components
    x = Axis("component", 0.4, table.height + 0.6, whole=True)
    plane = Plane(x, Axis("share of the variance"), 380, 260)
    for row in table.iter_rows(named=True):
        place = row["component"]
        plane.box((place - 0.35, place + 0.35), (0, row["share"]), ACCENT, 0.5)
        plane.line([place, place], [row["low"], row["high"]], ACCENT, stroke_width=1.4)
        ends = [row["together_low"], row["together_high"]]
        plane.line([place, place], ends, ACCENT, stroke_width=1.4, stroke_opacity=0.6)
    xs = table["component"].cast(pl.Float64).to_list()
    plane.line(xs, table["together"].to_list(), ACCENT, stroke_dasharray="4 3")
    plane.points(xs, table["together"].to_list(), ACCENT, 2.6)
    points = {"components": {name: table[name].to_list() for name in table.columns}}
    return plane.figure("Variance explained by each component and by all up to it", points)


def _by_dimension(result: DimensionReduction, name: str, axis: str) -> Figure:
    table = result.dimensions.select(
        pl.lit(name).alias("system"),
        "dimensions",
        pl.col(name).alias("value"),
        pl.col(f"{name}_low").alias("low"),
        pl.col(f"{name}_high").alias("high"),
    )
    said = {
        "contrast": "Distances lose their contrast with more dimensions",
        "accuracy": "Noise in further dimensions hides the neighbors",
    }[name]
    return interval_lines(table, "dimensions", said, ("dimensions", axis), log=True)
