"""Calibration: whether what scores 0.8 is positive eight times in ten."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import ratio
from assay.core.errors import DataError
from assay.evidence.thresholds import ThresholdTable
from assay.reports.figures.axis import Axis
from assay.reports.figures.colours import ACCENT, MUTED
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane

BINS = 10


def are_probabilities(table: ThresholdTable) -> bool:
    """Whether all scores could be probabilities."""
    return bool(len(table.score) and table.score.min() >= 0 and table.score.max() <= 1)


def calibration_figure(table: ThresholdTable, bins: int = BINS) -> Figure:
    """The share of positive items among those of about the same score, against their mean score."""
    if not are_probabilities(table):
        raise DataError(
            f"the scores run from {table.score.min():g} to {table.score.max():g}: only"
            " probabilities, from 0 to 1, can be calibrated"
        )
    items = table.positives[0] + table.negatives[0]
    place = np.minimum((table.score * bins).astype(np.int64), bins - 1)
    count, positive, total = (
        np.bincount(place, weights=weights, minlength=bins)
        for weights in (items, table.positives[0], items * table.score)
    )
    points = {"score": ratio(total, count), "positive": ratio(positive, count), "items": count}
    plane = Plane(Axis("mean score"), Axis("share of positive items"), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    highest = count.max()
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        plane.box(
            (low, high),
            (0, 0.16 * count[number] / highest),
            MUTED,
            0.35,
            f"{count[number]:g} items score {low:g} to {high:g}",
        )
    filled = count > 0
    xs, ys = points["score"][filled].tolist(), points["positive"][filled].tolist()
    plane.line(xs, ys, ACCENT)
    plane.points(xs, ys, ACCENT, 4, [f"{n:g} items" for n in count[filled].tolist()])
    plane.text(0.03, 0.19, "number of items", colour=MUTED, anchor="start", size=10.5)
    title = f"Calibration in {bins} bins of the score; on the diagonal, scores are honest"
    return Figure(title, plane.svg(title), {"calibration": points})
