"""The figure that belongs to a result, and any other figure of what the result was made from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import polars as pl

from assay.core.errors import AssayError, UsageError, unknown_name
from assay.engine.measured_names import TABLE, find_measured
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.evidence.views.confusion import Confusion
from assay.reports.figures.effect_figures import Effect, intervals_figure, pair_name
from assay.reports.figures.figure import Axis, Figure, text_width
from assay.reports.figures.lines_and_labels import draw_lines
from assay.reports.figures.matrix_figures import confusion_figure
from assay.reports.figures.plane import Plane
from assay.reports.figures.plot import CLASSIFIER_FIGURES, figure_kinds, plot
from assay.reports.figures.score_figures import rate_steps
from assay.reports.figures.value_figures import units_figure
from assay.reports.text.result_text import load
from assay.reports.text.result_types import RESULTS, Entry
from assay.selection.thresholds import Thresholds
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.comparison.comparison_result import Comparison
from assay.tasks.gates.gate import Gate
from assay.tasks.retrieval.holes import HolesReport

TASK_FIGURES = {
    "retrieval": ("pr",),
    "classification": ("confusion", "roc"),
    "regression": ("residuals",),
    "clustering": ("contingency", "silhouette"),
    "correlation": ("orders",),
}
"""The figures of one system, the first that its evidence allows."""
UNIT_FIGURES = ("per-query", "scatter")
"""The figures of the values of two systems by query."""
MOST_CLASSES = 15
"""A matrix of more classes is not drawn unless it is asked for."""
MOST_ROWS = 30
"""More intervals than these are not drawn."""
RATES = ("TPR", "PPV", "F")
"""The rates that are drawn over thresholds."""


def draw_result(result: Any, kind: str | None = None, **options: Any) -> Figure:
    """Return the figure of that name, or the one that belongs to the result."""
    if kind is not None:
        kind = kind if kind in figure_kinds() else kind.casefold().replace("_", "-")
        origin = getattr(result, "origin", None)
        if isinstance(origin, ClassificationEvidence):
            kind = CLASSIFIER_FIGURES.get(kind, kind)
        if isinstance(result, Scores) and _shows_units(result, kind, options):
            return plot(kind, result, **options)
        if origin is None and type(result) in FIGURES_OF_RESULTS.keys() - {Confusion}:
            raise _no_other_figure(result, kind)
        return plot(kind, result if origin is None else origin, **options)
    draw = _find_figure(result)
    if draw is None:
        name = type(result).__name__
        raise UsageError(f"no figure belongs to a {name}; name one, as for assay.plot")
    return draw(result, **options)


def _shows_units(scores: Scores, kind: str, options: Mapping[str, Any]) -> bool:
    """Return whether a figure needs no more than the values by query, which all scores have."""
    measure = options.get("measure")
    known = measure is None or str(measure) in scores.measures
    return kind in UNIT_FIGURES and scores.task in ("retrieval", TABLE) and known


def _no_other_figure(result: Any, kind: str) -> UsageError:
    """Return the error for a figure by name of what keeps no items."""
    if kind not in figure_kinds():
        return unknown_name("figure", kind, figure_kinds())
    what = f"a {type(result).__name__} has"
    if isinstance(result, Scores):
        what = "scores that were loaded or read from a table have"
    return UsageError(
        f"{what} no items, so that '{kind}' cannot be drawn; plot() without a name shows the"
        f" values, and assay.plot('{kind}', …) takes the data"
    )


def _find_figure(result: Any) -> Callable[..., Figure] | None:
    """Return what draws the figure of a result; None where none belongs to it."""
    for each in type(result).__mro__:
        entry = RESULTS.get(each.__name__, Entry())
        if each in FIGURES_OF_RESULTS:
            return FIGURES_OF_RESULTS[each]
        if entry.figure:
            found: Callable[..., Figure] = load(entry.figure)
            return found
    return None


def small_figure(result: Any) -> Figure | None:
    """Return the figure for a notebook; None where none belongs to the result."""
    if _find_figure(result) is None:
        return None
    with suppress(AssayError):
        return draw_result(result)
    return None


def _scores_figure(scores: Scores, measure: str | None = None) -> Figure:
    """Return the systems with their intervals, or the figure of the only system."""
    if not scores.results:
        raise UsageError("there are no results to draw")
    named = measure or scores.measures[0]
    if len(scores.systems) == 1 and measure is None:
        origin = scores.origin
        allowed = len(getattr(getattr(origin, "first", None), "labels", ())) <= MOST_CLASSES
        for kind in TASK_FIGURES.get(scores.task, ()) if origin is not None else ():
            if kind != "confusion" or allowed:
                with suppress(AssayError):
                    return plot(kind, origin)
        return _only_system_figure(scores)
    ranked = scores.best_first(named)[:MOST_ROWS]
    measured = ranked[0].measure
    return _estimates(ranked, [each.system for each in ranked], measured, measured)


def _only_system_figure(scores: Scores) -> Figure:
    """Return the measures of a system with their intervals, or the units of its first measure."""
    whole = [each for each in scores.results if each.slice == ALL]
    if len(whole) > 1 or len(whole[0].units) < 2:
        return _estimates(
            whole[:MOST_ROWS], [each.measure for each in whole], scores.systems[0], "value"
        )
    return units_figure(whole[0])


def _estimates(results: Sequence[Result], names: Sequence[str], what: str, axis: str) -> Figure:
    """Return the values with their intervals, one below the other."""
    effects = [
        Effect(name, each.value, each.low, each.high, each.better)
        for name, each in zip(names, results, strict=False)
        if math.isfinite(each.value)
    ]
    return intervals_figure(effects, f"{what} with intervals", axis, signed=False)


def _comparison_figure(comparison: Comparison, measure: Any = None) -> Figure:
    """Return the differences in a measure, the first by default, with their intervals."""
    pairs = comparison.pairs.filter(pl.col("slice") == ALL)
    named = str(pairs["measure"][0]) if measure is None else comparison.find_measure(measure)
    better = comparison.systems.filter(pl.col("measure") == named)["better"]
    effects = [
        Effect(
            pair_name(row["system"], row["baseline"]),
            row["difference"],
            row["low"],
            row["high"],
            better[0],
        )
        for row in pairs.filter(pl.col("measure") == named).head(MOST_ROWS).iter_rows(named=True)
    ]
    return intervals_figure(effects, f"Differences in {named}", f"difference in {named}")


def _thresholds_figure(found: Thresholds) -> Figure:
    """Return rates at every threshold, with the chosen thresholds."""
    finite = found.table.filter(pl.col("threshold").is_finite())
    finite = finite.sort("threshold", descending=True)
    x = Axis.around("threshold", finite["threshold"].to_list())
    plane = Plane(x, Axis("rate"), width=420)
    lines = {
        name: {
            "threshold": finite["threshold"].to_numpy(),
            "rate": finite[name].fill_nan(0.0).to_numpy(),
        }
        for name in RATES
        if name in finite.columns
    }
    draw_lines(plane, rate_steps(lines), "threshold", "rate", key=list(lines))
    goals: dict[float, list[str]] = {}
    for each in found.chosen:
        if math.isfinite(each.threshold):
            goals.setdefault(each.threshold, []).append(each.goal)
    end = -math.inf
    down = 0
    for threshold, names in sorted(goals.items()):
        plane.rule((threshold, 0), (threshold, 1))
        start, words = plane.at(threshold, 0)[0], ", ".join(names)
        down = down + 14 if start < end else 0
        end = start + 6 + text_width(words)
        plane.text(threshold, 0, words, anchor="start", shift=(4, -8 - down))  # Few curves are low.
    return plane.figure("Rates by threshold", lines)


def _gate_figure(gate: Gate) -> Figure:
    """Return how far each check is from its limit."""
    effects = [
        Effect(
            f"{each.system}: {each.measure} {each.rule}" + f", {each.slice}" * (each.slice != ALL),
            each.found - each.limit,
            math.nan,
            math.nan,
            holds=each.holds,
        )
        for each in gate.checks[:MOST_ROWS]
        if math.isfinite(each.found) and math.isfinite(each.limit)
    ]
    title = "Found minus limit; rings: checks that do not hold"
    return intervals_figure(effects, title, "found − limit")


def _holes_figure(holes: HolesReport, measure: Any = None) -> Figure:
    """Return the bounds of a measure, the first by default, for each run."""
    known = holes.measures["measure"].unique(maintain_order=True).to_list()
    named = known[0] if measure is None else find_measured(measure, known, "retrieval", {})
    effects = [
        Effect(row["system"], row["value"], row["low"], row["high"])
        for row in holes.measures.filter(pl.col("measure") == named).iter_rows(named=True)
    ]
    title = f"{named}: lowest and highest value that unjudged documents allow"
    return intervals_figure(effects, title, named, signed=False)


FIGURES_OF_RESULTS: dict[type, Callable[..., Figure]] = {
    Scores: _scores_figure,
    Comparison: _comparison_figure,
    Thresholds: _thresholds_figure,
    Gate: _gate_figure,
    HolesReport: _holes_figure,
    Confusion: confusion_figure,
}
"""The figure that belongs to a type of result, unless its entry in `RESULTS` names it."""
