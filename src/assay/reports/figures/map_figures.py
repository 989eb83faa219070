"""Figures of self-organizing maps: the U-matrix, the items of each unit, the learning."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.reports.figures.figure import INK, Axis, Figure
from assay.reports.figures.plane import Plane, shorten_name
from assay.reports.figures.series_figures import interval_lines
from assay.selection.learning_tasks.map_quality import SelfOrganizingMap

SIDE, LETTER = 340, 6.9
"""The width of the mesh and of a letter."""


def map_figures(result: SelfOrganizingMap) -> dict[str, Figure]:
    """Return the U-matrix with classes, the held-out items of each unit, and the course."""
    letters = max(2, int(SIDE / result.hits.shape[1] / LETTER))
    names = [
        ["" if each is None else shorten_name(each, letters) for each in row]
        for row in result.labels
    ]
    counts = [[str(each) if each else "" for each in row] for row in result.hits.tolist()]
    course = result.course.with_columns(system=pl.lit("map"))
    axes = ("epochs", "quantization error")
    return {
        "u-matrix": _mesh(
            result.distances,
            names,
            "U-matrix: units with a strong shade are far from their neighbors",
        ),
        "hits": _mesh(result.hits.astype(np.float64), counts, "Held-out items of each unit"),
        "learning": interval_lines(
            course, "epochs", "Quantization error while the map learns", axes
        ),
    }


def _mesh(values: Floats, words: list[list[str]], title: str) -> Figure:
    rows, columns = values.shape
    height = max(round(SIDE * rows / columns), 40)
    plane = Plane(
        Axis("column", -0.5, columns - 0.5, whole=True),
        Axis("row", rows - 0.5, -0.5, whole=True),
        SIDE,
        min(height, 2 * SIDE),
    )
    low, high = np.nanmin(values), np.nanmax(values)
    for row in range(rows):
        for column in range(columns):
            value = values[row, column]
            share = (value - low) / (high - low) if high > low else 0.0
            box = (column - 0.5, column + 0.5), (row - 0.5, row + 0.5)
            if np.isfinite(value):
                plane.box(*box, INK, 0.04 + 0.6 * float(share), f"{row}, {column}: {value:.4g}")
            if words[row][column]:
                plane.text(column, row, words[row][column], size=10.5)
    return plane.figure(title, {"units": {"value": values.ravel().tolist()}}, grid=False)
