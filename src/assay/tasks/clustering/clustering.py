"""Clustering: items in clusters, with their classes, their coordinates or both, to Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from assay.core.errors import NeedsInput, UsageError, unknown_name
from assay.core.names import Measure
from assay.engine.scores import ALL, Scores
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.memberships import Memberships
from assay.evidence.views.points import Points
from assay.evidence.views.points import Progress as PairProgress
from assay.statistics.intervals.jackknife import (
    MOST_CELLS,
    add_jackknife_intervals,
    describe_jackknife,
)
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.clustering.cluster_columns import (
    ClusterColumns,
    Clustering,
    find_clusterings,
    read_clustering,
)
from assay.tasks.evidence import (
    Evaluation,
    IntervalSettings,
    Measures,
    MemberEvidence,
    Progress,
    Views,
    describe_conventions,
)
from assay.tasks.inputs.system_inputs import file_sources, in_several_tables
from assay.tasks.inputs.table_columns import Policy
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

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
    intervals: ClassVar[IntervalSettings] = staticmethod(add_jackknife_intervals)
    columns: ClusterColumns = ClusterColumns()  # noqa: RUF009 (frozen)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The file of each clustering, where each has a file of its own."""
    several_tables: bool = False
    """Whether the clusterings come from more than one table."""
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
        members = {each.name: read_clustering(each, used) for each in found}
        application = None
        if runs is not None or qrels is not None:
            application = _read_application(list(members), qrels, runs or {})
        return cls(members, used, file_sources(found), in_several_tables(found), application)

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns of a clustering allow."""
        return self.members[system].views(self.pair_progress)

    def view(self, system: str, kind: Any, what: str) -> Any:
        """Return one view of a clustering; refuse ``what`` if the columns do not allow it."""
        views = self.views(system)
        if kind not in views:
            raise NeedsInput(f"{what} needs {self.needs[kind]}")
        return views[kind]()

    def items(self, system: str) -> Views:
        """Return how to find the items of a clustering behind its contingency table."""
        return self.members[system].items()

    def about(self, system: str) -> str:
        """Return the name of the table, and the column of the clusters."""
        member = self.members[system]
        return f"{member.source.name}, clusters {member.column}"

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures, with the distance that was chosen for all of them."""
        selected = super().select_measures(measures)
        if self.columns.distance is None or self.columns.precomputed:
            return selected
        return [each.default("distance", self.columns.distance) for each in selected]

    def scores(
        self,
        measures: Measures = None,
        *,
        interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
        progress: Progress = lambda system: None,
    ) -> Scores:
        """Evaluate every clustering, then the runs that use them."""
        self._refuse_bootstrap(interval)
        found = super().scores(measures, interval=interval, progress=progress)
        if self.application is None:
            return found
        applied = self.application.scores(interval=interval)
        renamed = [replace(each, measure=f"retrieval.{each.measure}") for each in applied.results]
        warnings = tuple(dict.fromkeys((*found.warnings, *applied.warnings)))
        return replace(found, results=(*found.results, *renamed), warnings=warnings)

    def _refuse_bootstrap(self, interval: Bootstrap | None) -> None:
        """Refuse to resample clusterings; the intervals of runs may be of any kind."""
        if interval is None or interval.method == "expanded" or self.application is not None:
            return
        raise UsageError(
            f"the interval '{interval.method}' is not for clusterings: resamples look more orderly"
            " than the items, so clusterings have jackknife intervals; leave `interval` out"
        )

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the number of clusters of each clustering, and how they were read."""
        several = self.several_tables
        tables = {name: member.table for name, member in self.members.items()}
        found = describe_conventions(
            tables if several else {"clusters": self.first.table},
            evaluation.interval,
            self.sources,
            several and self.columns.item is None,
            clusters={name: member.cluster_count for name, member in self.members.items()},
            distance=self.columns.distance,
            missing=self.columns.missing,
            item=self.columns.item,
        )
        if evaluation.interval is not None:
            found["interval"] = describe_jackknife(evaluation.interval.confidence)
            if self.application is not None:
                found["interval"]["runs"] = evaluation.interval.described()
        return found

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
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: PairProgress = lambda share: None,
) -> Scores:
    """Evaluate clusters against the true classes of their items, by the points alone, or both.

    ``data`` is a path, a frame or a dict of columns, or several of these as a sequence or as a dict
    of name to table; the other arguments name its columns, of which ``cluster`` and ``features``
    may be several or patterns such as ``k*``. ``distance`` is euclidean, squared, cosine or
    manhattan for all measures that take one; with precomputed the features are the distances of all
    rows to all rows. ``missing`` is the policy for items without a cluster or a class. ``runs``
    (with ``qrels``) are the runs that use each clustering, by its name: their retrieval scores are
    added. ``progress`` receives the share of the pairs of points that is done.
    """
    columns = ClusterColumns(cluster, classes, item, features, distance, missing)
    evidence = ClusteringEvidence.read(data, columns, qrels, runs)
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
            raise unknown_name("clustering for the run", name, names)
    return RetrievalEvidence.read(qrels, {name: runs[name] for name in names})
