"""The lines of several systems on a plane: their colors, dashes and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.reports.figures.figure import DASHES, LINES, MUTED
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
