"""Figures of effects: estimates with intervals, one below the other or over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.reports.figures.figure import (
    ACCENT,
    BAD,
    GOOD,
    INK,
    MUTED,
    PAPER,
    Axis,
    Figure,
    text_width,
)
from assay.reports.figures.plane import Plane, shorten_name
from assay.reports.figures.themes import INTERVAL

LONGEST = 38
"""Longer names of effects are shortened."""


@dataclass(frozen=True)
class Effect:
    """An estimate with its interval, under a name."""

    name: str
    value: float
    low: float
    high: float
    better: str = "higher"
    """The better direction; empty where it is not known."""
    holds: bool | None = None
    """Whether a check holds, if this is one; one that does not is a ring."""

    @property
    def color(self) -> str:
        """The color: good or bad, muted where the interval contains 0."""
        if self.holds is not None:
            return GOOD if self.holds else BAD
        if math.isnan(self.low) or self.low <= 0 <= self.high:
            return MUTED
        if not self.better:
            return ACCENT
        return GOOD if (self.value > 0) == (self.better == "higher") else BAD


def pair_name(system: str, baseline: str) -> str:
    """Return the name of a difference; of long names as much as leaves room for both."""
    room = LONGEST - 3
    first = max(room // 2, room - len(baseline))
    second = max(room // 2, room - len(system))
    return f"{shorten_name(system, first)} − {shorten_name(baseline, second)}"


def intervals_figure(
    effects: Sequence[Effect], title: str, axis: str, signed: bool = True
) -> Figure:
    """Draw the intervals one below the other; ``signed`` ones against a line at 0."""
    ends = [end for each in effects for end in (each.value, each.low, each.high)]
    x = Axis.around(axis, ends, zero=signed)
    names = [shorten_name(each.name, LONGEST) for each in effects]
    y = Axis("", len(effects) - 0.5, -0.5, ("",) * len(effects))
    room = math.ceil(24 + max((text_width(name) for name in names), default=0))
    plane = Plane(x, y, 400, max(26 * len(effects), 40), 30, room)
    if signed:
        plane.rule((0, -0.5), (0, len(effects) - 0.5), stroke=INK)
    sign = "+" if signed else ""
    for place, (name, each) in enumerate(zip(names, effects, strict=True)):
        plane.text(x.low, place, name, anchor="end", shift=(-8, 0))
        color = each.color if signed else ACCENT
        value, low, high = (f"{end:{sign}.4g}" for end in (each.value, each.low, each.high))
        words = f"{each.name}: {value} ({low} to {high})"
        if not math.isnan(each.low):
            plane.line(
                [max(each.low, x.low), min(each.high, x.high)],
                [place, place],
                color,
                stroke_width=3,
            )
        ring: dict[str, Any] = {"fill": PAPER, "stroke": color, "stroke_width": 2}
        look = ring if each.holds is False else {}
        plane.points([each.value], [place], color, 4.5, [words], **look)
    columns = {
        "name": [each.name for each in effects],
        "value": [each.value for each in effects],
        "low": [each.low for each in effects],
        "high": [each.high for each in effects],
    }
    return plane.figure(title, {"intervals": columns})


def course_figure(effects: Sequence[Effect], title: str, axes: tuple[str, str]) -> Figure:
    """Draw estimates over time as a line with a band."""
    ends = [end for each in effects for end in (each.value, each.low, each.high)]
    names = tuple(each.name for each in effects)
    step = max(1, math.ceil(len(names) / 8))
    ticks = tuple(name if n % step == 0 else "" for n, name in enumerate(names))
    x = Axis(axes[0], -0.5, len(names) - 0.5, ticks)
    plane = Plane(x, Axis.around(axes[1], ends, zero=True), 520, 260, 20, 64)
    plane.rule((-0.5, 0), (len(names) - 0.5, 0), stroke=INK)
    places = list(range(len(effects)))
    for place, each in enumerate(effects):
        if math.isfinite(each.low) and math.isfinite(each.high):
            plane.line([place, place], [each.low, each.high], ACCENT, **INTERVAL)
    values = [each.value for each in effects]
    plane.line(places, values, ACCENT, stroke_width=1.6)
    words = [f"{each.name}: {each.value:+.4g}" for each in effects]
    plane.points(places, values, ACCENT, 3.2, words)
    columns = {"name": list(names), "value": values}
    return plane.figure(title, {"course": columns})
