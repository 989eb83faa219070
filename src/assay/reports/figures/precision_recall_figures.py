"""Precision and recall of rankings: rank by rank of one query, and averaged over queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from assay.core.arrays import ratio
from assay.core.curves import Columns
from assay.core.errors import UsageError
from assay.core.names import measure as measure_named
from assay.evidence.views.rankings import Rankings
from assay.measures.curves.by_depth import sawtooth
from assay.measures.rankings.precision_recall_curves import (
    ELEVEN,
    precision_at_ranks,
    precision_at_recalls,
)
from assay.reports.figures.figure import ACCENT, BAD, GOOD, INK, MUTED, PAPER, Axis, Figure, figure
from assay.reports.figures.hatching import KeyBox
from assay.reports.figures.lines_and_labels import (
    MOST_DOTS,
    PointLabel,
    draw_lines,
    line_color,
    line_dash,
    place_labels,
)
from assay.reports.figures.plane import Plane, shorten_name
from assay.tasks.retrieval.precision_recall_points import PrecisionRecallPoints, pr
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

Average = Literal["recalls", "ranks"]
RANKS = (5, 10, 15, 20, 25, 30)
"""The ranks at which curves are averaged, unless others are asked for."""
SMALL = 0.5
"""Curves that reach less of the recall are drawn as large as there is room."""
ABOVE = 8
"""Room above the plane for ranks beside points near precision 1."""
MOST_BEHIND = 200
"""Of more queries no single curves are drawn behind the mean."""


@figure("pr", RetrievalEvidence)
def plot_precision_recall(
    evidence: RetrievalEvidence,
    query: str | None = None,
    mark: bool = False,
    average: Average = "recalls",
    ranks: Sequence[float] | None = None,
    each: bool = False,
) -> Figure:
    """Draw precision and recall of several systems over all queries, or of one query.

    Over queries the mean is taken at eleven ``recalls``, or at fixed ``ranks``; ``each`` draws the
    curve of every query behind it. Of one query and one system, ``mark`` shades the area of AP
    and marks the distance to precision 1 at recall 1 and the break-even point.
    """
    systems = {name: evidence.rankings(name) for name in evidence.systems}
    if query is None:
        if mark:
            raise UsageError("the area and the distance are marked for one query: name it, `query`")
        if ranks is not None or average == "ranks":
            chosen = _whole_ranks(ranks or RANKS)
            return averaged_figure(systems, evidence.rel, chosen, each)
        return averaged_figure(systems, evidence.rel, None, each)
    first = next(iter(systems.values()))
    if query not in first.queries:
        from assay.tasks.explanation.ranking_explanations import unknown_query_error

        raise unknown_query_error(query, evidence.judgments)
    if len(systems) == 1:
        return sawtooth_figure(first, query, evidence.rel, mark)
    if mark:
        raise UsageError(f"`mark` is for one system, found {len(systems)}: {', '.join(systems)}")
    return sawtooth_curves_figure(systems, query, evidence.rel)


def _whole_ranks(ranks: Sequence[float]) -> tuple[int, ...]:
    if bad := [each for each in ranks if not (each >= 1 and float(each).is_integer())]:
        raise UsageError(f"`ranks` has {bad[0]:g}; whole numbers from 1 are expected")
    return tuple(sorted({int(each) for each in ranks}))


def averaged_figure(
    systems: Mapping[str, Rankings], rel: float, ranks: tuple[int, ...] | None, behind: bool
) -> Figure:
    """The mean curve of each system at fixed ranks, or at eleven recalls if there are none.

    Single queries are ``behind`` it where that is wanted and they are few.
    """

    def curve(rankings: Rankings) -> Columns:
        """Return the mean over the queries of some rankings."""
        if ranks is None:
            return precision_at_recalls(rankings, rel=rel, levels=ELEVEN)
        return precision_at_ranks(rankings, rel=rel, ranks=ranks)

    means = {name: curve(rankings) for name, rankings in systems.items()}
    recalls, precisions = (  # of all curves one after the other, with NaN between them
        [value for mean in means.values() for value in [*mean[column].tolist(), np.nan]]
        for column in ("recall", "precision")
    )
    axes = Axis("recall"), Axis("interpolated precision" if ranks is None else "precision")
    if ranks is not None and not behind:  # The first ranks reach a small part of the recall.
        axes = Axis.around("recall", recalls, True), Axis.around("precision", precisions, True)
    plane = Plane(*axes)
    plane.top += ABOVE if ranks is not None else 0
    points: dict[str, Columns] = {}
    for number, (name, rankings) in enumerate(systems.items()):
        known = np.flatnonzero(rankings.relevant_count(rel) > 0)
        faint = {"stroke_width": 1, "stroke_opacity": min(0.45, max(0.15, 15 / max(len(known), 1)))}
        if behind and len(known) <= MOST_BEHIND:
            for place in known.tolist():
                own = curve(rankings.take([place]))
                query = rankings.queries[place]
                points[f"{name}, query {query}"] = own
                xs, ys = own["recall"].tolist(), own["precision"].tolist()
                plane.line(xs, ys, line_color(number), **faint)
    for mean in means.values() if points else ():  # A rim of paper around the mean.
        plane.line(mean["recall"].tolist(), mean["precision"].tolist(), PAPER, stroke_width=6)
    draw_lines(plane, means, "recall", "precision", dots=True, key=list(means))
    if ranks is not None:
        first = next(iter(means.values()))
        xs, ys = first["recall"].tolist(), first["precision"].tolist()
        labels = [PointLabel(x, y, f"{n}") for n, x, y in zip(ranks, xs, ys, strict=True)]
        place_labels(plane, labels, 10, [*zip(recalls, precisions, strict=True)], color=MUTED)
    at = "eleven recalls" if ranks is None else f"ranks {', '.join(map(str, ranks))}"
    what = "Precision and recall" if behind or ranks is not None else "Interpolated precision"
    only = {query for rankings in systems.values() for query in rankings.queries}
    over = f"query {min(only)}" if len(only) == 1 else "mean over the queries"
    title = f"{what} at {at}, {over}"
    if behind and points:
        title += "; thin lines: single queries"
    return plane.figure(title, means | points)


def sawtooth_figure(rankings: Rankings, query: str, rel: float = 1, mark: bool = False) -> Figure:
    """Precision and recall at every rank of one query, with the interpolated curve above it."""
    own = rankings.take([rankings.queries.index(query)])
    points = sawtooth(own, rel=rel)
    points["interpolated"] = np.maximum.accumulate(points["precision"][::-1])[::-1]
    plane = Plane(Axis("recall"), Axis("precision"))
    recall = points["recall"].tolist()
    series = {query: points}
    title = f"Precision and recall at every rank of query {query}"
    if mark and recall:
        marked, words = _mark(plane, own, rel, points)
        series |= marked
        title += f": {words}"
    plane.line(recall, points["precision"].tolist(), ACCENT)
    if len(recall) <= MOST_DOTS:
        plane.points(recall, points["precision"].tolist(), ACCENT, 2.6)
    upper = points["interpolated"].tolist()
    plane.line(*interpolated_steps(recall, upper), BAD, stroke_dasharray="7 3")
    if recall and not mark:
        plane.labels(
            [
                (recall[-1], upper[-1], "interpolated", BAD),
                (recall[-1], float(points["precision"][-1]), "at each rank", ACCENT),
            ]
        )
    return plane.figure(title, series)


def interpolated_steps(
    recall: Sequence[float], precision: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return the corners of the interpolated precision: the highest at this recall or above."""
    best: dict[float, float] = {}
    for at, height in zip(recall, precision, strict=True):
        best[at] = max(height, best.get(at, height))
    xs: list[float] = []
    ys: list[float] = []
    above = 0.0
    for at in sorted(best, reverse=True):
        above = max(above, best[at])
        xs += [at, at] if xs else [at]
        ys += [ys[-1], above] if ys else [above]
    return [*xs, 0.0][::-1], [*ys, above][::-1]


def _mark(
    plane: Plane, own: Rankings, rel: float, points: Columns
) -> tuple[dict[str, Columns], str]:
    """Shade the area of AP, and mark the distance to (1, 1) and the break-even point."""
    found = own.relevant(rel)
    known = float(own.relevant_count(rel)[0])
    steps = np.concatenate(([0.0], ratio(found.place, known)))
    for low, high, precision in zip(steps, steps[1:], found.precision, strict=False):
        plane.box((float(low), float(high)), (0, float(precision)), ACCENT, 0.16)
    area, efficiency, even = (
        float(measure_named(name, "retrieval")(own)[0])
        for name in (f"AP(rel={rel:g})", f"E(rel={rel:g})", f"BEP(rel={rel:g})")
    )
    recall, precision = points["recall"], points["precision"]
    nearest = int(np.argmin(np.hypot(1 - recall, 1 - precision)))
    start = float(recall[nearest]), float(precision[nearest])
    distance = float(np.hypot(1 - start[0], 1 - start[1]))
    plane.rule((0, 0), (1, 1))
    plane.rule(start, (1, 1), stroke=GOOD, stroke_width=2, stroke_dasharray="9 3 2 3")
    plane.points([1.0], [1.0], GOOD, 4)
    plane.points([even], [even], INK, 4)
    words = f"AP {area:.2f}"
    plane.key(
        [
            ("at each rank", ACCENT, None),
            ("interpolated", BAD, "7 3"),
            KeyBox(f"area: {words}", ACCENT, 0.16),
            (f"d = {distance:.2f}, E = {efficiency:.3f}", GOOD, "9 3 2 3"),
            (f"break-even at {even:.2f}", MUTED, "4 4"),
        ]
    )
    marked = {
        "area of AP": {"from": steps[:-1], "to": steps[1:], "precision": found.precision},
        "distance": {"recall": np.asarray([start[0], 1]), "precision": np.asarray([start[1], 1])},
        "break-even point": {"recall": np.asarray([even]), "precision": np.asarray([even])},
    }
    return marked, f"{words}, distance {distance:.2f}, break-even {even:.2f}"


def sawtooth_curves_figure(systems: Mapping[str, Rankings], query: str, rel: float = 1) -> Figure:
    """Return precision and recall at every rank of one query, with a line for each system."""
    points = {
        name: sawtooth(rankings.take([rankings.queries.index(query)]), rel=rel)
        for name, rankings in systems.items()
    }
    reached = [float(value) for each in points.values() for value in each["recall"]]
    # Short lists reach a small part of the recall.
    small = max(reached, default=1.0) < SMALL
    plane = Plane(
        Axis.around("recall", reached, True) if small else Axis("recall"), Axis("precision")
    )
    draw_lines(plane, points, "recall", "precision", dots=True, key=list(points))
    title = f"Precision and recall at every rank of query {query}"
    return plane.figure(title, points)


@figure("pr-points")
def plot_points(data: Any) -> Figure:
    """Draw given points of precision and recall, with the interpolated curves."""
    return points_figure(pr(data))


def points_figure(found: PrecisionRecallPoints) -> Figure:
    """Draw the points of each method, and the interpolated precision at eleven recalls."""
    plane = Plane(Axis("recall"), Axis("precision"))
    curves = {
        name: {"recall": np.asarray(ELEVEN), "precision": found.interpolated[name].to_numpy()}
        for name in found.points
    }
    entries: list[tuple[str, str, str | None]] = []
    points = {}
    for number, (name, (recall, precision)) in enumerate(found.points.items()):
        color, dash = line_color(number), line_dash(number)
        corners = interpolated_steps(recall.tolist(), precision.tolist())
        plane.line(*corners, color, stroke_dasharray=dash)
        plane.points(recall.tolist(), precision.tolist(), color, 3.6)
        entries.append((shorten_name(name), color, dash))
        points[f"{name}, points"] = {"recall": recall, "precision": precision}
    plane.key(entries if len(entries) > 1 else [("interpolated", *entries[0][1:])])
    title = (
        "Points of precision and recall; lines: interpolated, the highest precision from there on"
    )
    return plane.figure(title, points | curves)
