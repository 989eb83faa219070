"""One clustering: the clusters of items, with their classes, their coordinates or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import AlignmentError, UsageError
from assay.core.tables import Assignments, Source, Table, ids_as_text
from assay.engine.result import ALL
from assay.evidence.item_cells import clustered_items
from assay.evidence.labels import similar_label_notes
from assay.evidence.views.contingency import (
    Contingency,
    Memberships,
    build_contingency,
    build_memberships,
)
from assay.evidence.views.points import (
    Points,
    Progress,
    build_points,
    matching_columns,
    read_coordinates,
)
from assay.formats.system_names import number_duplicates
from assay.tasks.evidence import Views
from assay.tasks.inputs.missing_values import MissingPolicy, handle_missing
from assay.tasks.inputs.table_columns import named_columns, row_slices
from assay.tasks.table_evidence import SystemInput, read_systems

PRECOMPUTED = "precomputed"
_AT = "row in the table"


@dataclass(frozen=True)
class ClusterColumns:
    """Which columns hold what, and how they are read."""

    cluster: str | Sequence[str] = "cluster"
    """One or several, or patterns such as ``k*``."""
    classes: str | None = None
    item: str | None = None
    features: str | Sequence[str] | None = None
    distance: str | None = None
    missing: MissingPolicy = "error"
    by: Sequence[str] = ()
    """Columns whose values define slices."""

    @property
    def precomputed(self) -> bool:
        """Whether the features are the distances of all rows to all rows."""
        return self.distance == PRECOMPUTED

    def with_classes(self, table: Table) -> ClusterColumns:
        """Return the columns with the column of the classes; refuse columns that do not exist."""
        frame, source = table.frame, table.source
        classes = self.classes
        if classes is None and self.features is None:
            if "class" not in frame.columns:
                raise UsageError(
                    f"{source.name}: clusters are evaluated by classes or by points, and neither"
                    " is given. Name the column of the true class with `classes`, or those of the"
                    f" coordinates with `features` (there are {', '.join(frame.columns)})"
                )
            classes = "class"
        named_columns(frame, source, {"classes": classes, "item": self.item})
        return replace(self, classes=classes)


@dataclass(frozen=True)
class Clustering:
    """One column of clusters, with what it can be evaluated by."""

    column: str
    frame: pl.DataFrame
    source: Source
    classes: str | None = None
    item: str | None = None
    coordinates: Floats | None = None
    """Rows × dimension; rows × rows where they are distances."""
    precomputed: bool = False
    notes: tuple[str, ...] = ()
    slices: Mapping[str, pl.Series] = field(default_factory=dict)
    """Which rows belong to each slice."""

    def part(self, slice_name: str) -> Clustering:
        """Return the clustering of the items of a slice."""
        if slice_name == ALL:
            return self
        inside = self.slices[slice_name]
        rows, found = inside.arg_true().to_numpy(), self.coordinates
        if found is not None:
            found = found[np.ix_(rows, rows)] if self.precomputed else found[rows]
        source = self.source.of(inside.arg_true())
        return replace(self, frame=self.frame.filter(inside), source=source, coordinates=found)

    @property
    def table(self) -> Table:
        """The items that are evaluated, with all columns that were given."""
        return Table(self.frame.drop(_AT), self.source)

    @property
    def cluster_count(self) -> int:
        """The number of clusters."""
        return ids_as_text(self.frame[self.column].unique()).n_unique()

    @cached_property
    def contingency(self) -> Contingency:
        """How many items of each class each cluster holds."""
        return build_contingency(self.assignments())

    def assignments(self) -> Assignments:
        """Return the clusters beside the classes."""
        named = {"cluster": self.column, "class": self.classes, "item": self.item}
        columns = [self.frame[column].alias(key) for key, column in named.items() if column]
        return Assignments.of(pl.DataFrame(columns), self.source)

    def views(self, progress: Progress = lambda share: None) -> Views:
        """Return how to build each view that the columns allow."""
        made: dict[Any, Callable[[], Any]] = {}
        if self.classes is not None:
            made[Contingency] = lambda: self.contingency
            made[Memberships] = lambda: build_memberships(self.assignments())
        if self.coordinates is not None:
            made[Points] = partial(
                build_points,
                self.coordinates,
                self.frame[self.column],
                None if self.item is None else self.frame[self.item],
                self.source,
                precomputed=self.precomputed,
                progress=progress,
            )
        return made

    def items(self) -> Views:
        """Return how to find the items behind the contingency table."""
        return {} if self.classes is None else clustered_items(self.assignments)


def find_clusterings(data: Any, columns: ClusterColumns) -> list[SystemInput]:
    """Return each column of clusters that is named or fits a pattern, in each table.

    A clustering is called by its column; one of several tables by its table, and by its column
    where the table has several.
    """
    found = []
    for each in read_systems(data, {}, "the clusters", ""):
        table = each.table
        if not len(table):
            raise AlignmentError(f"{table.source.name}: there are no rows to evaluate")
        columns.with_classes(table)
        wanted = matching_columns(table.frame.columns, _list_columns(columns.cluster), table.source)
        for column in wanted:
            words = [each.name, column] if len(wanted) > 1 else [each.name or column]
            found.append(SystemInput(" ".join(words).strip(), table, {"cluster": column}))
    names = number_duplicates([each.name for each in found])
    return [replace(each, name=name) for name, each in zip(names, found, strict=True)]


def read_clustering(given: SystemInput, columns: ClusterColumns) -> Clustering:
    """Read the rows that have a cluster and a class, with their coordinates."""
    frame, source, column = given.table.frame, given.table.source, given.columns["cluster"]
    used = columns.with_classes(given.table)
    needed: dict[str, list[str | None]] = {"cluster": [column], "class": [used.classes]}
    whole = handle_missing(frame.with_row_index(_AT), source, needed, used.missing)
    found = None
    if used.features is not None:
        wanted = matching_columns(frame.columns, _list_columns(used.features), source)
        if used.precomputed and len(wanted) == frame.height:
            wanted = [wanted[row] for row in whole.frame[_AT]]
        found = read_coordinates(whole.frame, wanted, whole.source)
    similar = [
        note
        for name, kind in ((used.classes, "classes"), (column, "clusters"))
        for note in similar_label_notes(_texts(whole.frame, name), kind)
    ]
    return Clustering(
        column,
        whole.frame,
        whole.source,
        used.classes,
        used.item,
        found,
        used.precomputed,
        tuple(f"{given.name}: {note}" for note in (*similar, *whole.notes)),
        row_slices(whole.frame, whole.source, used.by, frame),
    )


def _texts(frame: pl.DataFrame, column: str | None) -> list[str]:
    """Return the different texts of a column; none of numbers."""
    known = column is not None and frame[column].dtype == pl.String
    return frame[column].drop_nulls().unique().to_list() if known and column else []


def _list_columns(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
