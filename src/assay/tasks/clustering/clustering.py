"""Clustering: items in clusters, with their classes, their coordinates or both, to Scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from assay.core.errors import UsageError, did_you_mean
from assay.core.names import Measure
from assay.core.tables import Table
from assay.engine.scores import Result, Scores
from assay.evidence.item_cells import clustered_items
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.memberships import Memberships
from assay.evidence.views.points import Points, Progress
from assay.statistics.intervals.jackknife import MOST_CELLS, add_jackknife_intervals
from assay.statistics.intervals.jackknife import describe_jackknife as interval_described
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.clustering.cluster_columns import (
    PRECOMPUTED,
    ClusterColumns,
    Clustering,
    read_clusterings,
)
from assay.tasks.evaluation import Measures, describe_conventions, evaluate_system, select_measures
from assay.tasks.inputs.missing_values import Policy
from assay.tasks.retrieval.retrieval_evidence import retrieval

NEEDS = {
    Contingency: "the true class of each item: name its column with `classes`",
    Memberships: "the true class of each item: name its column with `classes`",
    Points: "the coordinates of the points: name their columns with `features`",
}
_RUNS = "the runs"


def clustering(
    data: Any,
    measures: Measures = None,
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
    columns = ClusterColumns(cluster, classes, item, features, distance, missing)
    found = read_clusterings(data, columns, progress)
    asked = select_measures(measures, "clustering", found[0].views(), NEEDS)
    if distance not in (None, PRECOMPUTED):
        asked = [each.default("distance", distance) for each in asked]
    parts = {each.name: _evaluate_clustering(each, asked, bootstrap) for each in found}
    if with_runs:
        parts[_RUNS] = _evaluate_runs(list(parts), qrels, runs or {}, bootstrap)
    told = describe_conventions({"clusters": Table(found[0].given, found[0].source)}, bootstrap)
    told |= {
        "interval": _describe_intervals(bootstrap, with_runs) if bootstrap else None,
        "clusters": {name: part.clusters for name, part in parts.items() if name != _RUNS},
        "distance": distance,
        "missing": missing,
        "item": item,
    }
    return Scores(
        task="clustering",
        results=tuple(result for part in parts.values() for result in part.results),
        conventions=told,
        warnings=tuple(note for part in parts.values() for note in part.notes),
        evidence={each.name: clustered_items(each.assignments) for each in found}
        if found[0].classes is not None
        else {},
    )


@dataclass(frozen=True)
class _ClusteringPart:
    """The results of one grouping, or of the runs that use them, and notes on these."""

    results: list[Result]
    notes: list[str]
    clusters: int = 0


def _evaluate_clustering(
    grouping: Clustering, asked: Sequence[Measure], bootstrap: Bootstrap | None
) -> _ClusteringPart:
    """The results of one grouping as asked for, and the number of its clusters."""
    seen: list[Any] = []

    def kept(make: Callable[[], Any]) -> Any:
        seen.append(make())
        return seen[-1]

    views = {kind: partial(kept, make) for kind, make in grouping.views().items()}
    results = evaluate_system(
        grouping.name, asked, views, bootstrap, intervals=add_jackknife_intervals
    )
    warnings = [
        f"{grouping.name}: a table of {len(view.cells):,} cells is too large for intervals"
        f" (at most {MOST_CELLS:,})"
        for view in seen
        if bootstrap is not None and view.cells is not None and len(view.cells) > MOST_CELLS
    ]
    return _ClusteringPart(
        results, [*grouping.notes, *warnings], len(seen[-1].clusters) if seen else 0
    )


def _describe_intervals(bootstrap: Bootstrap, with_runs: bool) -> dict[str, Any]:
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


def _evaluate_runs(
    names: Sequence[str], qrels: Any, runs: Mapping[str, Any], bootstrap: Bootstrap | None
) -> _ClusteringPart:
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
    return _ClusteringPart(named, list(scores.warnings))
