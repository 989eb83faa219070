"""Clustering: items in clusters, with their classes, their coordinates or both, to Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import polars as pl

from assay.core.errors import NeedsInput, UsageError, unknown_name
from assay.core.names import Measure
from assay.core.progress import with_progress
from assay.core.tables import Table
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.item_cells import slice_items
from assay.evidence.views.contingency import Contingency, Memberships
from assay.evidence.views.points import Points
from assay.evidence.views.points import Progress as PairProgress
from assay.formats.decimal_commas import with_decimal_commas
from assay.formats.spark_frames import is_spark_frame
from assay.statistics.intervals.jackknife import (
    MOST_CELLS,
    add_jackknife_intervals,
    describe_jackknife,
    require_jackknife,
)
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.clustering.cluster_columns import (
    ClusterColumns,
    Clustering,
    find_clusterings,
    read_clustering,
)
from assay.tasks.evidence import Evaluation, IntervalSettings, Measures, Views
from assay.tasks.inputs.array_columns import slice_arrays, split_arguments
from assay.tasks.inputs.label_arrays import cluster_arrays
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from assay.tasks.table_evidence import MemberEvidence

NEEDS = {
    Contingency: "the true class of each item: name its column with `classes`",
    Memberships: "the true class of each item: name its column with `classes`",
    Points: "the coordinates of the points: name their columns with `features`",
}


@dataclass(frozen=True)
class ClusteringEvidence(MemberEvidence[Clustering]):
    """One clustering or several, with the classes of their items, their coordinates or both."""

    task = "clustering"
    needs = NEEDS
    has_items: ClassVar[bool] = True
    intervals: ClassVar[IntervalSettings] = staticmethod(add_jackknife_intervals)
    columns: ClusterColumns = ClusterColumns()  # noqa: RUF009 (frozen)
    application: RetrievalEvidence | None = None
    """The runs that use the clusterings, whose retrieval scores are added."""
    pair_progress: PairProgress = lambda share: None
    """Receives the share of the pairs of points that is done."""

    @classmethod
    def read(
        cls,
        data: Any,
        columns: ClusterColumns | None = None,
        qrels: Any = None,
        runs: Mapping[str, Any] | None = None,
    ) -> ClusteringEvidence:
        """Read the columns of one table, a sequence of tables, or a dict of name to table.

        ``runs`` (with ``qrels``) are the runs that use each clustering, by its name.
        """
        used = columns or ClusterColumns()
        found = find_clusterings(data, used)
        read = cls.read_each(
            found, lambda each: read_clustering(each, used), item=used.item, columns=used
        )
        if runs is None and qrels is None:
            return read
        return replace(read, application=_read_application(read.systems, qrels, runs or {}))

    @property
    def inputs(self) -> dict[str, Table]:
        """The tables by clustering; one table alone is called clusters."""
        if not self.several_tables:
            return {"clusters": self.first.table}
        return {name: member.table for name, member in self.members.items()}

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns of a clustering allow."""
        return self.members[system].part(slice_name).views(self.pair_progress)

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the names of the slices."""
        return tuple(self.members[system].slices)

    def view(self, system: str, kind: Any, what: str) -> Any:
        """Return one view of a clustering; refuse ``what`` if the columns do not allow it."""
        views = self.views(system)
        if kind not in views:
            raise NeedsInput(f"{what} needs {self.needs[kind]}")
        return views[kind]()

    def items(self, system: str) -> Views:
        """Return how to find the items of a clustering behind its contingency table."""
        return self.members[system].items()

    def slice_units(self, system: str) -> Mapping[str, frozenset[str]]:
        """Return the items of each slice."""
        member = self.members[system]
        return {} if member.classes is None else slice_items(member.assignments(), member.slices)

    def about(self, system: str) -> str:
        """Return the name of the table, and the column of the clusters."""
        member = self.members[system]
        return f"{member.source.name}, clusters {member.column}"

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the distance that was chosen for all of them."""
        if self.columns.distance is None or self.columns.precomputed:
            return measures
        return [each.default("distance", self.columns.distance) for each in measures]

    def complete(self, scores: Scores, evaluation: Evaluation) -> Scores:
        """Return the scores of the clusterings, and of the runs that use them."""
        if self.application is None:
            return scores
        applied = self.application.scores(interval=evaluation.interval)
        renamed = [replace(each, measure=f"retrieval.{each.measure}") for each in applied.results]
        warnings = tuple(dict.fromkeys((*scores.warnings, *applied.warnings)))
        return replace(scores, results=(*scores.results, *renamed), warnings=warnings)

    def describe_interval(self, interval: Bootstrap | None) -> dict[str, Any] | None:
        """Return the settings of the jackknife; the intervals of runs may be of any kind."""
        if interval is None:
            return None
        described = describe_jackknife(interval.confidence)
        if self.application is not None:
            return described | {"runs": dict(interval.description)}
        require_jackknife(interval)
        return described

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the number of clusters of each clustering, and how they were read."""
        sizes = {name: int(rows.sum()) for name, rows in self.first.slices.items()}
        return {
            "clusters": {name: member.cluster_count for name, member in self.members.items()},
            "distance": self.columns.distance,
            "missing": self.columns.missing,
            "items": max(member.frame.height for member in self.members.values()),
            "item": self.item,
            **({"slices": sizes} if sizes else {}),
        }

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return notes on items that are left out, and on tables too large for intervals."""
        counted = any(each.definition.view is Contingency for each in evaluation.measures)
        found: list[str] = []
        for name, member in self.members.items():
            found += member.notes
            cells = len(member.contingency.cells) if counted and evaluation.interval else 0
            if cells > MOST_CELLS:
                found.append(
                    f"{name}: a table of {cells:,} cells is too large for intervals"
                    f" (at most {MOST_CELLS:,})"
                )
        return found


@with_progress
def clustering(
    data: Any = None,
    labels_pred: Any = None,
    measures: Measures = None,
    *,
    cluster: str | Sequence[str] = "cluster",
    classes: str | None = None,
    item: str | None = None,
    features: Any = None,
    distance: str | None = None,
    missing: MissingPolicy = "error",
    by: Any = (),
    qrels: Any = None,
    runs: Mapping[str, Any] | None = None,
    decimal_comma: bool = False,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: PairProgress = lambda share: None,
) -> Scores:
    """Evaluate clusters against the true classes of their items, by the points alone, or both.

    ``data`` holds the true classes or a matrix of coordinates, beside an array of clusters
    (``labels_pred``) or a dict of these by the names of the clusterings. Or it is a path, a frame
    or a dict of columns, or several of these as a sequence or as a dict of name to table; then the
    other arguments name its columns, and the second one may list the measures. Of the columns
    ``cluster`` and ``features`` may be several or patterns such as ``k*``. ``distance`` is
    euclidean, squared, cosine or manhattan for all measures that take one; with precomputed the
    features are the distances of all rows to all rows. ``missing`` is the policy for items without
    a cluster or a class. ``by`` names columns, or holds arrays, whose values define slices.
    ``runs`` (with ``qrels``) are the runs that use each clustering, by its name: their retrieval
    scores are added. ``progress`` receives the share of the pairs of points that is done.
    ``decimal_comma`` reads numbers such as 0,25.
    """
    if data is None:
        data, features = features, None
    labels_pred, measures = split_arguments(data, labels_pred, measures)
    data = with_decimal_commas(data, decimal_comma)
    if is_spark_frame(data) and classes is not None:
        from assay.tasks.clustering.counted_clusters import can_count_clusters, count_clusters

        if can_count_clusters(measures, item, features, by, runs):
            named = [cluster] if isinstance(cluster, str) else list(cluster)
            return count_clusters(data, named, classes, NEEDS).scores(measures, interval=interval)
    table, found = cluster_arrays(data, labels_pred, features)
    if found:
        added = slice_arrays(by, table.height)
        table, by = table.with_columns(**{k: pl.Series(v) for k, v in added.items()}), tuple(added)
    by = [by] if isinstance(by, str) else by
    asked = ClusterColumns(cluster, classes, item, features, distance, missing, by)
    evidence = ClusteringEvidence.read(table, replace(asked, **found), qrels, runs)
    return replace(evidence, pair_progress=progress).scores(measures, interval=interval)


def _read_application(
    names: Sequence[str], qrels: Any, runs: Mapping[str, Any]
) -> RetrievalEvidence:
    """Read the judgments, and the run that uses each clustering."""
    if qrels is None:
        raise UsageError(
            "to score the runs that use the clusterings, give their judgments with `qrels`"
        )
    for name in names:
        if name not in runs:
            raise UsageError(f"there is no run for the clustering {name}: give one for each")
    for name in runs:
        if name not in names:
            raise unknown_name("clustering", name, names)
    return RetrievalEvidence.read(qrels, {name: runs[name] for name in names})
