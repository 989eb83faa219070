"""Figures of click models."""

from __future__ import annotations

import polars as pl

from assay.behavior.clicks.model_comparison import ModelComparison
from assay.reports.figures.axis import Axis
from assay.reports.figures.figure import Figure, figure
from assay.reports.figures.plane import Plane, draw_lines


@figure("click-models")
def plot_click_models(comparison: ModelComparison, conditional: bool = False) -> Figure:
    """Draw the perplexity of click models at each rank."""
    column = "conditional" if conditional else "perplexity"
    points = {}
    for name in comparison.models["model"]:
        rows = comparison.ranks.filter((pl.col("model") == name) & (pl.col("lists") > 0))
        points[name] = {"rank": rows["rank"].to_list(), "perplexity": rows[column].to_list()}
    ranks = [rank for each in points.values() for rank in each["rank"]]
    heights = [value for each in points.values() for value in each["perplexity"]]
    plane = Plane(
        Axis.around("rank", ranks, whole=True), Axis.around("perplexity", [1.0, *heights])
    )
    draw_lines(plane, points, "rank", "perplexity", dots=True, key=list(points))
    given = " given the clicks above" if conditional else ""
    title = f"Perplexity of clicks{given} at each rank; 1 is perfect"
    return Figure(title, plane.svg(title), points)
