"""The ROC curve with its thresholds, and the plane in which methods stand as points."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.core.names import measure
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.curves import roc
from assay.measures.scores.roc_auc import area_under_roc
from assay.reports.figures.axis import Axis
from assay.reports.figures.colors import ACCENT, GOOD, MUTED, line_color
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.system_lines import draw_lines, shorten_name

FALSE, TRUE = "false positive rate (FPR)", "true positive rate (TPR)"


def roc_figure(table: ThresholdTable, marks: int = 8) -> Figure:
    """The ROC curve, with some of its thresholds written beside it."""
    points = roc(table)
    plane = Plane(Axis(FALSE), Axis(TRUE), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    across, up = points["FPR"].tolist(), points["TPR"].tolist()
    plane.line(across, up, ACCENT)
    for place in _spaced_points(across, up, marks):
        plane.points([across[place]], [up[place]], ACCENT)
        plane.text(
            across[place],
            up[place],
            f"{points['threshold'][place]:.3g}",
            anchor="start",
            shift=(7, 7),
            size=10.5,
        )
    area = float(area_under_roc(table)[0])
    title = f"ROC curve, area {area:.3f}"
    plane.text(0.97, 0.06, f"area {area:.3f}", anchor="end", size=13)
    return Figure(title, plane.svg(title), {"ROC": points})


def roc_curves_figure(tables: Mapping[str, ThresholdTable]) -> Figure:
    """Several ROC curves on one plane, the largest area first in the key."""
    areas = {name: float(area_under_roc(table)[0]) for name, table in tables.items()}
    named = {name: f"{shorten_name(name, 19)}: {area:.3f}" for name, area in areas.items()}
    points = {named[name]: roc(table) for name, table in tables.items()}
    ranked = sorted(areas, key=lambda name: -areas[name])
    plane = Plane(Axis(FALSE), Axis(TRUE), width=320, height=320)
    plane.rule((0, 0), (1, 1))
    draw_lines(plane, points, "FPR", "TPR", key=[named[name] for name in ranked])
    title = "ROC curves; the number is the area below each"
    return Figure(title, plane.svg(title), points)


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
    return Figure(title, plane.svg(title), points)


def _spaced_points(across: list[float], up: list[float], marks: int) -> list[int]:
    """Places spread evenly along a curve, without its ends."""
    steps = np.hypot(np.diff(across), np.diff(up))
    along = np.concatenate(([0.0], np.cumsum(steps)))
    wanted = np.linspace(0, along[-1], marks + 2)[1:-1]
    places = {int(place) for place in np.searchsorted(along, wanted)}
    return sorted(places & set(range(1, len(across) - 1)))
