"""A matrix of counts in colour, with rates in its margins."""

from __future__ import annotations

from collections.abc import Sequence

from assay.core.arrays import Floats, ratio
from assay.evidence.confusion import Confusion
from assay.evidence.contingency import Contingency
from assay.reports.figures.axis import Axis
from assay.reports.figures.colours import ACCENT, GRID, INK, MUTED
from assay.reports.figures.figure import Figure
from assay.reports.figures.plane import Plane

MOST = 40
"""More rows or columns than these are not drawn."""
STRONGEST = 0.5
"""How much colour the fullest cell has; with more, its number could not be read."""


def confusion_figure(confusion: Confusion) -> Figure:
    """The confusion matrix, truth in rows, with recall and precision of each class."""
    counts = confusion.matrix[0]
    hit = counts.diagonal()
    recall = ratio(hit, counts.sum(axis=1))
    precision = ratio(hit, counts.sum(axis=0))
    title = "Confusion matrix: truth in rows, prediction in columns"
    return _matrix(
        title,
        counts,
        confusion.labels,
        confusion.labels,
        ("predicted", "truth"),
        ("recall", recall),
        ("precision", precision),
    )


def contingency_figure(table: Contingency) -> Figure:
    """How many items of each class each cluster holds, and how pure it is."""
    counts = table.dense()[0]
    purity = ratio(counts.max(axis=1), counts.sum(axis=1))
    gathered = ratio(counts.max(axis=0), counts.sum(axis=0))
    title = "Contingency table: clusters in rows, classes in columns"
    return _matrix(
        title,
        counts,
        table.clusters,
        table.classes,
        ("class", "cluster"),
        ("purity", purity),
        ("in one", gathered),
    )


def _matrix(
    title: str,
    counts: Floats,
    rows: Sequence[str],
    columns: Sequence[str],
    titles: tuple[str, str],
    right: tuple[str, Floats],
    below: tuple[str, Floats],
) -> Figure:
    rows, columns, counts = rows[:MOST], columns[:MOST], counts[:MOST, :MOST]
    cell = 58 if len(columns) <= 6 else 40 if len(columns) <= 12 else 26
    x = Axis(titles[0], -0.5, len(columns) - 0.5, tuple(columns))
    y = Axis(titles[1], len(rows) - 0.5, -0.5, tuple(rows))
    longest = min(max(map(len, rows)), 14)
    plane = Plane(x, y, cell * len(columns), cell * 2 // 3 * len(rows), 62, 34 + longest * 7)
    plane.bottom, plane.title_drop = 68, 56
    share = ratio(counts, counts.sum(axis=1)[:, None] + 0 * counts)
    size = 12 if cell > 30 else 9
    for i in range(len(rows)):
        for j in range(len(columns)):
            filled = STRONGEST * float(share[i, j]) if counts[i].sum() else 0.0
            said = f"{rows[i]} → {columns[j]}: {counts[i, j]:g}"
            place = (j - 0.48, j + 0.48), (i - 0.47, i + 0.47)
            plane.box(*place, GRID, 0.35)
            plane.box(*place, ACCENT, round(filled, 3), said)
            ink = INK if counts[i, j] else MUTED
            plane.text(j, i, f"{counts[i, j]:g}", size=size, colour=ink, stroke="none")
        plane.text(len(columns) - 0.5, i, _rate(right[1][i]), anchor="start", shift=(8, 0), size=11)
    for j in range(len(columns)):
        plane.text(j, len(rows) - 0.5, _rate(below[1][j]), shift=(0, 30), size=11)
    plane.text(len(columns) - 0.5, -0.5, right[0], anchor="start", shift=(8, -6), colour=MUTED)
    plane.text(
        len(columns) - 0.5, len(rows) - 0.5, below[0], anchor="start", shift=(8, 30), colour=MUTED
    )
    points = {"counts": {name: counts[:, j] for j, name in enumerate(columns)}}
    return Figure(title, plane.svg(title, grid=False), points)


def _rate(value: float) -> str:
    return "–" if value != value else f"{value:.0%}"
