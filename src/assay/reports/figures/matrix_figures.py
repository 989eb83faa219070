"""A matrix of counts in color, with rates in its margins."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.errors import unknown_name
from assay.core.phrases import rate_percent
from assay.evidence.views.confusion import Confusion, Rows
from assay.evidence.views.contingency import Contingency
from assay.reports.figures.figure import (
    ACCENT,
    BAD,
    GRID,
    INK,
    MUTED,
    Axis,
    Figure,
    figure,
    system_view,
    text_width,
)
from assay.reports.figures.panels import draw_panels
from assay.reports.figures.plane import MOST_LETTERS, TICK, Plane, shorten_name
from assay.reports.text.confusion_clusters import Cluster, cluster_confusions
from assay.reports.text.confusion_text import rate_names
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.confusion import ConfusionEvidence
from assay.tasks.clustering.cluster_columns import ClusterColumns
from assay.tasks.clustering.clustering import ClusteringEvidence

MOST_CLASSES = 40
"""More rows or columns than these are not drawn."""
MOST_WIDE = 12
"""Up to so many columns are as wide as the words below them; long names of more are turned."""
NORMALIZED = {name: name for name in ("actual", "predicted", "all")}
NORMALIZED |= {"true": "actual", "pred": "predicted"}
"""What the shares in the cells are of, also as scikit-learn calls it."""
NARROW = 26
"""The width of more columns."""
STRONGEST = 0.5
"""How much color the fullest cell has; with more, its number could not be read."""


@dataclass(frozen=True)
class Margin:
    """The rates beside the rows or below the columns, under their name."""

    name: str
    rates: Floats
    names: Sequence[str] = ()
    """The name of each rate, where they differ; then there is none for all."""

    def text(self, place: int) -> str:
        """Return a rate in percent, with its name if it has one of its own."""
        name = self.names[place] if self.names else ""
        return f"{name} {rate_percent(self.rates[place])}".strip()


@dataclass(frozen=True)
class Cells:
    """Counts with names on both sides, and the rates in the margins."""

    counts: Floats
    rows: Sequence[str]
    columns: Sequence[str]
    right: Margin
    below: Margin
    shares: Floats | None = None
    """What is written in the cells, in percent, in place of the counts."""

    def text(self, i: int, j: int) -> str:
        """Return what is written in a cell."""
        if self.shares is not None:
            return rate_percent(float(self.shares[i, j]))
        count = float(self.counts[i, j])
        return f"{count:g}" if math.isfinite(count) else "–"

    def strength(self, i: int, j: int) -> float:
        """How full of color a cell is: its share of the row."""
        count, total = float(self.counts[i, j]), float(np.nansum(self.counts[i]))
        return STRONGEST * count / total if total and math.isfinite(count) else 0.0


@figure("confusion", ClassificationEvidence, ClassificationColumns, also=(Confusion,))
def plot_confusion(
    evidence: ClassificationEvidence | ConfusionEvidence | Confusion,
    arrange: bool = False,
    show: Rows = "actual",
    normalize: str | None = None,
) -> Figure:
    """Draw the confusion matrix in color, with rates in its margins.

    ``show`` says which classes are in its rows; ``arrange`` groups classes that are often confused.
    Cells have shares of the ``actual`` class, of the ``predicted`` one or of ``all`` items with
    ``normalize``. Several systems have a matrix each.
    """
    if isinstance(evidence, Confusion):
        return _plot_one(evidence, arrange, show, normalize)
    return draw_panels(
        _title("matrices", show, normalize),
        evidence.systems,
        lambda name: _plot_one(system_view(evidence, name, Confusion), arrange, show, normalize),
    )


def _title(kind: str, rows: Rows, normalize: str | None = None) -> str:
    columns = "predicted" if rows == "actual" else "actual"
    said = f"Confusion {kind}: {rows} classes in rows, {columns} classes in columns"
    if normalize is None:
        return said
    whole = _whole(normalize)
    return f"{said}; shares of " + ("all items" if whole == "all" else f"each {whole} class")


def _plot_one(confusion: Confusion, arrange: bool, show: Rows, normalize: str | None) -> Figure:
    if not arrange:
        return confusion_figure(confusion, rows=show, normalize=normalize)
    found = cluster_confusions(confusion)
    return confusion_figure(found.confusion, found.clusters, show, normalize)


@figure("matrix", ConfusionEvidence, also=(Confusion,))
def plot_matrix(
    evidence: ConfusionEvidence | Confusion,
    arrange: bool = False,
    show: Rows = "actual",
    normalize: str | None = None,
) -> Figure:
    """Draw a confusion matrix that is given as counts, or one for each method."""
    return plot_confusion(evidence, arrange, show, normalize)


@figure("contingency", ClusteringEvidence, ClusterColumns)
def plot_contingency(evidence: ClusteringEvidence) -> Figure:
    """Draw the classes in each cluster, in color; several clusterings have a table each."""
    return draw_panels(
        "Contingency tables: clusters in rows, classes in columns",
        evidence.systems,
        lambda name: contingency_figure(evidence.view(name, Contingency, "a contingency table")),
    )


def mistake_factor(counts: Floats) -> float:
    """How many times more color a mistake has than its share, so that rare ones are seen.

    The worst has half of the color: in gray it is lighter than a class that is mostly right.
    """
    share = np.nan_to_num(ratio(counts, np.nansum(counts, axis=1)[:, None] + 0 * counts))
    np.fill_diagonal(share, 0)
    return max(1.0, 0.5 / (float(share.max(initial=0)) or 1.0))


def confusion_figure(
    confusion: Confusion,
    clusters: Sequence[Cluster] = (),
    rows: Rows = "actual",
    normalize: str | None = None,
) -> Figure:
    """Return the confusion matrix with recall and precision of each class in its margins.

    With a positive class of two these are TPR and TNR, PPV and NPV.

    Mistakes have a color of their own; clusters of confusion have a frame and a name.
    """
    actual = rows == "actual"
    counts = confusion.matrix[0] if actual else confusion.matrix[0].T
    hit = counts.diagonal()
    rates = ("TPR", "PPV") if actual else ("PPV", "TPR")
    words = {"TPR": "recall", "PPV": "precision"}
    right, below = (
        Margin("" if any(names) else words[rate], ratio(hit, counts.sum(axis=axis)), names)
        for rate, axis in zip(rates, (1, 0), strict=True)
        for names in [rate_names(confusion, rate)]
    )
    shares = None if normalize is None else _shares(confusion.matrix[0], _whole(normalize))
    shares = shares if shares is None or actual else shares.T
    cells = Cells(counts, confusion.labels, confusion.labels, right, below, shares)
    sides = ("predicted", "actual") if actual else ("actual", "predicted")
    plane = _plane(cells, sides)
    stronger = mistake_factor(counts)

    def color(i: int, j: int) -> tuple[str, float]:
        """Return the color of a cell and its strength."""
        strength = cells.strength(i, j)
        return (ACCENT, strength) if i == j else (BAD, strength * stronger)

    _draw(plane, cells, color)
    for each in clusters:
        if each.stop <= MOST_CLASSES:
            span = (each.start - 0.5, each.stop - 0.5)
            low, high = span
            plane.line([low, high, high, low, low], [low, low, high, high, low], INK)
            plane.text(span[1], span[0], each.name, shift=(-7, 8), size=10, font_weight="bold")
    return plane.figure(_title("matrix", rows, normalize), _points(cells), grid=False)


def _whole(normalize: str) -> str:
    """Return what the shares in the cells are of."""
    if normalize not in NORMALIZED:
        raise unknown_name("normalization", str(normalize), list(NORMALIZED))
    return NORMALIZED[normalize]


def _shares(matrix: Floats, whole: str) -> Floats:
    """Return the shares of a matrix with actual classes in its rows."""
    totals = {"actual": matrix.sum(axis=1)[:, None], "predicted": matrix.sum(axis=0)[None, :]}
    return ratio(matrix, totals.get(whole, matrix.sum()) + 0 * matrix)


def contingency_figure(table: Contingency) -> Figure:
    """How many items of each class each cluster holds, and how pure it is."""
    counts = table.dense()[0]
    right = Margin("purity", ratio(counts.max(axis=1), counts.sum(axis=1)))
    below = Margin("in one cluster", ratio(counts.max(axis=0), counts.sum(axis=0)))
    cells = Cells(counts, table.clusters, table.classes, right, below)
    plane = _plane(cells, ("class", "cluster"))
    _draw(plane, cells, lambda i, j: (ACCENT, cells.strength(i, j)))
    title = "Contingency table: clusters in rows, classes in columns"
    return plane.figure(title, _points(cells), grid=False)


def _points(cells: Cells) -> dict[str, dict[str, Floats]]:
    tables = {"counts": cells.counts, "shares": cells.shares}
    return {
        kind: {name: table[:MOST_CLASSES, j] for j, name in enumerate(cells.columns[:MOST_CLASSES])}
        for kind, table in tables.items()
        if table is not None
    }


def _plane(cells: Cells, titles: tuple[str, str]) -> Plane:
    rows, columns = cells.rows[:MOST_CLASSES], cells.columns[:MOST_CLASSES]
    high = 58 if len(columns) <= 6 else 40 if len(columns) <= MOST_WIDE else NARROW
    turned = _turned_height(cells)
    wide = high
    if len(columns) <= MOST_WIDE:
        below = [cells.below.text(place) for place in range(len(columns))]
        wide = max(high, 8 + _longest(columns), 8 + _longest(below))
    x = Axis(
        titles[0], -0.5, len(columns) - 0.5, ("",) * len(columns) if turned else tuple(columns)
    )
    y = Axis(titles[1], len(rows) - 0.5, -0.5, tuple(rows))
    size = wide * len(columns), high * 2 // 3 * len(rows)
    plane = Plane(x, y, *size, 62, 34 + _longest(rows))
    plane.bottom, plane.title_drop = 68 + turned, 56 + turned
    return plane


def _longest(names: Sequence[str]) -> int:
    """Return the room that the longest of some names takes."""
    return math.ceil(max(text_width(shorten_name(name, MOST_LETTERS), TICK) for name in names))


def _turned_height(cells: Cells) -> int:
    """Return how much further down turned names of many columns go; 0 if they have room."""
    names = cells.columns[:MOST_CLASSES]
    longest = _longest(names)
    return longest - TICK if len(names) > MOST_WIDE and longest > NARROW - 2 else 0


def _draw(plane: Plane, cells: Cells, color: Callable[[int, int], tuple[str, float]]) -> None:
    rows, columns = cells.rows[:MOST_CLASSES], cells.columns[:MOST_CLASSES]
    size = 12 if len(columns) <= 12 else 9
    for i, j in product(range(len(rows)), range(len(columns))):
        words = cells.text(i, j)
        place = (j - 0.48, j + 0.48), (i - 0.47, i + 0.47)
        plane.box(*place, GRID, 0.35)
        shade, strength = color(i, j)
        plane.box(*place, shade, round(strength, 3), f"{rows[i]} → {columns[j]}: {words}")
        ink = INK if cells.counts[i, j] else MUTED
        plane.text(j, i, words, size=size, color=ink, stroke="none")
    _margins(plane, cells, len(rows), len(columns))


def _margins(plane: Plane, cells: Cells, rows: int, columns: int) -> None:
    right, low = columns - 0.5, rows - 0.5
    turned, size = _turned_height(cells), 11 if columns <= MOST_WIDE else 8
    for i in range(rows):
        plane.text(right, i, cells.right.text(i), anchor="start", shift=(8, 0), size=11)
    for j in range(columns):
        plane.text(j, low, cells.below.text(j), shift=(0, 30 + turned), size=size)
        if turned:
            x, y = plane.at(j, low)
            place = f"rotate(-90 {x} {y}) translate(-6 0)"
            name = shorten_name(cells.columns[j], MOST_LETTERS)
            plane.text(j, low, name, anchor="end", size=TICK, color=MUTED, transform=place)
    plane.text(right, -0.5, cells.right.name, anchor="start", shift=(8, -6), color=MUTED)
    plane.text(right, low, cells.below.name, anchor="start", shift=(8, 30 + turned), color=MUTED)
