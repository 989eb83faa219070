"""Figures of preparation: the change in the measure, and the measure with each preparation."""

from __future__ import annotations

from assay.reports.figures.effect_figures import Effect, intervals_figure
from assay.reports.figures.figure import Figure
from assay.selection.learning_tasks.preparation import Preparation


def preparation_figures(result: Preparation) -> dict[str, Figure]:
    """Return the changes with their intervals, and the values with theirs."""
    measure = result.measure
    results = result.scores.best_first(measure)
    better = results[0].better
    changes = [
        Effect(row["preparation"], row["difference"], row["low"], row["high"], better)
        for row in result.changes.iter_rows(named=True)
    ]
    values = [Effect(each.system, each.value, each.low, each.high, better) for each in results]
    return {
        "changes": intervals_figure(
            changes,
            f"Change in {measure}; gray where its interval contains 0",
            f"difference in {measure}",
        ),
        "values": intervals_figure(
            values, f"{measure} with each preparation", measure, signed=False
        ),
    }
