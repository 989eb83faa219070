"""Densities of scores: of positive and negative items, and the four areas at a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from assay.core.arrays import Floats, power_of_two
from assay.core.errors import UsageError
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.curves import densities
from assay.reports.figures.figure import (
    ACCENT,
    BAD,
    GOOD,
    INK,
    WARN,
    Axis,
    Figure,
    figure,
    only_view,
)
from assay.reports.figures.hatching import KeyBox, level_lines, upright_places
from assay.reports.figures.panels import side_by_side
from assay.reports.figures.plane import Plane
from assay.reports.figures.score_figures import require_finite_threshold
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.given_densities import DensityRates


@figure("densities", ClassificationEvidence, ClassificationColumns)
def plot_densities(
    evidence: ClassificationEvidence, threshold: float | None = None, panels: int = 1
) -> Figure:
    """Draw how the scores of positive and of negative items are distributed.

    At a ``threshold`` the four areas TN, FP, FN and TP are colored, with 2 ``panels`` each class in
    a panel of its own.
    """
    table = only_view(evidence, ThresholdTable)
    if panels not in (1, 2):
        raise UsageError(f"`panels` is {panels}; 1 or 2 are expected")
    if panels == 2 and threshold is None:
        raise UsageError("two panels show the areas at a threshold: name it, `threshold`")
    named = evidence.score if isinstance(evidence.score, str) else "score"
    if threshold is None:
        return densities_figure(table, title=named)
    require_finite_threshold(threshold)
    drawn = areas_figure(*_smooth_curves(table), rates_at(table, threshold), panels, named)
    return replace(drawn, title=f"{drawn.title}; {SMOOTHED}")


def _smooth_curves(table: ThresholdTable) -> tuple[Floats, Floats, Floats]:
    """Return scores, and the smooth density of the negative and of the positive items there."""
    axis = density_axis(table)
    at = np.linspace(axis.low, axis.high, 241)
    return (
        at,
        _smooth(table.score, table.negatives[0], at),
        _smooth(table.score, table.positives[0], at),
    )


def density_axis(table: ThresholdTable, title: str = "score") -> Axis:
    """Return an axis of scores on which the smooth curves come down to 0 at both ends."""
    axis = Axis.around(title, table.score.tolist())
    with np.errstate(over="ignore", invalid="ignore"):
        bands = [_bandwidth(table.score, each[0]) for each in (table.negatives, table.positives)]
    reach = CURVE_END * max(bands)
    if not len(table.score) or not math.isfinite(reach):
        return axis
    low, high = float(table.score.min()) - reach, float(table.score.max()) + reach
    return Axis(title, min(low, axis.low), max(high, axis.high))


def rates_at(table: ThresholdTable, threshold: float) -> dict[str, float]:
    """Return the threshold and the shares of both classes at or above it and below."""
    above = table.score >= threshold
    shares = {
        name: float(counts[0][above].sum() / counts[0].sum()) if counts[0].sum() else np.nan
        for name, counts in (("TPR", table.positives), ("FPR", table.negatives))
    }
    return {
        "threshold": threshold,
        "TNR": 1 - shares["FPR"],
        "FPR": shares["FPR"],
        "FNR": 1 - shares["TPR"],
        "TPR": shares["TPR"],
    }


AREAS: Mapping[str, tuple[tuple[KeyBox, str], tuple[KeyBox, str]]] = {
    "negative": (
        (KeyBox("TN", GOOD, 0.25), "TNR"),
        (KeyBox("FP", BAD, 0.4, "level"), "FPR"),
    ),
    "positive": (
        (KeyBox("FN", WARN, 0.4, "upright"), "FNR"),
        (KeyBox("TP", ACCENT, 0.6), "TPR"),
    ),
}
"""For each class the area left of the threshold and right of it: its name and look, and its rate.

In print without color true areas differ by their shade, and wrong ones by their hatching.
"""


SMOOTHED = "curves and areas are smoothed, the rates are those of the items"
"""What the figure says of scores of items: few items have no areas of their own."""
CURVE_END = 2.5
"""So many bandwidths beyond the last score, a smooth curve is as good as 0."""
LEAST_SEEN = 0.15
"""The share of an area that must be seen beside the one in front of it to have its name there."""
LEAST_CORNERS = 120
"""A hatched area has at least so many corners: level lines end at one of them."""
LABEL_ROOM = 13
"""How far the name of an area stays from the threshold, and how high it is with a rim."""


def areas_figure(
    at: Floats,
    negative: Floats,
    positive: Floats,
    rates: Mapping[str, float],
    count: int = 1,
    axis_title: str = "score",
) -> Figure:
    """The densities of both classes with the four areas at a threshold, in one panel or two."""
    threshold = float(rates["threshold"])
    curves = {"negative": negative, "positive": positive}
    points = {name: {"score": at, "density": each} for name, each in curves.items()}
    points["rates"] = {name: np.asarray([value]) for name, value in rates.items()}
    height = Axis.around("density", [*negative.tolist(), *positive.tolist()], zero=True)
    across = Axis(axis_title, float(at[0]), float(at[-1]))
    title = f"Densities of the scores, and the four areas at the threshold {threshold:g}"
    if count == 1:
        plane = Plane(across, height, width=420)
        _areas(plane, at, curves, threshold)
        _threshold_line(plane, threshold)
        plane.key(_entries(rates, *curves))
        return plane.figure(title, points)
    drawn = []
    for name, curve in curves.items():
        plane = Plane(across, height, width=300, height=230)
        _areas(plane, at, {name: curve}, threshold)
        _threshold_line(plane, threshold)
        plane.key(_entries(rates, name))
        symbol = "f_n" if name == "negative" else "f_p"
        drawn.append((f"{name} items: {symbol}", plane.figure(title, {"": points[name]})))
    figure = side_by_side(title, drawn)
    return Figure(title, figure.svg, points)


def density_rates_figure(found: DensityRates, panels: int = 1) -> Figure:
    """Draw given densities with the four areas at the first threshold."""
    first = {name: float(value) for name, value in found.rates.row(0, named=True).items()}
    score, negative, positive = found.curves.values()
    return areas_figure(score, negative, positive, first, panels)


def _entries(rates: Mapping[str, float], *classes: str) -> list[KeyBox]:
    return [
        box._replace(name=f"{box.name}: {rate} {rates[rate]:.3f}")
        for each in classes
        for box, rate in AREAS[each]
    ]


def _areas(plane: Plane, at: Floats, curves: Mapping[str, Floats], threshold: float) -> None:
    """Color and name the areas left and right of the threshold; wrong ones in front, hatched."""
    inside = float(np.clip(threshold, at[0], at[-1]))
    labels: list[tuple[str, float, float, int, float]] = []
    order = [("negative", 0), ("positive", 0), ("positive", 1), ("negative", 1)]
    for name, side in order:
        if name not in curves:
            continue
        kept = at[at > inside] if side else at[at < inside]
        corners = [inside, *kept.tolist()] if side else [*kept.tolist(), inside]
        heights = np.interp(corners, at, curves[name]).tolist()
        box = AREAS[name][side][0]
        plane.area(
            [corners[0], *corners, corners[-1]], [0.0, *heights, 0.0], box.color, box.opacity
        )
        if box.hatch:
            _hatch(plane, corners, heights, box)
        other = (
            curves["positive" if name == "negative" else "negative"] if len(curves) > 1 else None
        )
        front = None if other is None or box.hatch else np.interp(corners, at, other)
        x, y = _middle(corners, heights, front)
        labels.append((box.name, x, y, 1 if side else -1, float(np.interp(x, corners, heights))))
    for name, curve in curves.items():
        dash = "7 3" if name == "negative" else None
        plane.line(at.tolist(), curve.tolist(), INK, stroke_width=1.6, stroke_dasharray=dash)
    for label, x, y, side, own in labels:
        apart = side * (plane.at(x, y)[0] - plane.at(inside, y)[0])
        aside = side * max(0.0, LABEL_ROOM - apart)
        top = max(float(np.interp(x, at, curve)) for curve in curves.values())
        if plane.at(x, 0)[1] - plane.at(x, own)[1] < LABEL_ROOM:  # No room in a flat area.
            plane.text(x, top, label, shift=(aside, -LABEL_ROOM + 1), font_weight="bold")
        else:
            plane.text(x, y, label, shift=(aside, 0), font_weight="bold")


def _hatch(plane: Plane, xs: list[float], heights: list[float], box: KeyBox) -> None:
    """Draw lines up to the curve or along the axis, so that an area stands out without color."""
    between = np.union1d(xs, np.linspace(xs[0], xs[-1], LEAST_CORNERS))
    xs, heights = between.tolist(), np.interp(between, xs, heights).tolist()
    if box.hatch == "level":
        for level in level_lines(heights, plane.height / (plane.y.high - plane.y.low)):
            plane.line(xs, level, box.color, stroke_width=1)
        return
    for x in upright_places(xs, plane.width / (plane.x.high - plane.x.low)):
        height = float(np.interp(x, xs, heights))
        plane.line([x, x], [0.0, height], box.color, stroke_width=1)


def _middle(xs: list[float], heights: list[float], front: Floats | None) -> tuple[float, float]:
    """Return a point of an area for its name, where half of it is on each side.

    Of an area with another one in front, the part that is seen counts, if it is large enough.
    """
    x, y = np.asarray(xs), np.asarray(heights)
    low, part = np.zeros(len(y)), 0.4
    if front is not None:
        seen = np.maximum(y - front, 0)
        large = seen.sum() > LEAST_SEEN * y.sum()
        low, part = (y - seen, 0.5) if large else (low, 0.8)
    strip = y - low
    along = np.append(0.0, np.cumsum(np.diff(x) * (strip[1:] + strip[:-1]) / 2))
    middle = float(np.interp(along[-1] / 2, along, x))
    return middle, float(np.interp(middle, x, low + part * strip))


def _threshold_line(plane: Plane, threshold: float) -> None:
    if plane.x.low <= threshold <= plane.x.high:
        plane.rule((threshold, 0), (threshold, plane.y.high), stroke=INK, stroke_width=1.6)
        plane.text(threshold, plane.y.high, f"T = {threshold:g}", shift=(0, -8), size=11)


def densities_figure(
    table: ThresholdTable, threshold: float | None = None, bins: int = 24, title: str = "score"
) -> Figure:
    """How the scores of positive and of negative items spread: histograms and smooth curves."""
    axis = density_axis(table, title)
    at = np.linspace(axis.low, axis.high, 121)
    bars = densities(table, bins=bins)
    points = {}
    for name, weights in (("negative", table.negatives[0]), ("positive", table.positives[0])):
        points[name] = {"from": bars["low"], "to": bars["high"], "density": bars[name]}
        points[f"{name}, smooth"] = {"score": at, "density": _smooth(table.score, weights, at)}
    tops = [float(np.nanmax(columns["density"], initial=0)) for columns in points.values()]
    plane = Plane(axis, Axis.around("density", tops, zero=True))
    _draw_densities(plane, points)
    if threshold is not None:
        _threshold_line(plane, threshold)
    return plane.figure("Densities of the scores of positive and of negative items", points)


def _draw_densities(plane: Plane, points: dict[str, dict[str, Floats]]) -> None:
    for name, color, dash in (("negative", BAD, "7 3"), ("positive", ACCENT, None)):
        bars = points[name]
        for low, high, height in zip(bars["from"], bars["to"], bars["density"], strict=True):
            if height > 0:
                plane.box((float(low), float(high)), (0, float(height)), color, 0.22)
        # The outline distinguishes the bars in print without color.
        edges = [*bars["from"], *bars["to"][-1:]]
        heights = np.concatenate([[0.0], np.repeat(np.nan_to_num(bars["density"]), 2), [0.0]])
        outline = {"stroke_width": 1, "stroke_opacity": 0.7, "stroke_dasharray": dash and "3 2"}
        plane.line(np.repeat(edges, 2).tolist(), heights.tolist(), color, **outline)
        smooth = points[f"{name}, smooth"]
        xs, ys = smooth["score"].tolist(), smooth["density"].tolist()
        plane.line(xs, ys, color, stroke_dasharray=dash)
    plane.key([("negative", BAD, "7 3"), ("positive", ACCENT, None)])


def _bandwidth(score: Floats, weights: Floats) -> float:
    """Return Silverman's bandwidth of a class; 0 without items."""
    total = weights.sum()
    if total <= 0:
        return 0.0
    mean = (score * weights).sum() / total
    deviation = np.sqrt((weights * (score - mean) ** 2).sum() / total)
    return float(1.06 * deviation * total ** (-1 / 5))


def _smooth(score: Floats, weights: Floats, at: Floats) -> Floats:
    """A Gaussian kernel density with Silverman's bandwidth."""
    total = weights.sum()
    if total <= 0:
        return np.zeros(len(at))
    scale = power_of_two(score, at)
    score, at = score / scale, at / scale
    band = max(_bandwidth(score, weights), (at[-1] - at[0]) / 200)
    away = (at[:, None] - score[None, :]) / band
    return (np.exp(-(away**2) / 2) @ weights) / (total * band * np.sqrt(2 * np.pi)) / scale
