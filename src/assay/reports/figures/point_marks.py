"""The marks of points: a dot, or another shape for each class, so that no class needs its color."""

from __future__ import annotations

from typing import Any

from assay.reports.figures.figure import LINES, PAPER
from assay.reports.markup import Markup, tag

Corners = tuple[tuple[float, float], ...]
SHAPES: dict[str, Corners] = {
    "circle": (),
    "triangle": ((0, -1.25), (1.15, 0.8), (-1.15, 0.8)),
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "diamond": ((0, -1.3), (1.2, 0), (0, 1.3), (-1.2, 0)),
    "wedge": ((0, 1.25), (1.15, -0.8), (-1.15, -0.8)),
    "bar": ((-1.4, -0.5), (1.4, -0.5), (1.4, 0.5), (-1.4, 0.5)),
}
"""The corners of each shape of radius 1, one shape for each color of a class."""


def draw_mark(
    place: tuple[float, float],
    radius: float,
    title: Markup | None,
    shape: str = "circle",
    **style: Any,
) -> Markup:
    """Return a mark of the shape around a place of the drawing."""
    corners = SHAPES[shape]
    if not corners:
        return tag("circle", title, cx=place[0], cy=place[1], r=radius, **style)
    ends = [f"{place[0] + radius * x:.1f},{place[1] + radius * y:.1f}" for x, y in corners]
    return tag("path", title, d=f"M{'L'.join(ends)}Z", **style)


def class_style(number: int) -> dict[str, Any]:
    """Return shape and colors of a class; after six classes they begin again as outlines."""
    color = LINES[number % len(LINES)]
    shape = list(SHAPES)[number % len(SHAPES)]
    if number < len(LINES):
        return {"shape": shape, "fill": color, "stroke": PAPER, "stroke_width": 0.6}
    return {"shape": shape, "fill": PAPER, "stroke": color, "stroke_width": 1.4}
