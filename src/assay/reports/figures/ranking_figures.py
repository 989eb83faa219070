"""Figures of rankings: gain by depth, two systems query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.core.arrays import Floats, exact_mean
from assay.core.errors import UsageError
from assay.core.names import measure as measure_named
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.evidence.views.rankings import Rankings
from assay.reports.figures.figure import ACCENT, BAD, GOOD, MUTED, Axis, Figure, figure, text_width
from assay.reports.figures.lines_and_labels import draw_lines
from assay.reports.figures.plane import Plane, shorten_name
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.scores.read_scores import find_system


@figure("gain", RetrievalEvidence)
def plot_gain(evidence: RetrievalEvidence, measure: str = "nDCG") -> Figure:
    """Draw a measure at growing depths, over all queries."""
    why = "which this figure does not use"
    evidence.select_measures_of(Rankings, f"{measure}@{DEPTHS[0]}", why)
    return gain_figure({name: evidence.rankings(name) for name in evidence.systems}, measure)


@figure("per-query", RetrievalEvidence, also=[Scores])
def plot_per_query(
    evidence: RetrievalEvidence | Scores,
    measure: str | None = None,
    first: str | None = None,
    second: str | None = None,
) -> Figure:
    """Draw the change from the first system to the second on each query."""
    return per_query_figure(_select_pair(evidence, measure, first, second))


@figure("scatter", RetrievalEvidence, also=[Scores])
def plot_scatter(
    evidence: RetrievalEvidence | Scores,
    measure: str | None = None,
    first: str | None = None,
    second: str | None = None,
) -> Figure:
    """Draw each query as a point: one system against the other."""
    return scatter_figure(_select_pair(evidence, measure, first, second))


def _select_pair(
    given: RetrievalEvidence | Scores, measure: str | None, first: str | None, second: str | None
) -> SystemPair:
    """Return the values of two systems; of Scores by default those of the first measure."""
    if isinstance(given, Scores):
        name = given.measures[0] if measure is None else given.find_measure(measure)
        return paired_values(given, name, first, second)
    scores = given.scores(measure or "nDCG@10", interval=None)
    return paired_values(scores, scores.measures[0], first, second)


DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20)


def gain_figure(
    systems: Mapping[str, Rankings], measure: str = "nDCG", depths: tuple[int, ...] = DEPTHS
) -> Figure:
    """The mean of a measure over the queries when lists are cut at each of several depths."""
    points = {
        name: {"depth": np.asarray(depths), measure: _means(rankings, measure, depths)}
        for name, rankings in systems.items()
    }
    values = [float(v) for columns in points.values() for v in columns[measure]]
    whole = 0.5 <= max(values) <= 1  # Lower curves are drawn as large as there is room.
    only = [each.queries for each in systems.values() if len(each.queries) == 1]
    mean = "" if only else "mean "
    y = Axis.around(f"{mean}{measure}@depth", [*values, 0, 1] if whole else values, True)
    plane = Plane(Axis("depth", 0, max(depths)), y)
    draw_lines(plane, points, "depth", measure, dots=True)
    over = f"query {only[0][0]}" if only else "mean over the queries"
    title = f"{measure} when lists are cut at a depth, {over}"
    return plane.figure(title, points)


def _means(rankings: Rankings, measure: str, depths: tuple[int, ...]) -> np.ndarray:
    means = []
    for depth in depths:
        values = measure_named(f"{measure}@{depth}", "retrieval")(rankings)
        means.append(exact_mean(values[~np.isnan(values)].tolist()))
    return np.asarray(means)


MOST_NAMED = 40
"""Up to this number of queries, each is named at its bar; of more, only the extremes."""
EXTREMES = 5


@dataclass(frozen=True)
class SystemPair:
    """The values of two systems on their common units."""

    measure: str
    names: tuple[str, str]
    units: tuple[str, ...]
    first: Floats
    second: Floats


def paired_values(
    scores: Scores, measure: str, first: str | None, second: str | None
) -> SystemPair:
    """The values of a measure for two systems, where both are defined.

    By default two systems as they were given, and of more from the second best to the best.
    """
    by_system = {each.system: each for each in scores.of(measure)}
    if len(by_system) < 2:
        raise UsageError("two systems are needed to compare them query by query; give two runs")
    first, second = (
        None if name is None else find_system(scores, name, "system") for name in (first, second)
    )
    ranked = [each.system for each in scores.best_first(measure)]
    usual = list(by_system) if len(by_system) == 2 else [ranked[1], ranked[0], *ranked[2:]]
    one = first or next(name for name in usual if name != second)
    other = second or next(name for name in reversed(usual[:2]) if name != one)
    return _pair_units(by_system[one], by_system[other])


def _pair_units(one: Result, other: Result) -> SystemPair:
    places = {unit: number for number, unit in enumerate(other.units)}
    common = [(n, places[unit]) for n, unit in enumerate(one.units) if unit in places]
    rows = np.asarray(common, dtype=np.int64).reshape(-1, 2)
    first, second = one.values[rows[:, 0]], other.values[rows[:, 1]]
    defined = ~(np.isnan(first) | np.isnan(second))
    units = tuple(one.units[n] for n in rows[defined, 0].tolist())
    return SystemPair(
        one.measure, (one.system, other.system), units, first[defined], second[defined]
    )


def per_query_figure(pair: SystemPair) -> Figure:
    """The difference of the second system from the first on each query, from loss to win."""
    change = pair.second - pair.first
    order = np.lexsort((np.arange(len(change)), change))
    ordered = change[order].tolist()
    units = [pair.units[n] for n in order.tolist()]
    x = Axis("queries, from the greatest loss to the greatest gain", 0, max(len(ordered), 1))
    names = " − ".join(shorten_name(name, 20) for name in reversed(pair.names))
    plane = Plane(x, Axis.around(f"{pair.measure}: {names}", ordered, zero=True), width=520)
    for place, (unit, value) in enumerate(zip(units, ordered, strict=True)):
        color = GOOD if value > 0 else BAD
        plane.box((place, place + 0.9), (0, value), color, 0.85, f"{unit}: {value:+.4f}")
    plane.rule((0, 0), (len(ordered), 0), stroke_dasharray=None)
    (_name_bars if len(units) <= MOST_NAMED else _name_extremes)(plane, units, ordered)
    higher, lower = int((change > 0).sum()), int((change < 0).sum())
    same = len(change) - higher - lower
    title = (
        f"{pair.measure}: {pair.names[1]} against {pair.names[0]}:"
        f" higher on {higher}, lower on {lower}, the same on {same} queries"
    )
    points = {"change": {"query": units, "change": ordered}}
    return plane.figure(title, points)


def _name_bars(plane: Plane, units: list[str], changes: list[float]) -> None:
    """The name of each query across the line from its bar, upright where bars are narrow."""
    names = [shorten_name(unit, 14) for unit in units]
    room = plane.width / max(len(units), 1) - 6
    if max(map(text_width, names), default=0) < room:
        for place, (name, change) in enumerate(zip(names, changes, strict=True)):
            shift = (0, -9 if change < 0 else 10)
            plane.text(place + 0.45, 0, name, shift=shift, size=10, color=MUTED)
        return
    for place, (unit, change) in enumerate(zip(names, changes, strict=True)):
        across, down = plane.at(place + 0.45, 0)
        anchor, gap = ("start", 6) if change < 0 else ("end", -6)
        turn = f"rotate(-90 {across} {down}) translate({gap} 0)"
        style: dict[str, Any] = {"anchor": anchor, "color": MUTED, "transform": turn}
        plane.text(place + 0.45, 0, unit, size=10, **style)


def _name_extremes(plane: Plane, units: list[str], changes: list[float]) -> None:
    """The queries that lose most above their bars, and those that gain most below theirs."""
    count = len(units)
    losses = [n for n in range(count) if changes[n] < 0][:EXTREMES]
    gains = [n for n in reversed(range(count)) if changes[n] > 0][:EXTREMES]
    pairs = zip(units, changes, strict=True)
    words = [f"{shorten_name(unit, 20)}  {value:+.3f}" for unit, value in pairs]
    for row, n in enumerate(losses):
        shift = (4, 2 - 14 * (len(losses) - row))
        plane.text(0, 0, words[n], anchor="start", shift=shift, size=10.5, color=BAD)
    for row, n in enumerate(gains, 1):
        plane.text(count, 0, words[n], anchor="end", shift=(-4, 14 * row), size=10.5, color=GOOD)


def scatter_figure(pair: SystemPair) -> Figure:
    """Each query as a point: its value for one system and for the other."""
    low = min(0.0, *pair.first.tolist(), *pair.second.tolist())
    high = max(1.0, *pair.first.tolist(), *pair.second.tolist())
    x, y = (Axis(f"{pair.measure} of {name}", low, high) for name in pair.names)
    plane = Plane(x, y, width=320, height=320)
    plane.rule((low, low), (high, high))
    titles = [
        f"{unit}: {a:.4f}, {b:.4f}"
        for unit, a, b in zip(pair.units, pair.first, pair.second, strict=True)
    ]
    opacity = 0.75 if len(titles) <= 500 else 0.3
    plane.points(pair.first.tolist(), pair.second.tolist(), ACCENT, 3.4, titles, opacity)
    plane.text(high, low, f"{pair.names[0]} is higher", anchor="end", shift=(-6, -10), color=MUTED)
    plane.text(low, high, f"{pair.names[1]} is higher", anchor="start", shift=(8, 10), color=MUTED)
    title = f"{pair.measure} on each query: {pair.names[1]} against {pair.names[0]}"
    columns = {"query": pair.units, "first": pair.first, "second": pair.second}
    return plane.figure(title, {"queries": columns})
