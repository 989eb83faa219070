"""Evidence of tasks over tables of items: what their systems share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar

import polars as pl

from assay.core.names import Measure
from assay.core.tables import Table
from assay.engine.scores import ALL
from assay.tasks.evidence import Evaluation, Measures, MemberEvidence, Views, describe_conventions
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


TableMember = TypeVar("TableMember", bound=TableSystem)


@dataclass(frozen=True)
class TableEvidence(MemberEvidence[TableMember]):
    """The systems of a task over tables of items, by name."""

    table_name: ClassVar[str]
    """What the table of one system alone is called among the inputs."""
    item: str | None = None
    """The column that identifies items; else their row numbers do."""
    profile: str = "assay"
    missing: str = "error"
    sources: Mapping[str, str] = field(default_factory=dict)
    """The file of each system, where each has a file of its own."""
    several_tables: bool = False
    """Whether the systems come from more than one table, whose row numbers may differ."""

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
        notes = [note for member in self.members.values() for note in member.notes]
        every = [self.choices(member) for member in self.members.values()]
        for key, value in every[0].items():
            if any(each[key] != value for each in every):
                found = " and ".join(dict.fromkeys(str(each[key]) for each in every))
                notes.append(f"the systems have different conventions: {key} is {found}")
        return notes

    @abstractmethod
    def choices(self, member: TableMember) -> dict[str, Any]:
        """Return the conventions of a system that only this task has."""

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions; the inputs of several systems are listed by their names."""
        tables = {name: member.table for name, member in self.members.items()}
        alone = len(tables) == 1
        every = [self.choices(member) for member in self.members.values()]
        shared = {
            key: value
            for key, value in every[0].items()
            if all(each[key] == value for each in every)
        }
        sizes = [
            {name: int(rows.sum()) for name, rows in member.slices.items()}
            for member in self.members.values()
        ]
        return describe_conventions(
            {self.table_name: self.first.table} if alone else tables,
            evaluation.interval,
            self.sources,
            numbered=self.item is None and self.several_tables,
            profile=self.profile,
            **shared,
            missing=self.missing,
            **({"items": len(self.first.table)} if len({*map(len, tables.values())}) == 1 else {}),
            item=self.item,
            **({"slices": sizes[0]} if all(each == sizes[0] for each in sizes) else {}),
        )
