"""Figures of numbers: residuals, predictions, two orders of the same items, values of units."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats
from assay.engine.result import Result
from assay.evidence.views.order_pairs import OrderPairs, mid_ranks
from assay.evidence.views.value_pairs import ValuePairs
from assay.reports.figures.figure import (
    ACCENT,
    BAD,
    GOOD,
    MUTED,
    Axis,
    Figure,
    figure,
    system_view,
    text_width,
)
from assay.reports.figures.panels import draw_panels
from assay.reports.figures.plane import Plane, shorten_name
from assay.tasks.correlation.correlation_evidence import CorrelationEvidence, OrderColumns
from assay.tasks.regression.predictions import RegressionColumns
from assay.tasks.regression.regression import RegressionEvidence

MOST = 3000
"""More points than these would only blacken the plane."""


RESIDUALS = "Residuals by predicted value; above the line the prediction is too low"


def sample_evenly(count: int, most: int = MOST) -> np.ndarray:
    """Places spread evenly over so many items: all of them, or as many as are drawn."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


@figure("residuals", RegressionEvidence, RegressionColumns)
def plot_residuals(evidence: RegressionEvidence) -> Figure:
    """Draw the residuals against the predicted values.

    Several systems have a panel each, on the same axes.
    """
    pairs = {name: system_view(evidence, name, ValuePairs) for name in evidence.systems}
    axes = residual_axes(list(pairs.values()))
    return draw_panels(
        RESIDUALS, evidence.systems, lambda name: residuals_figure(pairs[name], axes)
    )


@figure("orders", CorrelationEvidence, OrderColumns)
def plot_orders(evidence: CorrelationEvidence) -> Figure:
    """Draw two orders of the same items side by side."""
    return orders_figure(evidence.pairs, evidence.orders)


def residual_axes(systems: Sequence[ValuePairs]) -> tuple[Axis, Axis]:
    """Return axes on which the residuals of all systems find room."""
    predicted, residuals = [], []
    for pairs in systems:
        chosen = sample_evenly(len(pairs.truth))
        predicted += pairs.predicted[chosen].tolist()
        residuals += (pairs.truth[chosen] - pairs.predicted[chosen]).tolist()
    across = Axis.around("predicted", predicted)
    return across, Axis.around("actual − predicted", residuals, zero=True)


def residuals_figure(pairs: ValuePairs, axes: tuple[Axis, Axis] | None = None) -> Figure:
    """The actual minus the predicted value, against the predicted one."""
    chosen = sample_evenly(len(pairs.truth))
    predicted = pairs.predicted[chosen]
    residual = pairs.truth[chosen] - predicted
    names = [pairs.items[n] for n in chosen.tolist()]
    points = {"item": names, "predicted": predicted, "residual": residual}
    plane = Plane(*(axes or residual_axes([pairs])), width=440)
    plane.rule((plane.x.low, 0), (plane.x.high, 0))
    titles = [f"{name}: {left:+.4g}" for name, left in zip(names, residual.tolist(), strict=True)]
    opacity = 0.7 if len(names) < 400 else 0.35
    plane.points(predicted.tolist(), residual.tolist(), ACCENT, 3, titles, opacity)
    title = RESIDUALS
    return plane.figure(title, {"residuals": points})


def predicted_figure(pairs: ValuePairs) -> Figure:
    """The predicted against the actual value."""
    chosen = sample_evenly(len(pairs.truth))
    truth, predicted = pairs.truth[chosen], pairs.predicted[chosen]
    both = [*truth.tolist(), *predicted.tolist()]
    x, y = Axis.around("actual", both), Axis.around("predicted", both)
    plane = Plane(x, y, width=320, height=320)
    plane.rule((x.low, x.low), (x.high, x.high))
    opacity = 0.7 if len(truth) < 400 else 0.35
    plane.points(truth.tolist(), predicted.tolist(), ACCENT, 3, None, opacity)
    title = "Predicted against actual values"
    points = {"values": {"truth": truth, "predicted": predicted}}
    return plane.figure(title, points)


MOST_NAMES = 40
"""Of more items the ranks are drawn as points, for their names would find no room."""
MOST_POINTS = 3000


def item_ranks(pairs: OrderPairs) -> tuple[Floats, Floats]:
    """The rank of each item of the only group in both orders, from 1 for the highest number."""
    ones = np.ones((1, len(pairs.first)))
    return mid_ranks(-pairs.first, ones)[0], mid_ranks(-pairs.second, ones)[0]


def orders_figure(pairs: OrderPairs, names: tuple[str, str]) -> Figure:
    """A line for each item from its rank in one order to its rank in the other."""
    first, second = item_ranks(pairs)
    title = f"Ranks by {names[0]} and by {names[1]}"
    points = {"ranks": {"item": pairs.names, "first": first, "second": second}}
    draw = _slopes if len(first) <= MOST_NAMES else _scatter
    return draw(pairs, first, second, names).figure(title, points, grid=draw is _scatter)


def _slopes(pairs: OrderPairs, first: Floats, second: Floats, names: tuple[str, str]) -> Plane:
    shown = [shorten_name(name) for name in pairs.names]
    heads = 1.15 * max(text_width(shorten_name(name)) for name in names)
    room = math.ceil(max(40 + max(map(text_width, shown)), 8 + heads))
    count = len(shown)
    x, y = Axis("", 0, 1, ("",)), Axis("", count + 0.5, 0.5, ("",))
    plane = Plane(x, y, 220, max(17 * count, 60), room, room)
    plane.top, plane.bottom = 34, 14
    # Tied items share a rank but not a line, so that both names can be read.
    left, right = (_places(each, pairs.names) for each in (first, second))
    for n, name in enumerate(shown):
        moved = first[n] - second[n]
        color = MUTED if moved == 0 else GOOD if moved > 0 else BAD
        plane.line([0, 1], [left[n], right[n]], color, stroke_width=1.8)
        plane.text(0, left[n], f"{name}  {first[n]:g}", anchor="end", shift=(-6, 0))
        plane.text(1, right[n], f"{second[n]:g}  {name}", anchor="start", shift=(6, 0))
    for place, name in enumerate(names):
        anchor = "start" if place else "end"
        plane.text(
            place, 0.5, shorten_name(name), anchor=anchor, shift=(0, -16), font_weight="bold"
        )
    return plane


def _places(ranks: Floats, names: Sequence[str]) -> list[int]:
    places = [0] * len(names)
    for place, n in enumerate(sorted(range(len(names)), key=lambda n: (ranks[n], names[n])), 1):
        places[n] = place
    return places


def _scatter(pairs: OrderPairs, first: Floats, second: Floats, names: tuple[str, str]) -> Plane:
    high = len(first) + 1
    ticks = Axis("", 0, high, whole=True).ticks()[1:]
    marks = ((1.0, "1"), *((n, words) for n, words in ticks if n < high))
    x, y = (Axis(f"rank by {shorten_name(name)}", high, 0, marks=marks) for name in names)
    plane = Plane(x, y, 320, 320)
    plane.rule((0, 0), (high, high))
    step = max(1, len(first) // MOST_POINTS)
    said = [
        f"{n}: {a:g}, {b:g}"
        for n, a, b in zip(pairs.names[::step], first[::step], second[::step], strict=True)
    ]
    plane.points(first[::step].tolist(), second[::step].tolist(), ACCENT, 3, said, 0.6)
    return plane


def units_figure(result: Result) -> Figure:
    """The value of a measure in each unit, from the lowest to the highest."""
    defined = result.values[~np.isnan(result.values)]
    ordered = np.sort(defined).tolist()
    kind = {"query": "queries"}.get(result.unit_kind, f"{result.unit_kind}s")
    x = Axis(f"{kind}, from the lowest to the highest", 0, max(len(ordered), 1), whole=True)
    plane = Plane(x, Axis.around(result.measure, [*ordered, 1], zero=True), width=460)
    for place, value in enumerate(ordered):
        plane.box((place, place + 0.9), (0, value), ACCENT if value >= 0 else BAD, 0.8)
    plane.rule((0, result.value), (len(ordered), result.value))
    plane.text(0, result.value, f"mean {result.value:.3f}", anchor="start", shift=(6, -9))
    title = f"{result.measure} in each {result.unit_kind}, mean {result.value:.3f}"
    return plane.figure(title, {result.measure: {"value": ordered}})
