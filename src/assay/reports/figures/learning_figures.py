"""Errors of learners against capacity and against the number of training items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.reports.figures.figure import ACCENT, BAD, DASHES, GOOD, MUTED, Axis, Figure, figure
from assay.reports.figures.hatching import KeyLine
from assay.reports.figures.lines_and_labels import MOST_DOTS
from assay.reports.figures.plane import Plane
from assay.reports.figures.themes import INTERVAL
from assay.selection.curves.capacity_curve import CapacityCurve
from assay.selection.curves.learning_curve import LearningCurve
from assay.selection.curves.loss_curve import LossCurve

COLORS = {"train": ACCENT, "validation": BAD}
PATTERNS = {"train": None, "validation": "7 3"}
"""Dashes, so that the lines differ in print without color."""
SHAPES = {"train": "circle", "validation": "triangle"}
"""The marks of the points, for the same reason."""
SIDES = {"train": -1, "validation": 1}
"""The side of its point where an interval stands, so that intervals do not cover each other."""
APART = 2.5
"""How far from its point, in the drawing."""
MOST_ROOM = 2.5
"""Bands up to so many times the largest error are shown whole."""


@figure("learning")
def plot_learning(result: CapacityCurve | LearningCurve | LossCurve) -> Figure:
    """Draw training and validation error with bands; the optimum, or the fitted law."""
    if isinstance(result, CapacityCurve):
        return _capacity(result)
    if isinstance(result, LossCurve):
        return _losses(result)
    rows = result.curve.with_columns(place=pl.col("size").cast(pl.Float64))
    plane = _plane(rows, Axis.around("training items", rows["place"], whole=True), result.error)
    points = _draw(plane, rows, "size")
    key = _key()
    if result.law is not None:
        sizes = np.linspace(float(rows["size"].min()), float(rows["size"].max()), 60)  # type: ignore[arg-type]
        heights = [result.law.at(size) for size in sizes]
        inside = [each if plane.y.low <= each <= plane.y.high else math.nan for each in heights]
        plane.line(sizes, inside, MUTED, stroke_dasharray="4 3")
        points["power law"] = {"size": sizes.tolist(), "error": heights}
        key.append(("power law", MUTED, "4 3"))
    plane.key(key)
    return plane.figure(f"Learning curve: {result.error} against training items", points)


@figure("functions")
def plot_functions(result: CapacityCurve) -> Figure:
    """Draw the functions that a learner fits through the points: simplest, best, most flexible."""
    if not result.functions.height:
        raise UsageError("fitted functions are drawn of one feature and a target of numbers")
    values = result.functions["capacity"].unique(maintain_order=True).to_list()
    labels = {values[0]: "simplest", values[-1]: "most flexible", result.best: "best"}
    shown = [value for value in values if value in labels]
    items = result.points
    heights = items["y"].to_numpy()
    margin = 0.25 * (float(heights.max()) - float(heights.min()))
    y = Axis.around("target", [heights.min() - margin, heights.max() + margin])
    plane = Plane(Axis.around(str(items["feature"][0]), items["x"]), y, right=150)
    points: dict[str, dict[str, Any]] = {"items": items.select("x", "y").to_dict(as_series=False)}
    plane.points(items["x"].to_list(), items["y"].to_list(), MUTED, 2.6, opacity=0.7)
    key = []
    for value, color, dash in zip(shown, _FUNCTION_COLORS, DASHES, strict=False):
        own = result.functions.filter(capacity=value)
        drawn = own["value"].to_numpy()
        inside = np.where((drawn >= y.low) & (drawn <= y.high), drawn, math.nan)
        plane.line(own["x"].to_list(), inside.tolist(), color, stroke_dasharray=dash)
        name = f"{result.parameter} {value:g}"
        points[name] = own.select("x", "value").to_dict(as_series=False)
        key.append((f"{name}: {labels[value]}", color, dash))
    plane.key(key)
    return plane.figure(f"Functions of rising {result.parameter} through the points", points)


_FUNCTION_COLORS = (ACCENT, GOOD, BAD)


def _losses(result: LossCurve) -> Figure:
    rows = result.curve.with_columns(place=pl.col("iteration").cast(pl.Float64))
    plane = _plane(rows, Axis.around("iteration", rows["place"], whole=True), result.error)
    plane.line([result.best] * 2, [plane.y.low, plane.y.high], MUTED, stroke_dasharray="4 3")
    points = _draw(plane, rows, "iteration")
    plane.key([*_key(), (f"best: {result.best}", MUTED, "4 3")])
    return plane.figure(f"{result.error.capitalize()} against iterations", points)


def _capacity(result: CapacityCurve) -> Figure:
    values = result.curve["capacity"].unique(maintain_order=True).to_list()
    places = {value: float(place) for place, value in enumerate(values)}
    rows = result.curve.with_columns(place=pl.col("capacity").replace_strict(places))
    names = tuple(f"{value:g}" for value in values)
    axis = Axis(result.parameter, -0.5, len(values) - 0.5, names=names)
    plane = _plane(rows, axis, result.error)
    best = places[result.best]
    plane.line([best, best], [plane.y.low, plane.y.high], MUTED, stroke_dasharray="4 3")
    points = _draw(plane, rows, "capacity")
    plane.key([*_key(), (f"best: {result.best:g}", MUTED, "4 3")])
    title = f"{result.error.capitalize()} of {result.learner} against its {result.parameter}"
    return plane.figure(title, points)


def _key() -> list[tuple[str, str, str | None] | KeyLine]:
    return [KeyLine(part, color, PATTERNS[part], SHAPES[part]) for part, color in COLORS.items()]


def _plane(rows: pl.DataFrame, axis: Axis, error: str) -> Plane:
    """Return a plane as high as the errors; a band or an outlier beyond them is cut."""
    errors = rows["error"].to_numpy()
    top = min(float(errors.max()), 4 * float(np.median(errors)) + 1e-12)
    room = MOST_ROOM * top
    highs = [high for high in rows["high"].to_list() if math.isfinite(high) and high <= room]
    return Plane(axis, Axis.around(error, [top, *highs], zero=True), right=110)


def _draw(plane: Plane, rows: pl.DataFrame, column: str) -> dict[str, dict[str, Any]]:
    points: dict[str, dict[str, Any]] = {}
    apart = APART * (plane.x.high - plane.x.low) / plane.width
    for part, color in COLORS.items():
        own = rows.filter(part=part)
        places, errors = own["place"].to_list(), own["error"].to_list()
        for place, low, high in own.select("place", "low", "high").iter_rows():
            if low < plane.y.high and math.isfinite(high):
                beside = place + SIDES[part] * apart
                ends = [max(low, plane.y.low), min(high, plane.y.high)]
                plane.line([beside, beside], ends, color, **INTERVAL)
        shown = [value if value <= plane.y.high else math.nan for value in errors]
        plane.line(places, shown, color, stroke_dasharray=PATTERNS[part])
        if len(shown) <= MOST_DOTS:
            words = [f"{part}: {value:.4g}" for value in errors]
            plane.points(places, shown, color, 3.0, words, shape=SHAPES[part])
        points[part] = {column: own[column].to_list(), "error": errors}
    return points
