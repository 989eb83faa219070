"""Which items train and which test, fold by fold."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.formats.splits import Splits
from assay.reports.figures.figure import (
    ACCENT,
    BAD,
    GRID,
    LINES,
    MUTED,
    PAPER,
    Axis,
    Figure,
    figure,
)
from assay.reports.figures.hatching import GAP, Hatch, KeyBox
from assay.reports.figures.lines_and_labels import line_color
from assay.reports.figures.plane import Plane

MOST_FOLDS = 40
"""More folds than these are not drawn."""
COLORS = {"train": ACCENT, "validation": LINES[2], "dev": LINES[2], "test": BAD, "eval": BAD}
SHADES = {"train": 0.35, "validation": 0.65, "dev": 0.65}
"""Opacities below 1, so that parts have different shades in print without color."""
UNUSED = {"gap", "later"}
"""Splits that no part of the work uses."""
HATCHES: dict[str, Hatch] = {"gap": "upright"}
"""Lines over the items that are left out before a test, so that later ones look different."""


@figure("splits")
def plot_splits(data: Any) -> Figure:
    """Draw a bar for each fold, with its items in the order of the folds that test them."""
    splits = Splits.read(data, "item")
    folds = splits.folds or [""]
    if len(folds) > MOST_FOLDS:
        raise UsageError(f"there are {len(folds)} folds; at most {MOST_FOLDS} are drawn")
    ordered = _order_items(splits)
    names = dict.fromkeys(splits.frame["split"])
    colors = {name: COLORS.get(name, line_color(at + 2)) for at, name in enumerate(names)}
    colors |= dict.fromkeys(UNUSED, GRID)
    looks = {
        name: KeyBox(name, colors[name], SHADES.get(name, 1.0), HATCHES.get(name)) for name in names
    }
    labels = [fold or "all" for fold in folds]
    plane = Plane(
        Axis("queries" if splits.unit == "query" else "items", 0, ordered["place"].n_unique()),
        Axis("fold" if splits.folds else "", -0.5, len(folds) - 0.5, names=tuple(labels[::-1])),
        width=460,
        height=max(26 * len(folds) + 8, 17 * len(names)),
        right=90,
    )
    points: dict[str, dict[str, list[Any]]] = {}
    for at, fold in enumerate(folds):
        rows = ordered.filter(fold=fold) if splits.folds else ordered
        place = len(folds) - 1 - at
        for name, begin, end in _runs(rows):
            text = f"{name}: {end - begin:,}"
            look = looks[name]
            high = place - 0.35, place + 0.35
            plane.box((begin, end), high, PAPER)  # No grid shows through the bar.
            plane.box((begin, end), high, look.color, look.opacity, title=text)
            if look.hatch:
                _hatch(plane, (begin, end), high)
            own = points.setdefault(name, {"fold": [], "begin": [], "end": []})
            for key, value in (("fold", labels[at]), ("begin", begin), ("end", end)):
                own[key].append(value)
    shown = [
        each._replace(color=MUTED, opacity=0.2) if each.hatch else each for each in looks.values()
    ]
    plane.key(shown)
    what = f"{len(folds)} folds" if splits.folds else ", ".join(names)
    return plane.figure(f"Split of {ordered['place'].n_unique():,} {splits.unit}s: {what}", points)


def _hatch(plane: Plane, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Draw upright lines over a part of a bar."""
    step = (plane.x.high - plane.x.low) * GAP / 2 / plane.width
    for place in np.arange(x[0] + step / 2, x[1], step):
        plane.line([place, place], y, MUTED, stroke_width=1)


def _order_items(splits: Splits) -> pl.DataFrame:
    """Return the rows with a place for each item: by split, or by the first fold that tests it."""
    frame, unit = splits.frame, splits.unit
    if not splits.folds:
        order = dict.fromkeys((*COLORS, *sorted(frame["split"].unique())))
        parts = {name: at for at, name in enumerate(order)}
        return frame.sort(
            pl.col("split").replace_strict(parts), maintain_order=True
        ).with_row_index("place")
    number = {fold: at for at, fold in enumerate(splits.folds)}
    numbered = frame.with_columns(number=pl.col("fold").replace_strict(number))
    first = (
        numbered.group_by(unit, maintain_order=True)
        .agg(tested=pl.col("number").filter(pl.col("split") == "test").min())
        .sort("tested", maintain_order=True)
        .with_row_index("place")
    )
    return numbered.join(first, on=unit)


def _runs(rows: pl.DataFrame) -> list[tuple[str, int, int]]:
    """Return the stretches of neighboring items in the same split: split, begin, end."""
    ordered = rows.sort("place").select("split", "place").rows()
    runs = []
    for (name, _), members in groupby(enumerate(ordered), lambda at: (at[1][0], at[1][1] - at[0])):
        places = [place for _, (_, place) in members]
        runs.append((name, places[0], places[-1] + 1))
    return runs
