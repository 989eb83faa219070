"""Figures of missing input: quality by share missing, and by feature left out."""

from __future__ import annotations

import polars as pl

from assay.reports.figures.effect_figures import Effect, intervals_figure
from assay.reports.figures.figure import Figure
from assay.reports.figures.series_figures import interval_lines
from assay.selection.learning_tasks.missing_input import MissingInput


def missing_figures(result: MissingInput) -> dict[str, Figure]:
    """Return the measure by the share missing, and its change without each feature."""
    measure = result.measure
    curve = result.curve.filter(pl.col("measure") == measure)
    title = f"{measure} by the share of missing input"
    better = result.scores.of(measure)[0].better
    effects = [
        Effect(row["feature"], row["difference"], row["low"], row["high"], better)
        for row in result.by_feature.iter_rows(named=True)
    ]
    words = f"Change in {measure} when a feature is missing; gray where its interval contains 0"
    return {
        "shares": interval_lines(curve, "share", title, ("share of values missing", measure)),
        "features": intervals_figure(effects, words, f"difference in {measure}"),
    }
