"""Columns of clusters, each with whatever it can be evaluated by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.errors import AlignmentError, UsageError
from assay.core.tables import Assignments, Source
from assay.evidence.views.contingency import Contingency, build_contingency
from assay.evidence.views.memberships import Memberships, build_memberships
from assay.evidence.views.points import (
    Points,
    Progress,
    build_points,
    matching_columns,
    read_coordinates,
)
from assay.formats.containers import to_frame
from assay.tasks.inputs.missing_values import Policy, handle_missing
from assay.tasks.inputs.named_columns import named_columns

PRECOMPUTED = "precomputed"
_AT = "row in the table"


@dataclass(frozen=True)
class Clustering:
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

    @property
    def given(self) -> pl.DataFrame:
        """The columns as they were given."""
        return self.frame.drop(_AT)

    def views(self) -> dict[Any, Callable[[], Any]]:
        """How to make each view that the given columns allow."""
        made: dict[Any, Callable[[], Any]] = {}
        if self.classes is not None:
            made |= {
                Contingency: lambda: build_contingency(self.assignments()),
                Memberships: lambda: build_memberships(self.assignments()),
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
        return build_points(
            self.table,
            self.frame[self.name],
            items,
            self.source,
            precomputed=self.precomputed,
            progress=self.progress,
        )


@dataclass(frozen=True)
class ClusterColumns:
    """Which columns of a table hold what, and how their gaps and distances are taken."""

    cluster: str | Sequence[str] = "cluster"
    """One or several, or patterns such as ``k*``."""
    classes: str | None = None
    item: str | None = None
    features: str | Sequence[str] | None = None
    distance: str | None = None
    missing: Policy = "error"

    def require_columns(self, frame: pl.DataFrame, source: Source) -> ClusterColumns:
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


def read_clusterings(data: Any, columns: ClusterColumns, progress: Progress) -> list[Clustering]:
    """A grouping for each column of clusters that is named or fits a pattern."""
    frame, source = to_frame(data, "the clusters")
    if not frame.height:
        raise AlignmentError(f"{source.name}: there are no rows to evaluate")
    columns = columns.require_columns(frame, source)
    names = matching_columns(frame.columns, _list_columns(columns.cluster), source)
    return [_read_clustering(name, frame, source, columns, progress) for name in names]


def _read_clustering(
    name: str, frame: pl.DataFrame, source: Source, columns: ClusterColumns, progress: Progress
) -> Clustering:
    """The rows that have a cluster and a class, with their coordinates."""
    needed: dict[str, list[str | None]] = {"cluster": [name], "class": [columns.classes]}
    whole = handle_missing(frame.with_row_index(_AT), source, needed, columns.missing)
    own, precomputed = whole.frame, columns.distance == PRECOMPUTED
    table = None
    if columns.features is not None:
        wanted = matching_columns(frame.columns, _list_columns(columns.features), source)
        if precomputed and len(wanted) == frame.height:
            wanted = [wanted[row] for row in own[_AT]]
        table = read_coordinates(own, wanted, whole.source)
    notes = tuple(f"{name}: {note}" for note in whole.notes)
    return Clustering(
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


def _list_columns(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
