"""On a plane: the lines of several systems, and labels beside points that do not collide."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from assay.core.arrays import Floats
from assay.reports.figures.figure import DASHES, LINES, MUTED, PAPER, text_width
from assay.reports.figures.hatching import KeyLine
from assay.reports.figures.plane import SHAPES, Plane, shorten_name

MOST_DOTS = 40
"""Of longer lines the points are not marked: marks that touch hide their lines."""
KEY_LETTERS = 31
"""A name in a key has at most so many letters, such as local-outlier-factor: AUC 0.968."""


def line_color(number: int) -> str:
    """Return the color of a line by its number from 0; the seventh and later are muted."""
    return LINES[number] if number < len(LINES) else MUTED


def line_dash(number: int) -> str | None:
    """Return the dash pattern of a line by its number."""
    return DASHES[number % len(DASHES)]


def class_style(number: int) -> dict[str, Any]:
    """Return shape and colors of a class; after six classes they begin again as outlines."""
    color = LINES[number % len(LINES)]
    shape = list(SHAPES)[number % len(SHAPES)]
    if number < len(LINES):
        return {"shape": shape, "fill": color, "stroke": PAPER, "stroke_width": 0.6}
    return {"shape": shape, "fill": PAPER, "stroke": color, "stroke_width": 1.4}


def draw_lines(
    plane: Plane,
    series: Mapping[str, Mapping[str, Any]],
    x: str,
    y: str,
    dots: bool = False,
    key: Sequence[str] = (),
) -> None:
    """Draw a line for each series, with its name to the right of its last point.

    With a key the names are listed in its order. Color, dashes and the shape of ``dots`` follow the
    order of the series, so that no line needs its color.
    """
    ends: list[tuple[float, float, str, str]] = []
    looks: dict[str, tuple[str, str | None, str | None]] = {}
    for number, (name, columns) in enumerate(series.items()):
        color, dash = line_color(number), line_dash(number)
        shape = [*SHAPES][number % len(SHAPES)] if dots and len(columns[x]) <= MOST_DOTS else None
        looks[name] = color, dash, shape
        xs, ys = list(map(float, columns[x])), list(map(float, columns[y]))
        plane.line(xs, ys, color, stroke_dasharray=dash)
        if shape:
            plane.points(xs, ys, color, 2.8, shape=shape)
        if xs:
            ends.append((xs[-1], ys[-1], shorten_name(name), color))
    if len(series) > 1 and key:
        plane.key([KeyLine(shorten_name(name, KEY_LETTERS), *looks[name]) for name in key])
    elif len(ends) > 1:
        plane.labels(ends)


class PointLabel(NamedTuple):
    """Words that belong to a point."""

    x: float
    y: float
    words: str
    style: Mapping[str, Any] = {}
    """How its words differ from the others."""


Box = tuple[float, float, float, float]
"""Left, top, right and bottom in the drawing."""
PLACES = (
    ("start", 7, 0),
    ("end", -7, 0),
    ("middle", 0, -11),
    ("middle", 0, 11),
    ("start", 6, 10),
    ("end", -6, -10),
    ("start", 6, -10),
    ("end", -6, 10),
    ("start", 16, 0),
    ("end", -16, 0),
    ("middle", 0, -22),
    ("middle", 0, 22),
    *(
        (anchor, way * across, down)
        for across, down in ((20, 16), (20, -16), (14, 30), (34, 8), (30, 26), (24, 42), (40, 38))
        for anchor, way in (("start", 1), ("end", -1))
    ),
)
"""Where the words of a point may stand, the best place first."""
NEAR = 15.0
"""Words farther away than this are joined to their point by a thin line."""
BESIDE = sum(math.hypot(*place[1:]) <= NEAR for place in PLACES)
"""So many of the places need no line."""
MOST_JOINED = 40
"""Of more labels only those are written that have room beside their point."""


def place_labels(
    plane: Plane,
    labels: Sequence[PointLabel],
    size: float = 10.5,
    lines: Sequence[tuple[float, float]] = (),
    **style: Any,
) -> list[int]:
    """Write each label at the first place where it covers no point and no other label.

    It also avoids the line through the points of ``lines``, which NaN interrupts. Where every place
    is taken, it stands where it covers least; it is left out if that would touch another label or
    the edge of the drawing. Returns the numbers of the labels that are written.
    """
    places = PLACES if len(labels) <= MOST_JOINED else PLACES[:BESIDE]
    dots = np.asarray([_around(*plane.at(each.x, each.y), 3.5) for each in labels]).reshape(-1, 4)
    taken = np.asarray(_pieces([plane.at(*each) for each in lines])).reshape(-1, 4)
    written = np.empty((0, 4))
    numbers = []
    edge = (plane.left, 2, plane.left + plane.width + 60, plane.top + plane.height)
    for number, label in enumerate(labels):
        others = np.concatenate([taken, written, np.delete(dots, number, axis=0)])
        boxes = [_box(plane, label, place, size) for place in places]
        costs = [_covered(box, others) + _outside(box, edge) for box in boxes]
        best = int(np.argmin(costs))
        crowded = len(labels) > MOST_JOINED and costs[best] > 0
        if crowded or _covered(boxes[best], written) or boxes[best][1] < 0:
            continue
        written = np.concatenate([written, [boxes[best]]])
        numbers.append(number)
        anchor, across, down = places[best]
        if math.hypot(across, down) > NEAR:  # A thin line joins words that are far away.
            x = label.x + across * (plane.x.high - plane.x.low) / plane.width
            y = label.y - down * (plane.y.high - plane.y.low) / plane.height
            plane.line([label.x, x], [label.y, y], MUTED, stroke_width=0.8)
        own = {"anchor": anchor, "shift": (across, down), "size": size, **style, **label.style}
        plane.text(label.x, label.y, label.words, **own)
    return numbers


def _pieces(places: Sequence[tuple[float, float]]) -> list[Box]:
    """Return small boxes along a line, as obstacles."""
    found = []
    for (x1, y1), (x2, y2) in pairwise(places):
        if not all(map(math.isfinite, (x1, y1, x2, y2))):
            continue
        count = max(1, round(max(abs(x2 - x1), abs(y2 - y1)) / 4))
        for step in range(count + 1):
            share = step / count
            found.append(_around(x1 + share * (x2 - x1), y1 + share * (y2 - y1), 2))
    return found


def _around(x: float, y: float, radius: float) -> Box:
    return x - radius, y - radius, x + radius, y + radius


def _box(plane: Plane, label: PointLabel, place: tuple[str, float, float], size: float) -> Box:
    """Return the room that a label takes at a place, with a gap to the next one."""
    anchor, across, down = place
    x, y = plane.at(label.x, label.y)
    width = text_width(label.words, size, "font_weight" in label.style) + 0.4 * size
    left = x + across - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    high = 0.62 * size  # Half a line: the rim of paper around the words covers what is below.
    return left, y + down - high, left + width, y + down + high


def _covered(box: Box, others: Floats) -> float:
    """Return how much of other boxes a box covers."""
    left, top, right, bottom = others.T
    wide = np.minimum(box[2], right) - np.maximum(box[0], left)
    high = np.minimum(box[3], bottom) - np.maximum(box[1], top)
    return float((wide.clip(0) * high.clip(0)).sum())


def _outside(box: Box, edge: Box) -> float:
    """Return how far a box is outside the drawing, as a cost."""
    beyond = max(edge[0] - box[0], 0) + max(edge[1] - box[1], 0)
    return 20 * (beyond + max(box[2] - edge[2], 0) + max(box[3] - edge[3], 0))
