"""Figures of click logs and click models."""

from __future__ import annotations

import polars as pl

from assay.behavior.clicks.click_judgments import ClickJudgments
from assay.behavior.clicks.model_comparison import ModelComparison
from assay.behavior.logs.log_summary import LogSummary
from assay.core.errors import UsageError
from assay.reports.figures.figure import ACCENT, MUTED, Axis, Figure, figure
from assay.reports.figures.lines_and_labels import draw_lines
from assay.reports.figures.plane import Plane
from assay.reports.figures.themes import INTERVAL


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
        Axis("rank", min(ranks) - 0.5, max(ranks) + 0.5, whole=True),
        Axis.around("perplexity", [1.0, *heights]),
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
        Axis("rank", min(ranks) - 0.5, max(ranks) + 0.5, whole=True),
        Axis.around("click-through rate", tops, zero=True),
    )
    for rank, low, high in zip(ranks, table["low"].to_list(), tops, strict=True):
        plane.line([rank, rank], [low, high], ACCENT)
    plane.line(ranks, rates, ACCENT)
    shown = [f"{count:,} impressions" for count in table["impressions"].to_list()]
    plane.points(ranks, rates, ACCENT, 3.5, shown)
    title = "Click-through rate by rank, with 95 % intervals"
    return plane.figure(title, {"rates": {"rank": ranks, "rate": rates}})


@figure("click-relevance")
def plot_click_relevance(found: ClickJudgments) -> Figure:
    """Draw the relevance of documents of each human grade, beside what ERR assumes of the grade."""
    table = found.by_grade
    if not table.height:
        raise UsageError("human judgments are needed to draw relevance by grade: give `qrels`")
    grades, values = table["grade"].to_list(), table["relevance"].to_list()
    assumed = table["assumed"].to_list()
    ends = list(table.select("quarter", "three_quarters").iter_rows())
    marks = tuple((grade, f"{grade:g}") for grade in grades)
    heights = [*values, *assumed, *(high for _, high in ends)]
    plane = Plane(
        Axis("human grade", min(grades) - 0.5, max(grades) + 0.5, marks=marks),
        Axis.around("probability that a document satisfies", heights, zero=True),
        right=150,
    )
    for grade, (low, high) in zip(grades, ends, strict=True):
        plane.line([grade, grade], [low, high], ACCENT, **INTERVAL)
    plane.line(grades, assumed, MUTED, stroke_dasharray="4 3")
    plane.line(grades, values, ACCENT)
    shown = [f"{count:,} documents" for count in table["documents"].to_list()]
    plane.points(grades, values, ACCENT, 3.5, shown)
    plane.key([("from clicks", ACCENT, None), ("assumed by ERR", MUTED, "4 3")])
    title = "Relevance by human grade: from clicks (half of the documents in the bar) and in ERR"
    columns = {"grade": grades, "relevance": values, "assumed": assumed}
    return plane.figure(title, {"grades": columns})
