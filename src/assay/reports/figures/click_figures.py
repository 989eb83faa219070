"""Figures of click logs and click models."""

from __future__ import annotations

import polars as pl

from assay.behavior.clicks.model_comparison import ModelComparison
from assay.behavior.logs.log_summary import LogSummary
from assay.reports.figures.figure import ACCENT, Axis, Figure, figure
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
    return plane.figure(title, points)


@figure("click-rates")
def plot_click_rates(summary: LogSummary) -> Figure:
    """Draw the click-through rate of each rank with its interval."""
    table = summary.ranks
    ranks, rates = table["rank"].to_list(), table["rate"].to_list()
    tops = table["high"].to_list()
    plane = Plane(
        Axis.around("rank", ranks, whole=True),
        Axis.around("click-through rate", tops, zero=True),
    )
    for rank, low, high in zip(ranks, table["low"].to_list(), tops, strict=True):
        plane.line([rank, rank], [low, high], ACCENT)
    plane.line(ranks, rates, ACCENT)
    shown = [f"{count:,} impressions" for count in table["impressions"].to_list()]
    plane.points(ranks, rates, ACCENT, 3.5, shown)
    title = "Click-through rate by rank, with 95 % intervals"
    return plane.figure(title, {"rates": {"rank": ranks, "rate": rates}})
