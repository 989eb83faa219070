"""Residuals: what is left of the truth when the prediction is taken away."""

from __future__ import annotations

import numpy as np

from assay.evidence.views.value_pairs import ValuePairs
from assay.reports.figures.axis import Axis
from assay.reports.figures.colors import ACCENT
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane

MOST = 3000
"""More points than these would only blacken the plane."""


def sample_evenly(count: int, most: int = MOST) -> np.ndarray:
    """Places spread evenly over so many items: all of them, or as many as are drawn."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


def residuals_figure(pairs: ValuePairs) -> Figure:
    """Truth minus prediction, against the prediction."""
    chosen = sample_evenly(len(pairs.truth))
    predicted = pairs.predicted[chosen]
    residual = pairs.truth[chosen] - predicted
    names = [pairs.items[n] for n in chosen.tolist()]
    points = {"item": names, "predicted": predicted, "residual": residual}
    y = Axis.around("truth − prediction", residual.tolist(), zero=True)
    plane = Plane(Axis.around("prediction", predicted.tolist()), y, width=440)
    plane.rule((plane.x.low, 0), (plane.x.high, 0))
    titles = [f"{name}: {left:+.4g}" for name, left in zip(names, residual.tolist(), strict=True)]
    opacity = 0.7 if len(names) < 400 else 0.35
    plane.points(predicted.tolist(), residual.tolist(), ACCENT, 3, titles, opacity)
    title = "Residuals by prediction; above the line the prediction is too low"
    return Figure(title, plane.svg(title), {"residuals": points})


def predicted_figure(pairs: ValuePairs) -> Figure:
    """The prediction against the truth."""
    chosen = sample_evenly(len(pairs.truth))
    truth, predicted = pairs.truth[chosen], pairs.predicted[chosen]
    both = [*truth.tolist(), *predicted.tolist()]
    x, y = Axis.around("truth", both), Axis.around("prediction", both)
    plane = Plane(x, y, width=320, height=320)
    plane.rule((x.low, x.low), (x.high, x.high))
    opacity = 0.7 if len(truth) < 400 else 0.35
    plane.points(truth.tolist(), predicted.tolist(), ACCENT, 3, None, opacity)
    title = "Predictions against the truth"
    points = {"values": {"truth": truth, "predicted": predicted}}
    return Figure(title, plane.svg(title), points)
