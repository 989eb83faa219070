"""On a plane: the lines of several systems, and labels beside points that do not collide."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from assay.reports.figures.figure import DASHES, LINES, MUTED, text_width
from assay.reports.figures.plane import Plane, shorten_name

KEY_LETTERS = 31
"""A name in a key has at most so many letters, such as local-outlier-factor: AUC 0.968."""


def line_color(number: int) -> str:
    """Return the color of a line by its number from 0; the seventh and later are muted."""
    return LINES[number] if number < len(LINES) else MUTED


def line_dash(number: int) -> str | None:
    """Return the dash pattern of a line by its number."""
    return DASHES[number % len(DASHES)]


def draw_lines(
    plane: Plane,
    series: Mapping[str, Mapping[str, Any]],
    x: str,
    y: str,
    dots: bool = False,
    last: bool = True,
    key: Sequence[str] = (),
) -> None:
    """Draw a line for each series, with its name to the right of its last or its first point.

    With a key the names are listed in its order; colors follow the order of the series.
    """
    ends: list[tuple[float, float, str, str]] = []
    for number, (name, columns) in enumerate(series.items()):
        color = line_color(number)
        xs, ys = list(map(float, columns[x])), list(map(float, columns[y]))
        plane.line(xs, ys, color, stroke_dasharray=line_dash(number))
        if dots:
            plane.points(xs, ys, color, 2.6)
        if xs:
            end = -1 if last else 0
            ends.append((xs[end], ys[end], shorten_name(name), color))
    if len(series) > 1 and key:
        place = {name: number for number, name in enumerate(series)}
        names = [(n, shorten_name(n, KEY_LETTERS)) for n in key]
        plane.key([(shown, line_color(place[n]), line_dash(place[n])) for n, shown in names])
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


def place_labels(
    plane: Plane,
    labels: Sequence[PointLabel],
    size: float = 10.5,
    lines: Sequence[tuple[float, float]] = (),
    **style: Any,
) -> int:
    """Write each label at the first place where it covers no point and no other label.

    It also avoids the line through the points of ``lines``, which NaN interrupts. Where every place
    is taken, it stands where it covers least; it is left out if that would touch another label.
    Returns how many labels are written.
    """
    dots = [_around(*plane.at(each.x, each.y), 3.5) for each in labels]
    taken: list[Box] = _pieces([plane.at(*each) for each in lines])
    written: list[Box] = []
    edge = (plane.left, plane.top - 12, plane.left + plane.width + 60, plane.top + plane.height)
    for number, each in enumerate(labels):
        others = [*taken, *written, *dots[:number], *dots[number + 1 :]]
        best = min(
            (_covered(box := _box(plane, each, place, size), others) + _outside(box, edge), order)
            for order, place in enumerate(PLACES)
        )
        anchor, across, down = PLACES[best[1]]
        box = _box(plane, each, PLACES[best[1]], size)
        if _covered(box, written):
            continue
        written.append(box)
        shift = (across, down)
        if math.hypot(across, down) > NEAR:
            _join(plane, each, shift)
        own = {**style, **each.style}
        plane.text(each.x, each.y, each.words, anchor=anchor, shift=shift, size=size, **own)
    return len(written)


def _join(plane: Plane, label: PointLabel, shift: tuple[float, float]) -> None:
    """Draw a thin line from a point to its words."""
    x, y = plane.x, plane.y
    end = (
        label.x + shift[0] * (x.high - x.low) / plane.width,
        label.y - shift[1] * (y.high - y.low) / plane.height,
    )
    plane.rule((label.x, label.y), end, stroke_width=0.8, stroke_dasharray=None)


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


def _covered(box: Box, others: Sequence[Box]) -> float:
    """Return how much of other boxes a box covers."""
    total = 0.0
    for left, top, right, bottom in others:
        wide = min(box[2], right) - max(box[0], left)
        high = min(box[3], bottom) - max(box[1], top)
        total += max(wide, 0) * max(high, 0)
    return total


def _outside(box: Box, edge: Box) -> float:
    """Return how far a box is outside the drawing, as a cost."""
    beyond = max(edge[0] - box[0], 0) + max(edge[1] - box[1], 0)
    return 20 * (beyond + max(box[2] - edge[2], 0) + max(box[3] - edge[3], 0))
