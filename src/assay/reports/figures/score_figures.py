"""Figures of scores: ROC curves, rates by threshold, densities and calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.errors import DataError, NeedsInput
from assay.core.names import measure
from assay.core.scaling import power_of_two
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.probabilities.calibration import Strategy, calibration
from assay.measures.scores.areas import area_under_roc
from assay.measures.scores.curves import densities, roc, thresholds
from assay.reports.figures.figure import (
    ACCENT,
    BAD,
    GOOD,
    INK,
    MUTED,
    Axis,
    Figure,
    figure,
    only_view,
)
from assay.reports.figures.plane import Plane, draw_lines, line_color, shorten_name
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns

BINS = 10
FALSE, TRUE = "false positive rate (FPR)", "true positive rate (TPR)"


def threshold_tables(evidence: ClassificationEvidence) -> dict[str, ThresholdTable]:
    """Return the counts at each score of each system, or of each class by its probability."""
    positive = evidence.first.positive
    tables = {
        name: table
        for name, (label, table) in evidence.binary_tables().items()
        if positive in (None, label)
    }
    if not tables:
        raise NeedsInput(f"this figure needs {evidence.needs[ThresholdTable]}")
    return tables


@figure("roc", ClassificationEvidence, ClassificationColumns)
def plot_roc(evidence: ClassificationEvidence) -> Figure:
    """Draw the ROC curve with thresholds beside it, or several curves on one plane."""
    tables = threshold_tables(evidence)
    only = next(iter(tables.values()))
    return roc_figure(only) if len(tables) == 1 else roc_curves_figure(tables)


@figure("calibration", ClassificationEvidence, ClassificationColumns)
def plot_calibration(
    evidence: ClassificationEvidence, bins: int = BINS, strategy: Strategy = "width"
) -> Figure:
    """Draw how often items of each score are positive, for one classifier or several.

    Bins have the same ``width``, or by ``quantile`` the same number of items.
    """
    tables = threshold_tables(evidence)
    draw = calibration_figure if len(tables) == 1 else calibration_curves_figure
    given: Any = next(iter(tables.values())) if len(tables) == 1 else tables
    return draw(given, bins, strategy)


@figure("thresholds", ClassificationEvidence, ClassificationColumns)
def plot_thresholds(evidence: ClassificationEvidence) -> Figure:
    """Draw the rates at every threshold."""
    return thresholds_figure(only_view(evidence, ThresholdTable))


@figure("densities", ClassificationEvidence, ClassificationColumns)
def plot_densities(evidence: ClassificationEvidence, threshold: float | None = None) -> Figure:
    """Draw how the scores of positive and of negative items are distributed."""
    return densities_figure(only_view(evidence, ThresholdTable), threshold)


def _square(x: str, y: str) -> Plane:
    """Return a plane of two shares, with its diagonal."""
    plane = Plane(Axis(x), Axis(y), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    return plane


def roc_figure(table: ThresholdTable, marks: int = 8) -> Figure:
    """The ROC curve, with some of its thresholds written beside it."""
    points = roc(table)
    plane = _square(FALSE, TRUE)
    across, up = points["FPR"].tolist(), points["TPR"].tolist()
    plane.line(across, up, ACCENT)
    for place in _spaced_points(across, up, marks):
        x, y, threshold = across[place], up[place], points["threshold"][place]
        plane.points([x], [y], ACCENT)
        plane.text(x, y, f"{threshold:.3g}", anchor="start", shift=(7, 7), size=10.5)
    area = float(area_under_roc(table)[0])
    title = f"ROC curve, area {area:.3f}"
    plane.text(0.97, 0.06, f"area {area:.3f}", anchor="end", size=13)
    return plane.figure(title, {"ROC": points})


def roc_curves_figure(tables: Mapping[str, ThresholdTable]) -> Figure:
    """Several ROC curves on one plane, the largest area first in the key."""
    areas = {name: float(area_under_roc(table)[0]) for name, table in tables.items()}
    named = {name: f"{shorten_name(name, 19)}: {area:.3f}" for name, area in areas.items()}
    points = {named[name]: roc(table) for name, table in tables.items()}
    ranked = sorted(areas, key=lambda name: -areas[name])
    plane = _square(FALSE, TRUE)
    draw_lines(plane, points, "FPR", "TPR", key=[named[name] for name in ranked])
    title = "ROC curves; the number is the area below each"
    return plane.figure(title, points)


def roc_plane_figure(methods: Mapping[str, Confusion]) -> Figure:
    """Methods as points of TPR and FPR; one below the diagonal is shown negated as well.

    Near the left edge a yes rules in; near the top a no rules out.
    """
    rates = {
        name: [float(measure(rate)(matrix.by("class"))[0]) for rate in ("FPR", "TPR")]
        for name, matrix in methods.items()
    }
    plane = Plane(Axis(FALSE), Axis(TRUE), width=320, height=320, right=30)
    plane.box((0, 0.1), (0.5, 1), GOOD, 0.12)
    plane.box((0, 0.5), (0.9, 1), ACCENT, 0.12)
    plane.text(0.05, 0.53, "rules in", size=10.5, color=MUTED, anchor="start", shift=(-12, 0))
    plane.text(0.12, 0.92, "rules out", size=10.5, color=MUTED, anchor="start")
    plane.rule((0, 0), (1, 1))
    for number, (name, (across, up)) in enumerate(rates.items()):
        plane.points([across], [up], line_color(number), 5)
        plane.text(across, up, name, anchor="start", shift=(8, 0), font_weight="bold")
        if up < across:
            plane.rule((across, up), (1 - across, 1 - up), stroke=line_color(number))
            plane.points([1 - across], [1 - up], line_color(number), 5, opacity=0.35)
            plane.text(1 - across, 1 - up, f"{name} negated", anchor="start", shift=(8, 0))
    points = {name: {"FPR": [across], "TPR": [up]} for name, (across, up) in rates.items()}
    title = "Methods by their true and false positive rates"
    return plane.figure(title, points)


def _spaced_points(across: list[float], up: list[float], marks: int) -> list[int]:
    """Places spread evenly along a curve, without its ends."""
    steps = np.hypot(np.diff(across), np.diff(up))
    along = np.concatenate(([0.0], np.cumsum(steps)))
    wanted = np.linspace(0, along[-1], marks + 2)[1:-1]
    places = {int(place) for place in np.searchsorted(along, wanted)}
    return sorted(places & set(range(1, len(across) - 1)))


RATES = ("TPR", "FPR", "PPV", "ACC")


def thresholds_figure(table: ThresholdTable, rates: tuple[str, ...] = RATES) -> Figure:
    """How the rates change with the threshold."""
    columns = thresholds(table)
    points = {rate: {"threshold": columns["threshold"], "rate": columns[rate]} for rate in rates}
    plane = Plane(Axis.around("threshold", table.score.tolist()), Axis("rate"))
    draw_lines(plane, points, "threshold", "rate", last=False)
    title = "Rates by threshold; an item is positive at or above it"
    return plane.figure(title, points)


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
    return plane.figure(title, points)


def _draw_densities(
    plane: Plane, points: dict[str, dict[str, np.ndarray]], threshold: float | None
) -> None:
    for name, color, dash in (("negative", BAD, "7 3"), ("positive", ACCENT, None)):
        bars = points[name]
        for low, high, height in zip(bars["from"], bars["to"], bars["density"], strict=True):
            if height > 0:
                plane.box((float(low), float(high)), (0, float(height)), color, 0.22)
        smooth = points[f"{name}, smooth"]
        xs, ys = smooth["score"].tolist(), smooth["density"].tolist()
        plane.line(xs, ys, color, stroke_dasharray=dash)
        top = int(np.argmax(smooth["density"]))
        edge = plane.x.share(xs[top])
        anchor = "start" if edge < 0.15 else "end" if edge > 0.85 else "middle"
        style: dict[str, Any] = {"anchor": anchor, "color": color, "font_weight": "bold"}
        plane.text(xs[top], ys[top], name, shift=(0, -9), **style)
    if threshold is not None:
        high = plane.y.high
        plane.rule((threshold, 0), (threshold, high), stroke=INK, stroke_width=1.6)
        for right, words in ((True, ("TP", "FP")), (False, ("FN", "TN"))):
            side: dict[str, Any] = {"anchor": "start" if right else "end", "size": 10.5}
            side["shift"] = (6 if right else -6, 0)
            plane.text(threshold, high * 0.93, words[0], color=ACCENT, **side)
            plane.text(threshold, high * 0.86, words[1], color=BAD, **side)


def _smooth(score: np.ndarray, weights: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A Gaussian kernel density with Silverman's bandwidth."""
    total = weights.sum()
    if total <= 0:
        return np.zeros(len(at))
    scale = power_of_two(score, at)
    score, at = score / scale, at / scale
    mean = (score * weights).sum() / total
    deviation = np.sqrt((weights * (score - mean) ** 2).sum() / total)
    band = max(1.06 * deviation * total ** (-1 / 5), (at[-1] - at[0]) / 200)
    away = (at[:, None] - score[None, :]) / band
    return (np.exp(-(away**2) / 2) @ weights) / (total * band * np.sqrt(2 * np.pi)) / scale


def in_unit_interval(table: ThresholdTable) -> bool:
    """Whether all scores could be probabilities."""
    return bool(len(table.score) and table.score.min() >= 0 and table.score.max() <= 1)


def calibration_figure(
    table: ThresholdTable, bins: int = BINS, strategy: Strategy = "width"
) -> Figure:
    """The share of positive items among those of about the same score, against their mean score."""
    _refuse_scores(table)
    points = calibration(_forecasts(table), bins=bins, strategy=strategy)
    plane = _square("mean score", "share of positive items")
    count, xs = points["items"].tolist(), points["forecast"].tolist()
    for score, number in zip(xs, count, strict=True) if strategy == "width" else ():
        low = min(math.floor(score * bins), bins - 1) / bins
        height = 0.16 * number / max(count)
        plane.box((low, low + 1 / bins), (0, height), MUTED, 0.35, f"{number:g} items")
    ys = points["came true"].tolist()
    for x, low, high in zip(xs, points["low"].tolist(), points["high"].tolist(), strict=True):
        plane.line([x, x], [low, high], ACCENT, stroke_opacity=0.45)
    plane.line(xs, ys, ACCENT)
    plane.points(xs, ys, ACCENT, 4, [f"{number:g} items" for number in count])
    title = (
        f"Calibration in {bins} bins of the score; on the diagonal, scores are honest."
        " Bars: the number of items"
    )
    return plane.figure(title, {"calibration": points})


def calibration_curves_figure(
    tables: Mapping[str, ThresholdTable], bins: int = BINS, strategy: Strategy = "width"
) -> Figure:
    """Several calibration curves on one plane."""
    for name, table in tables.items():
        _refuse_scores(table, f"{name}: ")
    points = {
        name: calibration(_forecasts(table), bins=bins, strategy=strategy)
        for name, table in tables.items()
    }
    plane = _square("mean score", "share of positive items")
    draw_lines(plane, points, "forecast", "came true", dots=True, key=list(points))
    title = f"Calibration in {bins} bins of the score; on the diagonal, scores are honest"
    return plane.figure(title, points)


def _refuse_scores(table: ThresholdTable, where: str = "") -> None:
    if not in_unit_interval(table):
        raise DataError(
            f"{where}the scores run from {table.score.min():g} to {table.score.max():g}: only"
            " probabilities, from 0 to 1, can be calibrated"
        )


def _forecasts(table: ThresholdTable) -> Probabilities:
    """The items at each distinct score as forecasts of the positive class, by weight."""
    score = np.concatenate((table.score, table.score))
    truth = np.repeat([1, 0], len(table.score))
    weight = np.concatenate((table.positives[0], table.negatives[0]))
    chances = np.stack((1 - score, score), axis=1)
    return Probabilities.of(("negative", "positive"), truth, chances, weight)
