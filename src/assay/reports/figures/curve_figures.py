"""Curves over all thresholds: precision and recall, lift, cumulative gain, errors (DET)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.curves import Columns
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.areas import average_precision
from assay.measures.scores.curves import det, gain, lift, precision_recall
from assay.reports.figures.figure import Axis, Figure, figure
from assay.reports.figures.key_names import key_names
from assay.reports.figures.lines_and_labels import draw_lines
from assay.reports.figures.plane import Plane
from assay.reports.figures.score_figures import threshold_tables
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns

TAKEN = "share of the items, highest scores first"
DEVIATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99)
"""The error rates that are written at the axes of normal deviates."""


@dataclass(frozen=True)
class CurveFigure:
    """A curve of each classifier in one plane."""

    title: str
    points: Callable[[ThresholdTable], Columns]
    x: str
    y: str
    names: tuple[str, str]
    """What is written at the axes."""

    def draw(self, tables: Mapping[str, ThresholdTable], values: Mapping[str, str]) -> Figure:
        """Draw the curves; ``values`` follow the names in the key."""
        shown_names = key_names({name: values.get(name, "") for name in tables})
        named = {shown_names[name]: self.points(table) for name, table in tables.items()}
        highest = (
            [1.0] if self.y != "lift" else [np.nanmax(each["lift"]) for each in named.values()]
        )
        plane = Plane(
            Axis(self.names[0]), Axis.around(self.names[1], [0, *highest]), width=320, height=320
        )
        chance = self._draw_chance(plane, tables)
        shown = {name: _finite_points(each, self.x, self.y) for name, each in named.items()}
        draw_lines(plane, shown, self.x, self.y, key=list(named))
        title = self.title.format("".join(values.values()) if len(values) == 1 else "")
        title += "; dashed: a random order" * chance
        return plane.figure(title, dict(zip(tables, named.values(), strict=True)))

    def _draw_chance(self, plane: Plane, tables: Mapping[str, ThresholdTable]) -> bool:
        """Draw what a random order gives, and return whether it is the same for all curves."""
        ends = [(0.0, 0.0), (1.0, 1.0)] if self.y == "gain" else [(0.0, 1.0), (1.0, 1.0)]
        if self.y == "P":
            shares = {
                float(each.positives[0].sum() / (each.positives + each.negatives)[0].sum())
                for each in tables.values()
            }
            if len(shares) > 1:
                return False
            ends = [(end, share) for end in (0.0, 1.0) for share in shares]
        plane.rule(*ends)
        return True


PRECISION_RECALL = CurveFigure(
    "Precision and recall{}; AP is the average precision",
    precision_recall,
    "R",
    "P",
    ("recall (TPR)", "precision (PPV)"),
)
LIFT = CurveFigure(
    "Lift{}",
    lift,
    "taken",
    "lift",
    (TAKEN, "lift over a random choice"),
)
GAIN = CurveFigure("Cumulative gain", gain, "taken", "gain", (TAKEN, "share of the positives"))


def _finite_points(points: Columns, x: str, y: str) -> Columns:
    """Return the points without those that are undefined."""
    kept = np.isfinite(points[x]) & np.isfinite(points[y])
    return {name: np.asarray(points[name])[kept] for name in (x, y)}


@figure("precision-recall", ClassificationEvidence, ClassificationColumns)
def plot_precision_recall_curve(evidence: ClassificationEvidence) -> Figure:
    """Draw precision against recall at every threshold, with the average precision."""
    return precision_recall_curves(threshold_tables(evidence))


def precision_recall_curves(tables: Mapping[str, ThresholdTable]) -> Figure:
    """Draw the precision-recall curves of classifiers or classes."""
    areas = {name: f": AP {float(average_precision(t)[0]):.3f}" for name, t in tables.items()}
    return PRECISION_RECALL.draw(tables, areas)


@figure("lift", ClassificationEvidence, ClassificationColumns)
def plot_lift(evidence: ClassificationEvidence) -> Figure:
    """Draw how many times as many positives the highest scores hold as a random choice."""
    return lift_curves(threshold_tables(evidence))


def lift_curves(tables: Mapping[str, ThresholdTable]) -> Figure:
    """Draw the lift of classifiers or classes, with the highest in words."""
    highest = {n: f": at most {np.nanmax(lift(table)['lift']):.2f}" for n, table in tables.items()}
    return LIFT.draw(tables, highest)


@figure("cumulative-gain", ClassificationEvidence, ClassificationColumns)
def plot_cumulative_gain(evidence: ClassificationEvidence) -> Figure:
    """Draw the share of the positives among the highest scores."""
    return GAIN.draw(threshold_tables(evidence), {})


@figure("det", ClassificationEvidence, ClassificationColumns)
def plot_det(evidence: ClassificationEvidence) -> Figure:
    """Draw both error rates at every threshold, on axes of normal deviates."""
    return det_curves(threshold_tables(evidence))


def det_curves(tables: Mapping[str, ThresholdTable]) -> Figure:
    """Draw the DET curves of classifiers or classes."""
    from scipy.special import ndtri

    points = {name: det(table) for name, table in tables.items()}
    low, high = float(ndtri(DEVIATES[0])), float(ndtri(DEVIATES[-1]))
    marks = tuple((float(ndtri(rate)), f"{rate:g}") for rate in DEVIATES)
    names = ("false positive rate (FPR)", "false negative rate (FNR)")
    x, y = (Axis(f"{name}, normal deviates", low, high, marks=marks) for name in names)
    plane = Plane(x, y, width=320, height=320)
    shown = {}
    for name, each in points.items():
        across, up = np.asarray(each["FPR deviate"]), np.asarray(each["FNR deviate"])
        inside = np.isfinite(across) & np.isfinite(up)
        shown[name] = {"x": across[inside].clip(low, high), "y": up[inside].clip(low, high)}
    draw_lines(plane, shown, "x", "y", key=list(shown))
    if not any(len(each["x"]) for each in shown.values()):
        plane.text(0, 0, "at every threshold an error rate is 0 or 1", shift=(0, -12))
    return plane.figure("Detection error trade-off (DET)", points)
