"""ROC curves of one classifier or several, and methods as points of the ROC plane."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.errors import NeedsInput, UsageError
from assay.core.names import measure
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.areas import area_under_roc
from assay.measures.scores.curves import roc
from assay.reports.figures.figure import ACCENT, BAD, GOOD, MUTED, PAPER, Axis, Figure, figure
from assay.reports.figures.key_names import key_names
from assay.reports.figures.lines_and_labels import (
    MOST_DOTS,
    PointLabel,
    class_style,
    draw_lines,
    line_color,
    place_labels,
)
from assay.reports.figures.plane import Plane, shorten_name
from assay.reports.figures.score_figures import (
    FALSE,
    TRUE,
    require_finite_threshold,
    square,
    threshold_tables,
)
from assay.reports.text.confusion_text import round_share
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.method_counts import read_methods
from assay.tasks.classification.unknown_negatives import NOT_GIVEN

NAME_WIDTH = 0.27
"""How much of the plane the name of a region takes."""
MARKS = 8
"""So many thresholds are written beside a curve, unless all are asked for."""


@figure("roc", ClassificationEvidence, ClassificationColumns)
def plot_roc(
    evidence: ClassificationEvidence,
    every_threshold: bool = False,
    threshold: float | None = None,
    shade: bool = False,
) -> Figure:
    """Draw the ROC curve with thresholds beside it, or several curves on one plane.

    Of one curve, ``every_threshold`` writes the threshold of every step that has room,
    ``threshold`` marks the chosen one, and ``shade`` colors the area.
    """
    tables = threshold_tables(evidence)
    require_finite_threshold(threshold)
    if len(tables) == 1:
        only = next(iter(tables.values()))
        return roc_figure(only, None if every_threshold else MARKS, threshold, shade)
    if every_threshold or shade or threshold is not None:
        raise UsageError(
            f"thresholds and the area are shown of one curve, found {len(tables)}:"
            f" {', '.join(tables)}"
        )
    return roc_curves_figure(tables)


def roc_figure(
    table: ThresholdTable,
    marks: int | None = MARKS,
    threshold: float | None = None,
    shade: bool = False,
) -> Figure:
    """The ROC curve, with some of its thresholds or all written beside it."""
    points = roc(table)
    plane = square(FALSE, TRUE)
    across, up = points["FPR"].tolist(), points["TPR"].tolist()
    if shade:
        plane.area([*across, 1.0], [*up, 0.0], ACCENT, 0.16)
    plane.line(across, up, ACCENT)
    every = range(1, len(across))
    shown = list(every) if marks is None else _spaced_points(across, up, marks)
    chosen = None if threshold is None else _place_of(points["threshold"], threshold)
    beside = {n: PointLabel(across[n], up[n], f"{points['threshold'][n]:.3g}") for n in shown}
    if chosen is not None:
        x, y = across[chosen], up[chosen]
        mark = f"{threshold:g}: FPR {round_share(x, 2)}, TPR {round_share(y, 2)}"
        style = {"color": BAD, "font_weight": "bold"}
        beside = {chosen: PointLabel(x, y, mark, style)} | {
            n: each for n, each in beside.items() if n != chosen
        }
    labels = list(beside.values())
    size = 10.5 if marks else 9.5
    written = place_labels(plane, labels, size, [*zip(across, up, strict=True)])
    dots = labels if len(labels) <= MOST_DOTS else [labels[n] for n in written]
    for each in dots:  # Of many steps those with their threshold: dots that touch hide the curve.
        plane.points([each.x], [each.y], ACCENT, titles=[each.words])
    if chosen is not None:
        plane.points([across[chosen]], [up[chosen]], BAD, 6)
    area = float(area_under_roc(table)[0])
    title = f"ROC curve, area {area:.3f}"
    plane.text(0.97, 0.06, f"area {area:.3f}", anchor="end", size=13)
    series = {"ROC": points}
    if chosen is not None:
        title += f"; threshold {threshold:g}"
        series["chosen"] = {name: column[[chosen]] for name, column in points.items()}
    if len(written) < len(labels):
        title += f"; thresholds at {len(written)} of {len(labels)} steps, where there is room"
    return plane.figure(title, series)


def _place_of(thresholds: np.ndarray, chosen: float) -> int:
    """Return the step at which all items at or above the chosen threshold are positive."""
    return int(np.flatnonzero(thresholds >= chosen)[-1])


def roc_curves_figure(tables: Mapping[str, ThresholdTable]) -> Figure:
    """Several ROC curves on one plane, the largest area first in the key."""
    areas = {name: float(area_under_roc(table)[0]) for name, table in tables.items()}
    named = key_names({name: f": AUC {area:.3f}" for name, area in areas.items()})
    points = {named[name]: roc(table) for name, table in tables.items()}
    ranked = sorted(areas, key=lambda name: -areas[name])
    plane = square(FALSE, TRUE)
    draw_lines(plane, points, "FPR", "TPR", key=[named[name] for name in ranked])
    title = "ROC curves; AUC is the area below each"
    return plane.figure(title, {name: points[named[name]] for name in tables})


@figure("methods")
def plot_methods(data: Any) -> Figure:
    """Draw methods in the ROC plane, from a table of method, tp, fp, fn and tn."""
    return roc_plane_figure(read_methods(data))


def roc_plane_figure(methods: Mapping[str, Confusion]) -> Figure:
    """Methods as points of TPR and FPR; one below the diagonal is shown negated as well.

    Specificity is high near the left edge, sensitivity near the top: what a yes or a no is worth
    also depends on the prevalence.
    """
    if unknown := [name for name, matrix in methods.items() if matrix.lacks_negatives]:
        raise NeedsInput(f"{NOT_GIVEN} for {unknown[0]}: its false positive rate is not known")
    rates = {
        name: [float(measure(rate)(matrix.by("class"))[0]) for rate in ("FPR", "TPR")]
        for name, matrix in methods.items()
    }
    plane = Plane(Axis(FALSE), Axis(TRUE), width=320, height=320, right=30)
    plane.box((0, 0.1), (0.5, 1), GOOD, 0.12)
    plane.box((0, 0.5), (0.9, 1), ACCENT, 0.12)
    plane.rule((0, 0), (1, 1))
    regions = _name_regions(plane, list(rates.values()))
    labels, styles = [], []
    for number, (name, (across, up)) in enumerate(rates.items()):
        styles.append(class_style(number))
        look = styles[-1]
        plane.points([across], [up], radius=5, color=look["fill"], **look)
        labels.append(PointLabel(across, up, name))
        if up < across:
            plane.rule((across, up), (1 - across, 1 - up), stroke=line_color(number))
            ring: dict[str, Any] = {"stroke": line_color(number), "stroke_width": 1.6}
            plane.points([1 - across], [1 - up], PAPER, 4.4, **ring)
            labels.append(PointLabel(1 - across, 1 - up, f"{name} negated"))
    written = {labels[n].words for n in place_labels(plane, labels, 11.5, regions)}
    without = [
        (name, look) for name, look in zip(rates, styles, strict=True) if name not in written
    ]
    plane.key_marks([(shorten_name(name), look) for name, look in without])
    points = {name: {"FPR": [across], "TPR": [up]} for name, (across, up) in rates.items()}
    title = (
        "Methods by their true and false positive rates; what a yes or a no is worth depends on the"
        " prevalence, too"
    )
    return plane.figure(title, points)


def _name_regions(plane: Plane, dots: list[list[float]]) -> list[tuple[float, float]]:
    """Name the regions near the left and the top edge; return lines through both names.

    Each name has the first place without a method nearby.
    """
    taken = []
    for words, places in (
        ("high specificity", [(0.012, up) for up in (0.53, 0.58, 0.63, 0.68, 0.73, 0.78, 0.83)]),
        ("high sensitivity", [(x, 0.92) for x in (0.12, 0.17, 0.22, 0.27, 0.32)]),
    ):
        x, y = max(places, key=lambda at: min(1.0, *(_clearance(at, dot) for dot in dots)))
        plane.text(x, y, words, size=10.5, color=MUTED, anchor="start")
        taken += [(x, y), (x + NAME_WIDTH, y), (math.nan, math.nan)]
    return taken


def _clearance(name: tuple[float, float], dot: list[float]) -> float:
    """Return how far a method is from the name of a region, 1 where there is room between."""
    beside = max(name[0] - dot[0], dot[0] - name[0] - NAME_WIDTH, 0.0)
    apart = max(beside, abs(name[1] - dot[1]))
    return 1.0 if apart >= 0.05 else apart


def _spaced_points(across: list[float], up: list[float], marks: int) -> list[int]:
    """Places spread evenly along a curve, without its ends."""
    steps = np.hypot(np.diff(across), np.diff(up))
    along = np.concatenate(([0.0], np.cumsum(steps)))
    wanted = np.linspace(0, along[-1], marks + 2)[1:-1]
    places = {int(place) for place in np.searchsorted(along, wanted)}
    return sorted(places & set(range(1, len(across) - 1)))
