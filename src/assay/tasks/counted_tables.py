"""Classifications and clusterings in Spark frames: equal rows are counted where they are.

A confusion matrix and a table of clusters by class are counts, which add up exactly; only the
distinct rows with their counts come to the driver. Whatever needs single items is collected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import polars as pl

from assay.core.errors import missing_column
from assay.core.names import Measure
from assay.core.names import measures as measures_named
from assay.core.tables import Source, Table
from assay.engine.result import ALL
from assay.engine.spark.frames import count_by, plain_failures
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency, count_contingency
from assay.evidence.views.threshold_table import ThresholdTable
from assay.formats.spark_frames import collect_frame
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS as OF_CLASSES
from assay.tasks.classification.predictions import read_predictions
from assay.tasks.evidence import Evaluation, Measures, TaskEvidence, Views
from assay.tasks.sklearn_profile import apply_profile
from assay.tasks.table_evidence import SystemInput, columns_of_systems

COUNT = "count"
_SINGLE_ITEMS = ("probabilities", "item", "weight", "by", "threshold", "split", "splits")


@dataclass(frozen=True)
class CountedSystems(TaskEvidence):
    """Systems whose rows were counted elsewhere, each with its views."""

    task: str
    needs: Mapping[Any, str]
    members: Mapping[str, Mapping[Any, Any]]
    settled: Mapping[str, Any]
    """The conventions."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.members)

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return the views of a system."""
        return {kind: partial(self.members[system].get, kind) for kind in self.members[system]}

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the parameters of the profile."""
        return apply_profile(measures, self.settled.get("profile", "assay"))

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions."""
        return dict(self.settled)


def _are_counts(measures: Any, task: str, kinds: Sequence[Any]) -> bool:
    return all(each.definition.view in kinds for each in measures_named(measures, task))


def can_count_classes(columns: ClassificationColumns, measures: Measures) -> bool:
    """Return whether counts of equal rows are enough for these columns and measures."""
    unused = ClassificationColumns()
    if any(getattr(columns, name) != getattr(unused, name) for name in _SINGLE_ITEMS):
        return False
    if measures is None:
        return columns.score is None
    return _are_counts(measures, "classification", (Confusion, ThresholdTable))


def count_classes(data: Any, columns: ClassificationColumns) -> CountedSystems:
    """Count the rows of each system by true and predicted class, and by score if there is one."""
    members: dict[str, dict[Any, Any]] = {}
    total = 0
    answers = columns_of_systems(columns.system_columns)
    for label, own in answers:
        name = label if len(answers) > 1 else columns.name
        table = _counted(data, [columns.truth, *own.values()], "the decisions")
        total = int(table.frame[COUNT].sum())
        system = SystemInput(name, table, own)
        found = read_predictions(system, replace(columns, weight=COUNT)).views()
        # The weights are numbers of items, so that the view is worth as many.
        members[name] = {
            kind: replace(found[kind](), effective=None)
            for kind in (Confusion, ThresholdTable)
            if kind in found
        }
    settled = {"profile": columns.profile, "missing": columns.missing, "items": total}
    return CountedSystems("classification", OF_CLASSES, members, settled)


def can_count_clusters(measures: Measures, *others: Any) -> bool:
    """Return whether counts of equal rows are enough for these measures."""
    if any(each not in (None, (), []) for each in others):
        return False
    return measures is None or _are_counts(measures, "clustering", (Contingency,))


def count_clusters(
    data: Any, clusters: Sequence[str], classes: str, needs: Mapping[Any, str]
) -> CountedSystems:
    """Count the rows of each clustering by cluster and class."""
    members, total = {}, 0
    for column in clusters:
        table = _counted(data, [column, classes], "the clusters")
        total = int(table.frame[COUNT].sum())
        cells = table.frame.rename({column: "cluster", classes: "class", COUNT: "size"})
        members[column] = {Contingency: count_contingency(cells)}
    return CountedSystems("clustering", needs, members, {"items": total})


def _counted(data: Any, columns: Sequence[str], what: str) -> Table:
    """Return the distinct rows of some columns with the number of each."""
    for name in columns:
        if name not in data.columns:
            raise missing_column(what, name, data.columns)
    with plain_failures(what):
        frame = collect_frame(count_by(data, list(dict.fromkeys(columns))), what)
    return Table(frame.with_columns(pl.col(COUNT).cast(pl.Float64)), Source(what))
