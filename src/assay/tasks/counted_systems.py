"""Systems in Spark frames whose equal rows are counted where they are.

A confusion matrix and a table of clusters by class are counts, which add up exactly; only the
distinct rows with their counts come to the driver. Whatever needs single items is collected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import polars as pl

from assay.core.errors import missing_column
from assay.core.names import Measure
from assay.core.names import measures as measures_named
from assay.core.tables import Source, Table
from assay.engine.result import ALL
from assay.engine.spark.frames import count_by, plain_failures
from assay.formats.spark_frames import collect_frame
from assay.tasks.evidence import Evaluation, TaskEvidence, Views
from assay.tasks.table_profiles import apply_profile

COUNT = "count"
"""The column with the number of equal rows."""


@dataclass(frozen=True)
class CountedSystems(TaskEvidence):
    """Systems whose rows were counted elsewhere, each with its views."""

    task: str
    needs: Mapping[Any, str]
    members: Mapping[str, Mapping[Any, Any]]
    settled: Mapping[str, Any]
    """The conventions."""
    notes: tuple[str, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    """The tables whose digests are kept, by name."""

    @property
    def inputs(self) -> Mapping[str, Table]:
        """The tables whose digests are kept, by name."""
        return self.tables

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what a user should know about the rows."""
        return self.notes

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


def are_counts(measures: Any, task: str, kinds: Sequence[Any]) -> bool:
    """Return whether all measures are of these kinds of views."""
    return all(each.definition.view in kinds for each in measures_named(measures, task))


def count_rows(data: Any, columns: Sequence[str], what: str) -> Table:
    """Return the distinct rows of some columns with the number of each."""
    for name in columns:
        if name not in data.columns:
            raise missing_column(what, name, data.columns)
    with plain_failures(what):
        frame = collect_frame(count_by(data, list(dict.fromkeys(columns))), what)
    return Table(frame.with_columns(pl.col(COUNT).cast(pl.Float64)), Source(what))
