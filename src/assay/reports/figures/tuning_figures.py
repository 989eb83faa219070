"""A search in pictures: its trials in their order, and the value against each parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.core.names import measure as measure_named
from assay.reports.figures.figure import ACCENT, BAD, MUTED, Axis, Figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.themes import INTERVAL
from assay.selection.tuning.tune import Tuning

CHOSEN = {"shape": "diamond", "fill": BAD}
"""The mark of the chosen trial, which needs no color."""
MOST_NAMES = 12
"""At most so many values of a categorical parameter are drawn."""


def search_figure(result: Tuning) -> Figure:
    """Draw the value of each trial in order, the best so far, and the choice."""
    trials = finished_trials(result)
    sign = -1 if measure_named(result.measure).definition.better == "lower" else 1
    numbers, values = trials["trial"].to_list(), trials["value"].to_list()
    open_to_choice = trials["eligible"].to_list()
    best: list[float] = []
    for value, eligible in zip(values, open_to_choice, strict=True):
        last = best[-1] if best else math.nan
        better = eligible and not sign * value <= sign * last
        best.append(value if better else last)
    plane = _plane(Axis.around("trial", numbers, whole=True), result.measure, values)
    plane.line(numbers, best, MUTED, stroke_dasharray="4 3")
    _mark(plane, numbers, trials, result)
    plane.key([("best so far", MUTED, "4 3")])
    plane.key_marks([("chosen", CHOSEN)], below=1)
    points = {"trials": {"trial": numbers, "value": values, "best": best}}
    return plane.figure(f"{result.measure} of each trial", points)


def parameter_figures(result: Tuning) -> list[Figure]:
    """Draw the value against each parameter that has several values."""
    trials = finished_trials(result)
    figures = []
    for name in result.chosen:
        column = trials[name]
        if column.n_unique() < 2:
            continue
        if column.dtype.is_numeric():
            places = column.cast(pl.Float64).to_list()
            axis = Axis.around(name, places, whole=column.dtype.is_integer())
        else:
            names = tuple(column.cast(pl.String).unique().sort())
            if len(names) > MOST_NAMES:
                continue
            axis = Axis(name, -0.5, len(names) - 0.5, names=names)
            places = [float(names.index(each)) for each in column.cast(pl.String)]
        plane = _plane(axis, result.measure, trials["value"].to_list())
        _mark(plane, places, trials, result)
        plane.key_marks([("chosen", CHOSEN)])
        points = {"trials": {name: column.to_list(), "value": trials["value"].to_list()}}
        figures.append(plane.figure(f"{result.measure} against {name}", points))
    return figures


def finished_trials(result: Tuning) -> pl.DataFrame:
    """Return the trials with a value, and which of them could be chosen."""
    trials = result.trials
    eligible = ~trials["pruned"] if "pruned" in trials.columns else pl.lit(True)
    found = trials.with_columns(eligible=eligible)
    return found.filter(pl.col("failure").is_null() & pl.col("value").is_finite())


def _plane(axis: Axis, measure: str, values: Sequence[float]) -> Plane:
    return Plane(axis, Axis.around(measure, values), right=110)


def _mark(plane: Plane, places: Sequence[Any], trials: pl.DataFrame, result: Tuning) -> None:
    """Draw a point with its standard error for each trial; pruned ones pale, the choice marked."""
    rows = trials.iter_rows(named=True)
    for place, row in zip(places, rows, strict=True):
        chosen = all(row[name] == value for name, value in result.chosen.items())
        color = BAD if chosen and row["eligible"] else ACCENT
        ends = [row["value"] - row["error"], row["value"] + row["error"]]
        inside = [min(max(end, plane.y.low), plane.y.high) for end in ends]
        plane.line([place, place], inside, color, **INTERVAL)
        words = ", ".join(f"{name} {row[name]}" for name in result.chosen)
        title = f"trial {row['trial']}: {row['value']:.4f} ({words})"
        opacity = 1.0 if row["eligible"] else 0.3
        look = CHOSEN if color == BAD else {}
        radius = 4.5 if look else 3.0
        plane.points([place], [row["value"]], color, radius, [title], opacity, **look)
