"""Figures of density estimation: histograms side by side, fitted models, likelihood, PIT."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.reports.figures.figure import ACCENT, BAD, MUTED, Axis, Figure
from assay.reports.figures.lines_and_labels import draw_lines, line_color
from assay.reports.figures.plane import Plane
from assay.reports.figures.series_figures import class_points
from assay.selection.learning_tasks.densities import DensityEstimates

GRID = 240
PIT_BINS = 10
MOST_MODELS = 5


def density_figures(result: DensityEstimates) -> dict[str, Figure]:
    """Return the histograms, the models over them, the likelihood by bins, and the PIT."""
    if result.training.shape[1] > 1:
        places = result.held_out[:, :2]
        title = f"Held-out items by {' and '.join(result.names[:2])}"
        names = (result.names[0], result.names[1])
        return {"items": class_points(places, [None] * len(places), title, names),
                "likelihood": _likelihood(result)}  # fmt: skip
    if result.discrete:
        return {"models": _masses(result), "pit": _pit(result)}
    few, many = sorted(result.shown_bins)
    return {
        "models": _models(result),
        "few-bins": _histogram(result, few, (few, many)),
        "many-bins": _histogram(result, many, (few, many)),
        "likelihood": _likelihood(result),
        "pit": _pit(result),
    }


def _bars(plane: Plane, edges: Floats, heights: Floats, opacity: float) -> None:
    for left, right, height in zip(edges[:-1], edges[1:], heights, strict=True):
        if height > 0:
            plane.box((left, right), (0, min(height, plane.y.high)), ACCENT, opacity)


def _histogram(result: DensityEstimates, bins: int, beside: Iterable[int]) -> Figure:
    """Draw a histogram on the axes of those with other numbers of bins that stand beside it."""
    own = result.training[:, 0]
    heights, edges = np.histogram(own, bins=bins, density=True)
    tops = [float(np.histogram(own, bins=each, density=True)[0].max()) for each in beside]
    name = result.names[0]
    plane = Plane(
        Axis.around(name, edges.tolist()),
        Axis.around("density", tops, zero=True),
        width=270,  # two beside each other fit on a printed page
        height=210,
    )
    _bars(plane, edges, heights, 0.55)
    points = {"histogram": {"edges": edges, "density": heights}}
    return plane.figure(f"Histogram of {name} with {bins} bins", points, grid=False)


def _ranked(result: DensityEstimates) -> list[str]:
    return [each.system for each in result.scores.best_first("LogLik")][:MOST_MODELS]


def _models(result: DensityEstimates) -> Figure:
    """Draw the best models over a histogram of all numbers."""
    every = np.concatenate([result.training, result.held_out])
    heights, edges = np.histogram(every[:, 0], bins=min(40, max(5, len(every) // 10)), density=True)
    places = np.linspace(edges[0], edges[-1], GRID)
    lines = {
        name: {"x": places, "density": result.models[name].density(places[:, None])}
        for name in _ranked(result)
    }
    top = 1.35 * float(heights.max())
    plane = Plane(
        Axis.around(result.names[0], edges.tolist()), Axis.around("density", [0, top]), width=420
    )
    _bars(plane, edges, heights, 0.2)
    for line in lines.values():
        line["density"] = np.where(line["density"] > plane.y.high, np.nan, line["density"])
    draw_lines(plane, lines, "x", "density", key=list(lines))
    return plane.figure(f"Densities of {result.names[0]}, the most likely models first", lines)


def _masses(result: DensityEstimates) -> Figure:
    """Draw the shares of whole numbers, and the models as points."""
    every = np.concatenate([result.training, result.held_out])[:, 0].astype(np.int64)
    shares = np.bincount(every) / len(every)
    places = np.arange(len(shares), dtype=np.float64)
    lines = {
        name: {"x": places, "mass": result.models[name].density(places[:, None])}
        for name in _ranked(result)
    }
    top = max(float(shares.max()), *(float(each["mass"].max()) for each in lines.values()))
    plane = Plane(
        Axis(result.names[0], -0.5, len(shares) - 0.5, whole=True),
        Axis.around("probability", [0, top]),
        width=420,
    )
    for place, share in enumerate(shares.tolist()):
        plane.box((place - 0.4, place + 0.4), (0, share), ACCENT, 0.25)
    draw_lines(plane, lines, "x", "mass", dots=True, key=list(lines))
    return plane.figure(
        f"Probability of each value of {result.names[0]}, the most likely models first", lines
    )


def _likelihood(result: DensityEstimates) -> Figure:
    """Draw the likelihood of training and of held-out items against the number of bins."""
    lines = {
        words: {"bins": result.bins["bins"].to_list(), "value": result.bins[column]}
        for words, column in (("training", "training"), ("held out", "held_out"))
    }
    every = [end for name in ("training", "held_out", "low", "high") for end in result.bins[name]]
    plane = Plane(
        Axis.logarithmic("bins", result.bins["bins"]),
        Axis.around("mean log-likelihood", every),
    )
    for bins, low, high in result.bins.select("bins", "low", "high").iter_rows():
        if np.isfinite(low):
            plane.line([bins] * 2, [low, high], line_color(1), stroke_width=1.4, stroke_opacity=0.6)
    draw_lines(plane, lines, "bins", "value", dots=True, key=list(lines))
    return plane.figure("Log-likelihood of histograms by the number of bins", lines)


def _pit(result: DensityEstimates) -> Figure:
    """Draw the transforms of held-out numbers under the best model; flat is right."""
    name = next(each for each in _ranked(result) if each in result.transforms)
    values = result.transforms[name]
    counts, edges = np.histogram(values, bins=PIT_BINS, range=(0, 1))
    expected, title = len(values) / PIT_BINS, f"PIT under {name}: flat where the model is right"
    top = max(float(counts.max()), expected)
    band = None
    if result.confidence is not None:
        from scipy.stats import binom

        band = binom.interval(result.confidence, len(values), 1 / PIT_BINS)
        top = max(top, float(band[1]))
        title += f", {100 * result.confidence:g} % of the bars within the band"
    plane = Plane(Axis("P(X ≤ x)"), Axis.around("held-out items", [0, top]), 320, 240)
    _bars(plane, edges, counts.astype(np.float64), 0.55)
    # The band as its two ends: filled, it would give each bar a second tone.
    for end in band or ():
        plane.line([0, 1], [float(end)] * 2, MUTED)
    plane.line([0, 1], [expected, expected], BAD, stroke_dasharray="4 3")
    points: dict[str, Any] = {name: {"edges": edges, "count": counts}}
    if band is not None:
        points["band"] = {"low": [float(band[0])], "high": [float(band[1])]}
    return plane.figure(title, points)
