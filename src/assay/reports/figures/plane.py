"""A plane with two axes, on which a figure is drawn as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.reports.figures.figure import (
    GRID,
    INK,
    MUTED,
    PAPER,
    Axis,
    Figure,
    text_width,
)
from assay.reports.figures.hatching import KeyBox, KeyLine, draw_swatch
from assay.reports.markup import Markup, tag

MARGIN = 10
"""What stays free between words and the edge of the drawing."""
TICK = 11
"""The font size of the labels at ticks."""
MOST_LETTERS = 14
"""Longer labels at ticks are shortened."""
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


class Plane:
    """Marks are given in the numbers of the axes; what is drawn first lies lowest."""

    def __init__(
        self, x: Axis, y: Axis, width: int = 380, height: int = 300, right: int = 20, left: int = 52
    ) -> None:
        self.x, self.y = x, y
        self.width, self.height = width, height
        self.left, self.top, self.right, self.bottom = max(left, y.label_room), 14, right, 46
        self.title_drop = 38
        """How far below the plane the title of the axis stands."""
        self._marks: list[Markup] = []
        self._words: list[Markup] = []

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a point in the drawing."""
        return (
            round(self.left + self.x.share(x) * self.width, 1),
            round(self.top + (1 - self.y.share(y)) * self.height, 1),
        )

    def line(
        self, xs: Iterable[float], ys: Iterable[float], color: str, **more: str | float | None
    ) -> None:
        """A line through the points; it is broken where a number is undefined."""
        style = {"stroke_width": 2, "stroke_linejoin": "round"} | more
        self._marks.append(tag("path", d=self._path(xs, ys), fill="none", stroke=color, **style))

    def area(self, xs: Iterable[float], ys: Iterable[float], color: str, opacity: float) -> None:
        """A filled shape with corners at the points."""
        self._marks.append(
            tag("path", d=f"{self._path(xs, ys)}Z", fill=color, fill_opacity=opacity, stroke="none")
        )

    def box(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        color: str,
        opacity: float = 1.0,
        title: str | None = None,
        **more: Any,
    ) -> None:
        """A rectangle."""
        (left, low), (right, high) = self.at(x[0], y[0]), self.at(x[1], y[1])
        place = {
            "x": min(left, right),
            "y": min(low, high),
            "width": round(abs(right - left), 1),
            "height": round(abs(high - low), 1),
        }
        words = tag("title", title) if title else None
        self._marks.append(tag("rect", words, **place, fill=color, fill_opacity=opacity, **more))

    def points(
        self,
        xs: Iterable[float],
        ys: Iterable[float],
        color: str,
        radius: float = 3.2,
        titles: Iterable[str] | None = None,
        opacity: float = 1.0,
        **more: Any,
    ) -> None:
        """A dot, or another ``shape``, for each point, with the words that a pointer brings up."""
        names: Iterable[str | None] = titles or iter(lambda: None, 0)
        style: dict[str, Any] = {"fill": color, "fill_opacity": opacity}
        style |= {"stroke": PAPER, "stroke_width": 0.6} | more
        for x, y, title in zip(xs, ys, names, strict=False):
            if math.isfinite(x) and math.isfinite(y):
                words = tag("title", title) if title else None
                self._marks.append(draw_mark(self.at(x, y), radius, words, **style))

    def rule(self, start: tuple[float, float], end: tuple[float, float], **more: Any) -> None:
        """A thin straight line, such as a diagonal, a mean or a threshold."""
        (x1, y1), (x2, y2) = self.at(*start), self.at(*end)
        dashed = {"stroke": MUTED, "stroke_width": 1.2, "stroke_dasharray": "4 4"}
        style = {"fill": "none"} | dashed | more  # Readers of PDF draw the fill of a line solid.
        self._marks.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **style))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "middle",
        color: str = INK,
        shift: tuple[float, float] = (0, 0),
        size: float = 11.5,
        **more: Any,
    ) -> None:
        """Words at a point, in front of all marks, with a rim of paper; none where undefined."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return
        across, down = self.at(x, y)
        if "transform" not in more:
            bold = "font_weight" in more
            self._make_room(across + shift[0], text_width(words, size, bold), anchor)
        place = {"x": round(across + shift[0], 1), "y": round(down + shift[1] + 4, 1)}
        style = {"text_anchor": anchor, "fill": color, "font_size": size}
        rim = {"stroke": PAPER, "stroke_width": 3, "paint_order": "stroke"}
        self._words.append(tag("text", words, **place, **style, **rim | more))

    def labels(self, ends: Sequence[tuple[float, float, str, str]], lead: bool = True) -> None:
        """Names to the right of the plane, each as near to its end of a line as there is room."""
        placed = spread_heights(
            [self.at(x, y)[1] for x, y, _, _ in ends], 14, self.top + self.height
        )
        edge = self.left + self.width
        for (x, y, name, color), height in zip(ends, placed, strict=True):
            across, down = self.at(x, y)
            self._make_room(edge + 13, text_width(name))
            leader = f"M{across + 2},{down}L{edge + 6},{round(height, 1)}H{edge + 10}"
            if lead:
                self._marks.append(
                    tag("path", d=leader, fill="none", stroke=color, stroke_width=0.8)
                )
            self._name(name, edge + 13, round(height + 4, 1), color)

    def key(self, entries: Sequence[tuple[str, str, str | None] | KeyBox | KeyLine]) -> None:
        """Names to the right of the plane, each after a piece of its line or a box of its area."""
        room = 24 if all(isinstance(each, KeyBox) for each in entries) else 32
        names = [(each[0], INK if isinstance(each, KeyBox) else each[1]) for each in entries]
        for (x, y), each in zip(self._key_places(names, room), entries, strict=True):
            if isinstance(each, KeyBox):
                self._marks += draw_swatch(each, x + room // 2 - 12, y - 6)
                continue
            style = {"stroke": each[1], "stroke_width": 2, "stroke_dasharray": each[2]}
            self._marks.append(tag("line", x1=x, x2=x + 26, y1=y, y2=y, **style))
            if isinstance(each, KeyLine) and each.shape:
                self._marks.append(draw_mark((x + 13, y), 3, None, each.shape, fill=each.color))

    def key_marks(self, entries: Sequence[tuple[str, Mapping[str, Any]]], below: int = 0) -> None:
        """Names of points to the right, each after its mark, below so many names of lines."""
        room = 32 if below else 18
        places = self._key_places([(name, INK) for name, _ in entries], room, below)
        for (x, y), (_, style) in zip(places, entries, strict=True):
            self._marks.append(draw_mark((x + room // 2 - 4, y), 4.2, None, **style))

    def _key_places(
        self, names: Sequence[tuple[str, str]], room: int, below: int = 0
    ) -> list[tuple[int, int]]:
        """Write names one below the other, and return the place of the sign before each."""
        x = self.left + self.width + 12
        places = [(x, self.top + 8 + 17 * (below + number)) for number in range(len(names))]
        for (name, color), (_, y) in zip(names, places, strict=True):
            self._make_room(x + room, text_width(name))
            self._name(name, x + room, y + 4, color)
        self.bottom += max(0, 17 * len(names) - self.height)
        return places

    def figure(
        self, title: str, points: Mapping[str, Mapping[str, Any]], grid: bool = True
    ) -> Figure:
        """The drawing under a title, with the points that it shows."""
        return Figure(title, self._svg(title, grid), points)

    def _svg(self, title: str, grid: bool) -> Markup:
        width = self.left + self.width + self.right
        height = self.top + self.height + self.bottom
        inner = [tag("title", title), *self._axes(grid), *self._marks, *self._words]
        return tag(
            "svg",
            inner,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
            role="img",
            aria_label=title,
            font_family="Inter, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif",
            data_plane=f"{self.left} {self.top} {self.width} {self.height}",
        )

    def _name(self, name: str, x: float, y: float, color: str) -> None:
        self._words.append(tag("text", name, x=x, y=y, fill=color, font_size=11.5))

    def _make_room(self, x: float, width: float, anchor: str = "start") -> None:
        """Widen the drawing so that words that begin, end or are centered there are not cut."""
        end = x + width * {"start": 1, "middle": 0.5, "end": 0}[anchor]
        self.right = max(self.right, math.ceil(end + MARGIN - self.left - self.width))

    def _axes(self, grid: bool) -> Iterable[Markup]:
        low, high = self.top + self.height, self.left + self.width
        for value, name in self.x.ticks():
            place = self.at(value, self.y.low)[0]
            if grid:
                yield tag("line", x1=place, x2=place, y1=self.top, y2=low, stroke=GRID)
            yield _format_tick(name, place, low + 17, "middle")
        for value, name in self.y.ticks():
            place = self.at(self.x.low, value)[1]
            if grid:
                yield tag("line", x1=self.left, x2=high, y1=place, y2=place, stroke=GRID)
            yield _format_tick(name, self.left - 8, place + 4, "end")
        middle = self.left + self.width / 2
        style = {"text_anchor": "middle", "fill": INK, "font_size": 12}
        yield tag("text", self.x.title, x=middle, y=low + self.title_drop, **style)
        turned = f"translate(13 {self.top + self.height / 2}) rotate(-90)"
        yield tag("text", self.y.title, x=0, y=0, **style, transform=turned)

    def _path(self, xs: Iterable[float], ys: Iterable[float]) -> str:
        pieces, pen = [], "M"
        for x, y in zip(xs, ys, strict=True):
            known = math.isfinite(x) and math.isfinite(y)
            if known:
                pieces.append("{}{},{}".format(pen, *self.at(x, y)))
            pen = "L" if known else "M"
        return "".join(pieces)


def _format_tick(name: str, x: float, y: float, anchor: str) -> Markup:
    style = {"text_anchor": anchor, "fill": MUTED, "font_size": TICK}
    return tag("text", shorten_name(name, MOST_LETTERS), x=x, y=y, **style)


def shorten_name(name: str, most: int = 26) -> str:
    """Return a name with at most so many letters."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


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


def spread_heights(wanted: list[float], room: float, low: float) -> list[float]:
    """Return heights near the wanted ones, so far apart that labels fit, not below the plane."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = dict.fromkeys(order, 0.0)
    before = -math.inf
    for each in order:
        before = placed[each] = max(wanted[each], before + room)
    after = max(low, 14 + room * len(order))
    for each in reversed(order):
        after = placed[each] = min(placed[each], after)
        after -= room
    return [placed[each] for each in range(len(wanted))]
