"""Figures of linear regression: the loss by iteration, and predictions against the truth."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assay.evidence.views.value_pairs import ValuePairs
from assay.reports.figures.figure import ACCENT, BAD, MUTED, Axis, Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.value_figures import predicted_figure
from assay.selection.learning_tasks.gradient_descent import EXACT, EXACT_FIT, RegressionFit

MOST_TIMES = 1e3
"""Losses so many times the smallest are cut: a descent that diverges leaves the plane."""

TEST_DASH, EXACT_DASH = "7 4", "2 4"


def regression_fit_figures(result: RegressionFit) -> dict[str, Figure]:
    """Return the loss by iteration, and the predictions of least squares."""
    pairs = ValuePairs.of(result.truth, result.predictions[EXACT])
    items = "test" if "test" in result.losses.columns else "training"
    title = f"Predictions of least squares against actual values of the {items} items"
    return {"loss": _loss(result), "predictions": replace(predicted_figure(pairs), title=title)}


def _loss(result: RegressionFit) -> Figure:
    """Draw the loss on a logarithmic scale: its fall is a straight line."""
    floor, exact = max(result.smallest, 1e-300), _fits_exactly(result)
    steps = result.losses["iteration"].to_numpy().astype(np.float64)
    known = [name for name in result.losses.columns if name != "iteration"]
    lines = {name: result.losses[name].to_numpy() for name in known}
    limits = (floor / MOST_TIMES, floor * MOST_TIMES)
    if exact:  # There is no 0 on a logarithmic scale.
        start = max(float(lines["training"][0]), 1e-300)
        limits = (start * EXACT_FIT, start * MOST_TIMES)
    shown = {name: np.clip(own, *limits) for name, own in lines.items()}
    rule = [] if exact else [floor]
    plane = Plane(
        Axis.around("iteration", steps.tolist(), whole=True),
        Axis.logarithmic("mean squared error", np.concatenate([*shown.values(), rule])),
        width=420,
        right=120,
    )
    for place in range(0, len(steps) if "low" in shown else 0, max(1, len(steps) // 40)):
        low, high = shown["low"][place], shown["high"][place]
        if math.isfinite(low) and math.isfinite(high):
            plane.line([steps[place]] * 2, [low, high], BAD, stroke_width=3, stroke_opacity=0.2)
    for height in rule:
        plane.rule((plane.x.low, height), (plane.x.high, height), stroke_dasharray=EXACT_DASH)
    plane.line(steps, shown["training"], ACCENT)
    test: list[tuple[str, str, str | None]] = []
    if "test" in shown:
        plane.line(steps, shown["test"], BAD, stroke_dasharray=TEST_DASH)
        test.append(("test", BAD, TEST_DASH))
    squares = [] if exact else [("least squares", MUTED, EXACT_DASH)]
    plane.key([("training", ACCENT, None), *test, *squares])
    points = {name: {"iteration": steps, "loss": lines[name]} for name in known[:2]}
    more = "; that of least squares is 0" if exact else ""
    return plane.figure(f"Loss of gradient descent by iteration{more}", points)


def _fits_exactly(result: RegressionFit) -> bool:
    """Return whether least squares leaves no error; at the start of the descent θ is 0."""
    return result.smallest <= EXACT_FIT * float(result.losses["training"][0])
