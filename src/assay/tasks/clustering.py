"""Clustering: items in clusters, with their classes, their coordinates or both, to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import polars as pl

from assay.core.errors import AlignmentError, UsageError, did_you_mean
from assay.core.names import Measure
from assay.core.tables import Assignments, Source, Table
from assay.engine.scores import Result, Scores
from assay.evidence.contingency import Contingency
from assay.evidence.from_assignments import contingency, memberships
from assay.evidence.from_points import coordinates, matching_columns, points
from assay.evidence.memberships import Memberships
from assay.evidence.points import Points, Progress
from assay.formats.containers import frame_of
from assay.statistics.intervals import Bootstrap
from assay.statistics.jackknife import MOST_CELLS, with_jackknife
from assay.statistics.jackknife import described as interval_described
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import named_columns
from assay.tasks.missing import Policy, settled
from assay.tasks.retrieval import retrieval

NEEDS = {
    Contingency: "the true class of each item: name its column with `classes`",
    Memberships: "the true class of each item: name its column with `classes`",
    Points: "the coordinates of the points: name their columns with `features`",
}
PRECOMPUTED = "precomputed"
_AT = "row in the table"
_RUNS = "the runs"


@dataclass(frozen=True)
class Grouping:
    """One column of clusters, with whatever it can be evaluated by."""

    name: str
    frame: pl.DataFrame
    source: Source
    classes: str | None = None
    item: str | None = None
    table: Any = None
    precomputed: bool = False
    progress: Progress = lambda share: None
    notes: tuple[str, ...] = ()

    def views(self) -> dict[Any, Callable[[], Any]]:
        """How to make each view that the given columns allow."""
        made: dict[Any, Callable[[], Any]] = {}
        if self.classes is not None:
            made |= {
                Contingency: lambda: contingency(self.assignments()),
                Memberships: lambda: memberships(self.assignments()),
            }
        if self.table is not None:
            made[Points] = self.points
        return made

    def assignments(self) -> Assignments:
        """The clusters beside the classes."""
        named = {"cluster": self.name, "class": self.classes, "item": self.item}
        columns = [self.frame[column].alias(key) for key, column in named.items() if column]
        return Assignments.of(pl.DataFrame(columns), self.source)

    def points(self) -> Points:
        """The points of each cluster."""
        items = None if self.item is None else self.frame[self.item]
        return points(
            self.table,
            self.frame[self.name],
            items,
            self.source,
            precomputed=self.precomputed,
            progress=self.progress,
        )


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold what, and how their gaps and distances are taken."""

    cluster: str | Sequence[str] = "cluster"
    """One or several, or patterns such as ``k*``."""
    classes: str | None = None
    item: str | None = None
    features: str | Sequence[str] | None = None
    distance: str | None = None
    missing: Policy = "error"

    def checked(self, frame: pl.DataFrame, source: Source) -> Columns:
        """The same with the class settled; a complaint where a column is not there."""
        settled_class = self.classes
        if settled_class is None and self.features is None:
            if "class" not in frame.columns:
                raise UsageError(
                    f"{source.name}: by what shall the clusters be judged? Name the column of the"
                    " true class with `classes`, or those of the coordinates with `features`"
                    f" (there are {', '.join(frame.columns)})"
                )
            settled_class = "class"
        named_columns(frame, source, {"classes": settled_class, "item": self.item})
        return replace(self, classes=settled_class)


def groupings(data: Any, columns: Columns, progress: Progress) -> list[Grouping]:
    """A grouping for each column of clusters that is named or fits a pattern."""
    frame, source = frame_of(data, "the clusters")
    if not frame.height:
        raise AlignmentError(f"{source.name}: there are no rows to evaluate")
    columns = columns.checked(frame, source)
    names = matching_columns(frame.columns, _listed(columns.cluster), source)
    return [_grouping(name, frame, source, columns, progress) for name in names]


def _grouping(
    name: str, frame: pl.DataFrame, source: Source, columns: Columns, progress: Progress
) -> Grouping:
    """The rows that have a cluster and a class, with their coordinates."""
    needed: dict[str, list[str | None]] = {"cluster": [name], "class": [columns.classes]}
    whole = settled(frame.with_row_index(_AT), source, needed, columns.missing)
    own, precomputed = whole.frame, columns.distance == PRECOMPUTED
    table = None
    if columns.features is not None:
        wanted = matching_columns(frame.columns, _listed(columns.features), source)
        if precomputed and len(wanted) == frame.height:
            wanted = [wanted[row] for row in own[_AT]]
        table = coordinates(own, wanted, whole.source)
    notes = tuple(f"{name}: {note}" for note in whole.notes)
    return Grouping(
        name,
        own,
        whole.source,
        columns.classes,
        columns.item,
        table,
        precomputed,
        progress,
        notes,
    )


def _listed(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def clustering(
    data: Any,
    measures: Asked = None,
    *,
    cluster: str | Sequence[str] = "cluster",
    classes: str | None = None,
    item: str | None = None,
    features: str | Sequence[str] | None = None,
    distance: str | None = None,
    missing: Policy = "error",
    qrels: Any = None,
    runs: Mapping[str, Any] | None = None,
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda share: None,
) -> Scores:
    """Evaluate clusters against the true classes of their items, by the points alone, or both.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns, of which
    ``cluster`` and ``features`` may be several or patterns such as ``k*``. ``distance`` is
    euclidean, squared, cosine or manhattan for all measures that take one; with precomputed the
    features are the distances of all rows to all rows. ``missing`` says what becomes of items
    without a cluster or a class. ``runs`` (with ``qrels``) are the runs that use each clustering,
    by the name of its column: their retrieval scores stand beside the others. ``progress`` is told
    which share of the pairs of points is done.
    """
    with_runs = runs is not None or qrels is not None
    _refuse_methods(bootstrap, with_runs)
    columns = Columns(cluster, classes, item, features, distance, missing)
    found = groupings(data, columns, progress)
    asked = chosen(measures, "clustering", found[0].views(), NEEDS)
    if distance not in (None, PRECOMPUTED):
        asked = [each.default("distance", distance) for each in asked]
    parts = {each.name: _evaluated(each, asked, bootstrap) for each in found}
    if with_runs:
        parts[_RUNS] = _by_application(list(parts), qrels, runs or {}, bootstrap)
    told = described({"clusters": Table(found[0].frame.drop(_AT), found[0].source)}, bootstrap)
    told |= {
        "interval": _described(bootstrap, with_runs) if bootstrap else None,
        "clusters": {name: part.clusters for name, part in parts.items() if name != _RUNS},
        "distance": distance,
        "missing": missing,
    }
    return Scores(
        task="clustering",
        results=tuple(result for part in parts.values() for result in part.results),
        conventions=told,
        warnings=tuple(note for part in parts.values() for note in part.notes),
    )


@dataclass(frozen=True)
class _Part:
    """The results of one grouping, or of the runs that use them, and notes on these."""

    results: list[Result]
    notes: list[str]
    clusters: int = 0


def _evaluated(grouping: Grouping, asked: Sequence[Measure], bootstrap: Bootstrap | None) -> _Part:
    """The results of one grouping as asked for, and the number of its clusters."""
    seen: list[Any] = []

    def kept(make: Callable[[], Any]) -> Any:
        seen.append(make())
        return seen[-1]

    views = {kind: partial(kept, make) for kind, make in grouping.views().items()}
    results = scored(grouping.name, asked, views, bootstrap, intervals=with_jackknife)
    warnings = [
        f"{grouping.name}: a table of {len(view.cells):,} cells is too large for intervals"
        f" (at most {MOST_CELLS:,})"
        for view in seen
        if bootstrap is not None and view.cells is not None and len(view.cells) > MOST_CELLS
    ]
    return _Part(results, [*grouping.notes, *warnings], len(seen[-1].clusters) if seen else 0)


def _described(bootstrap: Bootstrap, with_runs: bool) -> dict[str, Any]:
    """How the intervals of the clusterings are made, and those of the runs that use them."""
    told = interval_described(bootstrap.confidence)
    return told | {"runs": bootstrap.described()} if with_runs else told


def _refuse_methods(bootstrap: Bootstrap | None, with_runs: bool) -> None:
    """A bootstrap may be chosen for runs; clusterings, where it misleads, have a jackknife."""
    if bootstrap is not None and bootstrap.method != "expanded" and not with_runs:
        raise UsageError(
            f"the interval '{bootstrap.method}' is not for clusterings: theirs are by jackknife,"
            " since resamples look more orderly than the items; leave `interval` out"
        )


def _by_application(
    names: Sequence[str], qrels: Any, runs: Mapping[str, Any], bootstrap: Bootstrap | None
) -> _Part:
    """The retrieval scores of the run that uses each clustering, and what is to be told of it."""
    if qrels is None:
        raise UsageError(
            "to score the runs that use the clusterings, give their judgments with `qrels`"
        )
    for name in names:
        if name not in runs:
            raise UsageError(f"there is no run for the clustering {name}: give one for each")
    for name in runs:
        if name not in names:
            raise UsageError(
                f"there is no clustering called '{name}' for its run (there are"
                f" {', '.join(names)})." + did_you_mean(name, names)
            )
    scores = retrieval(qrels, {name: runs[name] for name in names}, bootstrap=bootstrap)
    named = [replace(each, measure=f"retrieval.{each.measure}") for each in scores.results]
    return _Part(named, list(scores.warnings))
