"""Evidence of tasks over tables: several files, several columns of one, or both, are systems."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import polars as pl

from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.tables import Table
from assay.engine.result import ALL
from assay.evidence.item_cells import slice_items
from assay.formats.containers import to_frame
from assay.formats.spark_frames import is_spark_frame
from assay.formats.system_names import number_duplicates, unique_names
from assay.tasks.evidence import Evaluation, TaskEvidence, Views
from assay.tasks.table_profiles import apply_profile

Columns = str | Sequence[str] | Mapping[str, str] | None
"""The column of one system, or those of several; a mapping names the systems."""


@dataclass(frozen=True)
class SystemInput:
    """Where the answers of one system are."""

    name: str
    table: Any
    """The table that was read, which has a source."""
    columns: Mapping[str, Any]
    """The columns of its answers, by kind."""


def read_table(given: Any, what: str, columns: Collection[str] | None = None) -> Table:
    """Read one table of items, at least the columns that are named."""
    return Table(*to_frame(given, what, columns))


def read_systems(
    data: Any,
    columns: Mapping[str, Columns],
    what: str,
    default: str,
    read: Callable[[Any, str], Any] = read_table,
) -> list[SystemInput]:
    """Read each table once, and name the systems by what distinguishes them.

    ``data`` is one table, a sequence of tables, or a dict of name to table. Each kind of column may
    name one column or several: the first of every kind belongs to the first system, and so on. A
    dict of the name of a system to its column names also a single system.
    """
    tables = _named_tables(read, data, what)
    answers = columns_of_systems(columns)
    is_named = len(answers) > 1 or any(isinstance(each, Mapping) for each in columns.values())
    found = []
    for file, table in tables:
        for label, own in answers:
            words = [file] * (len(tables) > 1) + [label] * is_named
            found.append((" ".join(words) or file or default, table, own))
    names = [name for name, *_ in found]
    if len(names) > 1:
        names = number_duplicates(names)
    return [SystemInput(name, *rest) for name, (_, *rest) in zip(names, found, strict=True)]


def _named_tables(read: Callable[[Any, str], Any], data: Any, what: str) -> list[tuple[str, Any]]:
    if isinstance(data, Mapping) and data and all(_is_table(each) for each in data.values()):
        return [(str(name), read(each, str(name))) for name, each in data.items()]
    if isinstance(data, Sequence) and not isinstance(data, str):
        tables = [read(each, what) for each in data]
        if len(tables) == 1:
            return [("", tables[0])]
        names = unique_names([each.source.name for each in tables])
        return list(zip(names, tables, strict=True))
    return [("", read(data, what))]


def _is_table(given: Any) -> bool:
    """Whether a value of a dict is a table of its own, rather than a column of one."""
    is_frame = (hasattr(given, "columns") and hasattr(given, "shape")) or is_spark_frame(given)
    return isinstance(given, str | Path | Table | Mapping) or is_frame


def columns_of_systems(given: Mapping[str, Columns]) -> list[tuple[str, dict[str, str]]]:
    """Return the label of each system, its first column unless it has one, and its columns."""
    listed = {
        kind: [columns]
        if isinstance(columns, str)
        else list(columns.values() if isinstance(columns, Mapping) else columns)
        for kind, columns in given.items()
        if columns
    }
    counts = {len(columns) for columns in listed.values()} or {1}
    if len(counts) > 1:
        said = ", ".join(f"{len(columns)} × `{kind}`" for kind, columns in listed.items())
        raise UsageError(
            f"each system needs one column of every kind, found {said}; name as many of each, in"
            " the same order"
        )
    labels = next((list(each) for each in given.values() if isinstance(each, Mapping)), None)
    first = next(iter(listed.values()), [""])
    return [
        (label, {kind: columns[n] for kind, columns in listed.items()})
        for n, label in enumerate(map(str, labels or first))
    ]


Member = TypeVar("Member")


@dataclass(frozen=True)
class MemberEvidence(TaskEvidence, Generic[Member]):
    """The systems of a task by name, each with what was read for it."""

    members: Mapping[str, Member]
    files: Mapping[str, str] = field(default_factory=dict)
    """The file of each system, where each has a file of its own."""
    item: str | None = None
    """The column that identifies items; else their row numbers do."""
    several_tables: bool = False
    """Whether the items come from more than one table, whose row numbers may differ."""
    numbered: bool = False
    """Whether only row numbers, in different tables, identify the items."""

    @classmethod
    def read_each(
        cls, systems: Sequence[SystemInput], read: Callable[[Any], Member], **fields: Any
    ) -> Self:
        """Return the evidence of systems that were found in tables, each read by ``read``.

        A task that pairs systems by items gives the field ``item``.
        """
        members = {each.name: read(each) for each in systems}
        files = {
            each.name: each.table.source.name
            for each in systems
            if each.table.source.digest is not None
        }
        distinct = files if len(set(files.values())) == len(files) else {}
        several = "item" in fields and len({id(each.table) for each in systems}) > 1
        numbered = several and fields["item"] is None
        return cls(members, distinct, several_tables=several, numbered=numbered, **fields)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.members)

    @property
    def sources(self) -> Mapping[str, str]:
        """The file of each system, where each has a file of its own."""
        return self.files

    @property
    def first(self) -> Member:
        """The system that was named first."""
        return next(iter(self.members.values()))


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

    @property
    def view_notes(self) -> Mapping[Any, str]:
        """By view, what a user of its measures should know."""

    def views(self, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns allow."""

    def items(self) -> Views:
        """Return how to find the items behind each view."""


TableMember = TypeVar("TableMember", bound=TableSystem)


@dataclass(frozen=True)
class TableEvidence(MemberEvidence[TableMember]):
    """The systems of a task over tables of items, by name."""

    has_items: ClassVar[bool] = True
    table_name: ClassVar[str]
    """What the table of one system alone is called among the inputs."""
    profile: str = "assay"
    missing: str = "error"
    split: Mapping[str, Any] = field(default_factory=dict)
    """The split that is evaluated, and the digest of the splits."""

    @property
    def inputs(self) -> dict[str, Table]:
        """The tables by system; that of one system alone has the name of the task's table."""
        if len(self.members) == 1:
            return {self.table_name: self.first.table}
        return {name: member.table for name, member in self.members.items()}

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

    def slice_units(self, system: str) -> Mapping[str, frozenset[str]]:
        """Return the items of each slice."""
        return slice_items(self.members[system].table, self.members[system].slices)

    def with_slices(self, slices: Mapping[str, pl.Series]) -> Self:
        """Return the same evidence with these slices, the same rows of every system."""
        members: dict[str, Any] = dict(self.members)
        for each, member in members.items():
            members[each] = replace(member, slices=slices)
        return replace(self, members=members)

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the parameters of the profile."""
        return measures if self.profile == "assay" else apply_profile(measures, self.profile)

    def choices(self, member: TableMember) -> dict[str, Any]:
        """Return the conventions of a system that only this task has."""
        return {}

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the conventions that the systems share."""
        members = list(self.members.values())
        first, *others = [self.choices(member) for member in members]
        shared = {
            key: each for key, each in first.items() if all(o.get(key) == each for o in others)
        }
        size, *sizes = [member.table.frame.height for member in members]
        slices, *further = [
            {name: int(rows.sum()) for name, rows in member.slices.items()} for member in members
        ]
        return {
            "profile": self.profile,
            **shared,
            **self.split,
            "missing": self.missing,
            **({"items": size} if all(each == size for each in sizes) else {}),
            "item": self.item,
            **({"slices": slices} if all(each == slices for each in further) else {}),
        }

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return the notes on the table of each system, which is named where not all share it."""
        members = self.members.values()
        views = {each.definition.view for each in evaluation.measures}
        notes_of = {
            name: [*each.notes, *(said for view, said in each.view_notes.items() if view in views)]
            for name, each in self.members.items()
        }
        notes = [
            note if all(note in other for other in notes_of.values()) else f"{name}: {note}"
            for name, own in notes_of.items()
            for note in own
        ]
        every = [self.choices(member) for member in members]
        for key in every[0]:
            found = dict.fromkeys(str(each.get(key)) for each in every)
            if any(each.get(key) != every[0][key] for each in every):
                notes.append(
                    f"the systems have different conventions: {key} is {' and '.join(found)}"
                )
        return notes
