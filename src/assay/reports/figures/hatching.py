"""Hatching, so that areas can be distinguished in print without color."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from assay.reports.figures.figure import MUTED
from assay.reports.markup import Markup, tag

Hatch = Literal["upright", "level"]
"""The direction of the lines."""
GAP = 6.0
"""How far apart the lines are in the drawing."""


class KeyBox(NamedTuple):
    """The name of an area in a key, and how the area looks."""

    name: str
    color: str
    opacity: float
    hatch: Hatch | None = None


class KeyLine(NamedTuple):
    """The name of a line in a key, and how the line and its points look."""

    name: str
    color: str
    dash: str | None
    shape: str | None = None


def draw_swatch(box: KeyBox, x: float, y: float, width: int = 16, height: int = 12) -> list[Markup]:
    """Return a box of a key with its upper left corner at a place, hatched as its area."""
    place = {"x": x, "y": y, "width": width, "height": height}
    outline = {"stroke": MUTED, "stroke_width": 0.6}  # A pale area is no more than its outline.
    drawn = [tag("rect", **place, fill=box.color, fill_opacity=box.opacity, **outline)]
    if box.hatch:
        # One thick dashed line through the middle: its dashes are the lines of the hatching.
        upright = box.hatch == "upright"
        across, down = x + width / 2, y + height / 2
        ends = (
            {"x1": x, "x2": x + width, "y1": down, "y2": down}
            if upright
            else {"x1": across, "x2": across, "y1": y, "y2": y + height}
        )
        style = {"stroke_width": height if upright else width, "stroke_dasharray": "1.2 2.8"}
        drawn.append(tag("line", **ends, stroke=box.color, **style))
    return drawn


def level_lines(heights: list[float], pixels_per_unit: float) -> list[list[float]]:
    """Return for each level line below a curve its height where it is below, else NaN."""
    step = GAP / pixels_per_unit
    curve = np.asarray(heights)
    levels = np.arange(step / 2, curve.max(initial=0.0), step)
    return [np.where(curve >= level, level, np.nan).tolist() for level in levels]


def upright_places(xs: list[float], pixels_per_unit: float) -> list[float]:
    """Return the places of upright lines under a curve, from its left end on."""
    return np.arange(xs[0], xs[-1], GAP / pixels_per_unit).tolist()
