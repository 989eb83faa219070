"""Figures of scores: rates by threshold and calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.errors import DataError, NeedsInput, UsageError
from assay.core.phrases import quantity
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.probabilities.calibration import Strategy, bin_numbers, calibration
from assay.measures.probabilities.calibration_line import calibration_line
from assay.measures.scores.curves import thresholds
from assay.reports.figures.figure import (
    ACCENT,
    MUTED,
    Axis,
    Figure,
    figure,
    only_view,
)
from assay.reports.figures.lines_and_labels import draw_lines
from assay.reports.figures.plane import Plane
from assay.reports.figures.themes import INTERVAL
from assay.reports.text.table_text import p_value_sentence
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


def require_finite_threshold(threshold: float | None) -> None:
    """Refuse a threshold that has no place on an axis."""
    if threshold is not None and not math.isfinite(threshold):
        raise UsageError(f"`threshold` is {threshold:g}; a figure needs a finite number")


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


def square(x: str, y: str) -> Plane:
    """Return a plane of two shares, with its diagonal."""
    plane = Plane(Axis(x), Axis(y), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    return plane


RATES = ("TPR", "FPR", "PPV", "ACC")


def thresholds_figure(table: ThresholdTable, rates: tuple[str, ...] = RATES) -> Figure:
    """How the rates change with the threshold."""
    columns = thresholds(table)
    points = {rate: {"threshold": columns["threshold"], "rate": columns[rate]} for rate in rates}
    plane = Plane(Axis.around("threshold", table.score.tolist()), Axis("rate"))
    draw_lines(plane, rate_steps(points), "threshold", "rate", key=list(points))
    title = "Rates by threshold; an item is positive at or above it"
    return plane.figure(title, points)


def rate_steps(points: Mapping[str, Mapping[str, Floats]]) -> dict[str, dict[str, Floats]]:
    """Return the corners of rates at thresholds in falling order.

    From one score down to the next, every threshold decides as the upper score does.
    """
    return {
        rate: {
            "threshold": np.repeat(each["threshold"], 2)[1:],
            "rate": np.repeat(each["rate"], 2)[:-1],
        }
        for rate, each in points.items()
    }


def in_unit_interval(table: ThresholdTable) -> bool:
    """Whether all scores could be probabilities."""
    return bool(len(table.score) and table.score.min() >= 0 and table.score.max() <= 1)


def calibration_figure(
    table: ThresholdTable, bins: int = BINS, strategy: Strategy = "width"
) -> Figure:
    """The share of positive items among those of about the same score, against their mean score."""
    _refuse_scores(table)
    forecasts = _forecasts(table, strategy)
    points = calibration(forecasts, bins=bins, strategy=strategy)
    line = calibration_line(forecasts)
    plane = square("mean score", "share of positive items")
    count, xs = points["items"].tolist(), points["forecast"].tolist()
    filled = forecasts.probability[forecasts.weight[0] > 0, 1]
    places = np.unique(bin_numbers(filled, bins, strategy)).tolist()
    for place, number in zip(places, count, strict=True) if strategy == "width" else ():
        low = place / bins
        height = 0.16 * number / max(count)
        plane.box((low, low + 1 / bins), (0, height), MUTED, 0.35, f"{number:g} items")
    ys = points["came true"].tolist()
    for x, low, high in zip(xs, points["low"].tolist(), points["high"].tolist(), strict=True):
        plane.line([x, x], [low, high], ACCENT, **INTERVAL)
    plane.line(xs, ys, ACCENT)
    plane.points(xs, ys, ACCENT, 4, [f"{number:g} items" for number in count])
    said = [f"Calibration in {bins} bins of the score; on the diagonal, scores are calibrated"]
    if strategy == "width":
        said.append(f"Bars: the number of items, at most {max(count):g}")
    if text := _line_text(line):
        said.append("Log-odds: {}, where 1 and 0 are expected ({})".format(*text))
    return plane.figure(". ".join(said), {"calibration": points, "calibration line": line})


def _line_text(line: Columns) -> tuple[str, str] | None:
    """Return slope and intercept with their intervals, and the p-value, as words of a caption."""
    if np.isnan(line["value"]).any():
        return None
    named = zip(line["coefficient"], line["value"], line["low"], line["high"], strict=True)
    said = [f"{name} {value:.2f} [{low:.2f}, {high:.2f}]" for name, value, low, high in named]
    clipped = int(line["clipped"][0])
    moved = f"; {quantity(clipped, 'score')} moved to 1e-15 from 0 or 1" if clipped else ""
    return f"{said[1]} and {said[0]}", p_value_sentence(float(line["p"][0])) + moved


def calibration_curves_figure(
    tables: Mapping[str, ThresholdTable], bins: int = BINS, strategy: Strategy = "width"
) -> Figure:
    """Several calibration curves on one plane."""
    for name, table in tables.items():
        _refuse_scores(table, f"{name}: ")
    forecasts = {name: _forecasts(table, strategy) for name, table in tables.items()}
    points = {
        name: calibration(each, bins=bins, strategy=strategy) for name, each in forecasts.items()
    }
    plane = square("mean score", "share of positive items")
    draw_lines(plane, points, "forecast", "came true", dots=True, key=list(points))
    said = [f"Calibration in {bins} bins of the score; on the diagonal, scores are calibrated"]
    lines = {name: calibration_line(each) for name, each in forecasts.items()}
    texts = {name: _line_text(each) for name, each in lines.items()}
    fits = "; ".join("{}: {} ({})".format(name, *text) for name, text in texts.items() if text)
    said += [f"Log-odds, where 1 and 0 are expected: {fits}"] * bool(fits)
    fitted = {f"calibration line of {name}": each for name, each in lines.items()}
    return plane.figure(". ".join(said), {**points, **fitted})


def _refuse_scores(table: ThresholdTable, where: str = "") -> None:
    if not in_unit_interval(table):
        raise DataError(
            f"{where}the scores run from {table.score.min():g} to {table.score.max():g}: only"
            " probabilities, from 0 to 1, can be calibrated"
        )


def _forecasts(table: ThresholdTable, strategy: Strategy) -> Probabilities:
    """The items at each distinct score as forecasts of the positive class, by weight.

    Bins with the same number of items need each item, unless items have weights.
    """
    score = np.concatenate((table.score, table.score))
    truth = np.repeat([1, 0], len(table.score))
    weight = np.concatenate((table.positives[0], table.negatives[0]))
    if strategy == "quantile" and (weight % 1 == 0).all():
        times = weight.astype(np.int64)
        score, truth, weight = score.repeat(times), truth.repeat(times), np.ones(times.sum())
    chances = np.stack((1 - score, score), axis=1)
    return Probabilities.of(("negative", "positive"), truth, chances, weight)
