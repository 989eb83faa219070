"""Histograms of the same numbers with different numbers of bins, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.core.arrays import Floats
from assay.core.errors import UsageError
from assay.reports.figures.figure import ACCENT, Axis, Figure, figure
from assay.reports.figures.panels import side_by_side
from assay.reports.figures.plane import Plane
from assay.tasks.regression.histogram_density import histogram_density
from assay.tasks.regression.regression import finite_column

BINS = (5, 20)
MOST_PANELS = 6


@figure("histogram")
def plot_histogram(data: Any, column: str = "value", bins: Sequence[float] | None = None) -> Figure:
    """Draw the density of a column as histograms, one for each number of bins."""
    return histogram_figure(finite_column(data, column), column, bins or BINS)


def histogram_figure(values: Floats, name: str, bins: Sequence[float]) -> Figure:
    """Return the histograms, side by side on the same axes."""
    if bad := [each for each in bins if each < 1 or each != int(each)]:
        raise UsageError(f"`bins` has {bad[0]:g}; whole numbers from 1 are expected")
    if len(bins) > MOST_PANELS:
        raise UsageError(f"`bins` has {len(bins)} numbers; at most {MOST_PANELS} are drawn")
    found = {int(each): histogram_density(values, int(each)) for each in bins}
    tops = [float(density.max()) for _, density in found.values()]
    across, height = Axis.around(name, values.tolist()), Axis.around("density", tops, zero=True)
    drawn = []
    for count, (edges, density) in found.items():
        plane = Plane(across, height, width=280, height=220)
        for low, high, top in zip(edges, edges[1:], density, strict=False):
            plane.box((float(low), float(high)), (0, float(top)), ACCENT, 0.3)
            plane.line([low, low, high, high], [0, top, top, 0], ACCENT, stroke_width=1)
        points = {"": {"from": edges[:-1], "to": edges[1:], "density": density}}
        drawn.append((f"{count} bins", plane.figure(f"{count} bins", points)))
    title = f"Density of {name}: {len(values)} numbers in {' and '.join(map(str, found))} bins"
    return side_by_side(title, drawn)
