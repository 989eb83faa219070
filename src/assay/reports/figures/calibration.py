"""Calibration: whether what scores 0.8 is positive eight times in ten."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from assay.core.errors import DataError
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.probabilities.calibration import calibration
from assay.reports.figures.axis import Axis
from assay.reports.figures.colors import ACCENT, MUTED
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.system_lines import draw_lines

BINS = 10


def in_unit_interval(table: ThresholdTable) -> bool:
    """Whether all scores could be probabilities."""
    return bool(len(table.score) and table.score.min() >= 0 and table.score.max() <= 1)


def calibration_figure(table: ThresholdTable, bins: int = BINS) -> Figure:
    """The share of positive items among those of about the same score, against their mean score."""
    _refuse_scores(table)
    points = calibration(_forecasts(table), bins=bins)
    plane = Plane(Axis("mean score"), Axis("share of positive items"), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    count, xs = points["items"].tolist(), points["forecast"].tolist()
    for score, number in zip(xs, count, strict=True):
        low = min(math.floor(score * bins), bins - 1) / bins
        height = 0.16 * number / max(count)
        plane.box((low, low + 1 / bins), (0, height), MUTED, 0.35, f"{number:g} items")
    ys = points["came true"].tolist()
    plane.line(xs, ys, ACCENT)
    plane.points(xs, ys, ACCENT, 4, [f"{number:g} items" for number in count])
    title = (
        f"Calibration in {bins} bins of the score; on the diagonal, scores are honest."
        " Bars: the number of items"
    )
    return Figure(title, plane.svg(title), {"calibration": points})


def calibration_curves_figure(tables: Mapping[str, ThresholdTable], bins: int = BINS) -> Figure:
    """Several calibration curves on one plane."""
    for name, table in tables.items():
        _refuse_scores(table, f"{name}: ")
    points = {name: calibration(_forecasts(table), bins=bins) for name, table in tables.items()}
    plane = Plane(Axis("mean score"), Axis("share of positive items"), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    draw_lines(plane, points, "forecast", "came true", dots=True, key=list(points))
    title = f"Calibration in {bins} bins of the score; on the diagonal, scores are honest"
    return Figure(title, plane.svg(title), points)


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
