"""Lines of several systems with the interval of each point, and points in a plane by class."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.reports.figures.figure import ACCENT, MUTED, Axis, Figure
from assay.reports.figures.lines_and_labels import class_style, line_color, line_dash
from assay.reports.figures.plane import Plane, shorten_name
from assay.reports.figures.themes import INTERVAL
from assay.reports.figures.value_figures import sample_evenly

WIDTH = 420


def interval_lines(
    frame: pl.DataFrame,
    x: str,
    title: str,
    axes: tuple[str, str],
    series: str = "system",
    mark: float | None = None,
    log: bool = False,
) -> Figure:
    """Draw a line for each system through its values, with a bar for the interval of each.

    ``frame`` has the columns of ``series`` and ``x``, and value, low and high. A dashed line is at
    the ``mark``. With ``log`` the scale of x is logarithmic.
    """
    ends = [*frame["value"], *frame["low"], *frame["high"]]
    finite = [float(each) for each in ends if each is not None and math.isfinite(each)]
    x_axis = (Axis.logarithmic if log else Axis.around)(axes[0], frame[x].cast(pl.Float64))
    plane = Plane(x_axis, Axis.around(axes[1], finite), WIDTH)
    if mark is not None:
        plane.rule((mark, plane.y.low), (mark, plane.y.high))
    names = frame[series].unique(maintain_order=True).to_list()
    points: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(names):
        own = frame.filter(pl.col(series) == name).sort(x)
        color = line_color(number)
        apart = 0.0 if log else 0.006 * (x_axis.high - x_axis.low)
        shift = (number - (len(names) - 1) / 2) * apart
        places = [float(each) + shift for each in own[x]]
        values = own["value"].to_list()
        for place, low, high in zip(places, own["low"], own["high"], strict=True):
            if math.isfinite(low) and math.isfinite(high):
                plane.line([place] * 2, [low, high], color, **INTERVAL)
        plane.line(places, values, color, stroke_dasharray=line_dash(number))
        said = [f"{name}: {value:.4g}" for value in values]
        plane.points(places, values, color, 2.8, said)
        columns = {each: own[each].to_list() for each in ("value", "low", "high")}
        points[str(name)] = {x: own[x].to_list(), **columns}
    if len(names) > 1:
        entries = [(shorten_name(str(n)), line_color(k), line_dash(k)) for k, n in enumerate(names)]
        plane.key(entries)
    return plane.figure(title, points)


def class_points(
    places: Floats,
    classes: Sequence[Any],
    title: str,
    axes: tuple[str, str] = ("dimension 1", "dimension 2"),
    marked: Mapping[str, Any] | None = None,
) -> Figure:
    """Draw points of two dimensions in shape and color of their class; None is muted.

    ``marked`` points, by name, are drawn large on top: a pair of positions and classes each.
    """
    chosen = sample_evenly(len(places))
    known = sorted({str(each) for each in classes if each is not None})
    plane = Plane(
        Axis.around(axes[0], places[:, 0].tolist()), Axis.around(axes[1], places[:, 1].tolist())
    )
    points: dict[str, dict[str, Any]] = {}
    labels = np.array([None if each is None else str(each) for each in classes], dtype=object)
    for number, name in enumerate([None, *known]):
        own = [place for place in chosen.tolist() if labels[place] == name]
        if not own:
            continue
        xs, ys = places[own, 0].tolist(), places[own, 1].tolist()
        if not known:
            plane.points(xs, ys, ACCENT, 2.6, None, 0.75)
        elif name is None:
            plane.points(xs, ys, MUTED, 2.2, None, 0.6)
        else:
            style = class_style(number - 1)
            plane.points(xs, ys, style.pop("fill"), 3.0, None, 0.75, **style)
        points[name or ("unlabeled" if known else "items")] = {"x": xs, "y": ys}
    for number, name in enumerate(known):
        own_marks = (marked or {}).get(name)
        if own_marks is not None and len(own_marks):
            xs, ys = own_marks[:, 0].tolist(), own_marks[:, 1].tolist()
            style = class_style(number) | {"stroke_width": 1.6}
            plane.points(xs, ys, style.pop("fill"), 5.5, None, 1.0, **style)
            points[f"labeled {name}"] = {"x": xs, "y": ys}
    shown: list[tuple[str, Mapping[str, Any]]] = [
        (shorten_name(name, 16), class_style(number)) for number, name in enumerate(known)
    ]
    if known and None in labels.tolist():
        shown.append(("unlabeled", {"fill": MUTED}))
    plane.key_marks(shown)
    return plane.figure(title, points)
