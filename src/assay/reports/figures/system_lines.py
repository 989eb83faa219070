"""Lines of several systems on one plane, each with its name at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.reports.figures.figure import line_color, line_dash
from assay.reports.figures.plane import Plane


def draw_lines(
    plane: Plane,
    series: Mapping[str, Mapping[str, Any]],
    x: str,
    y: str,
    dots: bool = False,
    last: bool = True,
    key: Sequence[str] = (),
) -> None:
    """A line for each series and its name to the right: at its last point, or its first.

    Or in a key, in its order; the color of a series comes from its place among the series.
    """
    ends: list[tuple[float, float, str, str]] = []
    for number, (name, columns) in enumerate(series.items()):
        color = line_color(number)
        style: dict[str, Any] = {"stroke_dasharray": line_dash(number)}
        xs, ys = list(map(float, columns[x])), list(map(float, columns[y]))
        plane.line(xs, ys, color, **style)
        if dots:
            plane.points(xs, ys, color, 2.6)
        if xs:
            end = -1 if last else 0
            ends.append((xs[end], ys[end], shorten_name(name), color))
    if len(series) > 1 and key:
        place = {name: number for number, name in enumerate(series)}
        plane.key([(shorten_name(n), line_color(place[n]), line_dash(place[n])) for n in key])
    elif len(ends) > 1:
        plane.labels(ends)


def shorten_name(name: str, most: int = 26) -> str:
    """A name that finds room beside a plane."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
