"""Rates against the threshold, and the two densities with the threshold between them."""

from __future__ import annotations

import numpy as np

from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.curves import densities, thresholds
from assay.reports.figures.axis import Axis
from assay.reports.figures.colors import ACCENT, BAD, INK
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.system_lines import draw_lines

RATES = ("TPR", "FPR", "PPV", "ACC")


def thresholds_figure(table: ThresholdTable, rates: tuple[str, ...] = RATES) -> Figure:
    """How the rates change with the threshold."""
    columns = thresholds(table)
    points = {rate: {"threshold": columns["threshold"], "rate": columns[rate]} for rate in rates}
    plane = Plane(Axis.around("threshold", table.score.tolist()), Axis("rate"))
    draw_lines(plane, points, "threshold", "rate", last=False)
    title = "Rates by threshold; an item is positive at or above it"
    return Figure(title, plane.svg(title), points)


def densities_figure(
    table: ThresholdTable, threshold: float | None = None, bins: int = 24
) -> Figure:
    """How the scores of positive and of negative items spread: histograms and smooth curves."""
    axis = Axis.around("score", table.score.tolist())
    at = np.linspace(axis.low, axis.high, 121)
    bars = densities(table, bins=bins)
    points = {}
    for name, weights in (("negative", table.negatives[0]), ("positive", table.positives[0])):
        points[name] = {"from": bars["low"], "to": bars["high"], "density": bars[name]}
        points[f"{name}, smooth"] = {"score": at, "density": _smooth(table.score, weights, at)}
    tops = [float(np.nanmax(columns["density"], initial=0)) for columns in points.values()]
    plane = Plane(axis, Axis.around("density", tops, zero=True))
    _draw_densities(plane, points, threshold)
    title = "Densities of the scores of positive and of negative items"
    return Figure(title, plane.svg(title), points)


def _draw_densities(
    plane: Plane, points: dict[str, dict[str, np.ndarray]], threshold: float | None
) -> None:
    ends = []
    for name, color, dash in (("negative", BAD, "7 3"), ("positive", ACCENT, None)):
        bars = points[name]
        for low, high, height in zip(bars["from"], bars["to"], bars["density"], strict=True):
            if height > 0:
                plane.box((float(low), float(high)), (0, float(height)), color, 0.22)
        smooth = points[f"{name}, smooth"]
        xs, ys = smooth["score"].tolist(), smooth["density"].tolist()
        plane.line(xs, ys, color, stroke_dasharray=dash)
        top = int(np.argmax(smooth["density"]))
        ends.append((xs[top], ys[top], name, color))
    for x, y, name, color in ends:
        edge = plane.x.share(x)
        anchor = "start" if edge < 0.15 else "end" if edge > 0.85 else "middle"
        plane.text(x, y, name, anchor=anchor, color=color, shift=(0, -9), font_weight="bold")
    if threshold is not None:
        high = plane.y.high
        plane.rule((threshold, 0), (threshold, high), stroke=INK, stroke_width=1.6)
        for words, anchor, shift, height in (
            ("TP", "start", 6, 0.93),
            ("FP", "start", 6, 0.86),
            ("FN", "end", -6, 0.93),
            ("TN", "end", -6, 0.86),
        ):
            color = ACCENT if words in ("TP", "FN") else BAD
            plane.text(
                threshold,
                high * height,
                words,
                anchor=anchor,
                shift=(shift, 0),
                color=color,
                size=10.5,
            )


def _smooth(score: np.ndarray, weights: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A Gaussian kernel density with Silverman's bandwidth."""
    total = weights.sum()
    if total <= 0:
        return np.zeros(len(at))
    mean = (score * weights).sum() / total
    deviation = np.sqrt((weights * (score - mean) ** 2).sum() / total)
    band = max(1.06 * deviation * total ** (-1 / 5), (at[-1] - at[0]) / 200)
    away = (at[:, None] - score[None, :]) / band
    return (np.exp(-(away**2) / 2) @ weights) / (total * band * np.sqrt(2 * np.pi))
