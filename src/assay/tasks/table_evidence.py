"""Evidence of tasks over tables of items: what their systems share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import polars as pl

from assay.core.names import Measure
from assay.core.tables import Table
from assay.engine.scores import ALL
from assay.statistics.differences.paired_samples import NUMBERED_ITEMS_ERROR
from assay.tasks.evaluation import Measures, Views, describe_conventions
from assay.tasks.evidence import Evaluation, TaskEvidence
from assay.tasks.sklearn_profile import apply_profile


class TableSystem(Protocol):
    """One system: the table of its items, with what can be built from it."""

    @property
    def table(self) -> Table:
        """The items that are evaluated."""

    @property
    def slices(self) -> Mapping[str, pl.Series]:
        """Which rows belong to each slice."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the table."""

    def views(self, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns allow."""

    def items(self) -> Views:
        """Return how to find the items behind each view."""


Member = TypeVar("Member", bound=TableSystem)


@dataclass(frozen=True)
class TableEvidence(TaskEvidence, Generic[Member]):
    """The systems of a task over tables of items, by name."""

    table_name: ClassVar[str]
    """What the table of one system alone is called among the inputs."""
    members: Mapping[str, Member]
    item: str | None = None
    """The column that identifies items; else their row numbers do."""
    profile: str = "assay"
    missing: str = "error"
    sources: Mapping[str, str] = field(default_factory=dict)
    """The file of each system, where each has a file of its own."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.members)

    @property
    def first(self) -> Member:
        """The system that was named first."""
        return next(iter(self.members.values()))

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns of a system allow."""
        return self.members[system].views(slice_name)

    def about(self, system: str) -> str:
        """Return the name of the table."""
        return self.members[system].table.source.name

    def items(self, system: str) -> Views:
        """Return how to find the items of a system behind each view."""
        return self.members[system].items()

    def slices(self, system: str) -> tuple[str, ...]:
        """Return the names of the slices."""
        return tuple(self.members[system].slices)

    def select_measures(self, measures: Measures = None) -> list[Measure]:
        """Return the requested measures, with the parameters of the profile."""
        return apply_profile(super().select_measures(measures), self.profile)

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return the notes on the table of each system."""
        return [note for member in self.members.values() for note in member.notes]

    @abstractmethod
    def choices(self) -> dict[str, Any]:
        """Return the conventions that only this task has."""

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions; the inputs of several systems are listed by their names."""
        tables = {name: member.table for name, member in self.members.items()}
        alone = len(tables) == 1
        apart = self.item is None and len({*self.sources.values()}) > 1
        return describe_conventions(
            {self.table_name: self.first.table} if alone else tables,
            evaluation.interval,
            profile=self.profile,
            **self.choices(),
            missing=self.missing,
            items=len(self.first.table),
            item=self.item,
            slices={name: int(rows.sum()) for name, rows in self.first.slices.items()},
            **({"sources": dict(self.sources)} if self.sources else {}),
            **({NUMBERED_ITEMS_ERROR: True} if apart else {}),
        )
