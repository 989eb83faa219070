"""Systems of tasks over tables of items: several files, several columns of one, or both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from assay.core.errors import UsageError
from assay.core.tables import Source, Table
from assay.formats.containers import to_frame
from assay.formats.system_names import number_duplicates, unique_names

Columns = str | Sequence[str] | Mapping[str, str] | None
"""The column of one system, or those of several; a mapping names the systems."""


class HasSource(Protocol):
    """A table that was read."""

    @property
    def source(self) -> Source:
        """Where it came from."""


Read = TypeVar("Read", bound=HasSource)


@dataclass(frozen=True)
class SystemInput(Generic[Read]):
    """Where the answers of one system are."""

    name: str
    table: Read
    columns: Mapping[str, str]
    """The columns of its answers, by kind."""


def read_systems(
    data: Any, columns: Mapping[str, Columns], what: str, default: str
) -> list[SystemInput[Table]]:
    """Read each table once, and name the systems by what distinguishes them.

    ``data`` is one table, a sequence of tables, or a dict of name to table. Each kind of column may
    name one column or several: the first of every kind belongs to the first system, and so on.
    """
    return name_systems(_read_table, data, columns, what, default)


def name_systems(
    read: Callable[[Any, str], Read],
    data: Any,
    columns: Mapping[str, Columns],
    what: str,
    default: str,
) -> list[SystemInput[Read]]:
    """Read each table once with ``read``, and name the systems by what distinguishes them."""
    tables = _named_tables(read, data, what)
    answers = _columns_of_systems(columns)
    found = []
    for file, table in tables:
        for label, own in answers:
            words = [file] * (len(tables) > 1) + [label] * (len(answers) > 1)
            found.append(SystemInput(" ".join(words) or file or default, table, own))
    names = number_duplicates([each.name for each in found])
    return [
        SystemInput(name, each.table, each.columns) for name, each in zip(names, found, strict=True)
    ]


def file_sources(systems: Sequence[SystemInput[Any]]) -> dict[str, str]:
    """Return the file of each system, where each has a file of its own."""
    read = [each for each in systems if each.table.source.digest is not None]
    files = {each.name: each.table.source.name for each in read}
    return files if len(set(files.values())) == len(files) else {}


def in_several_tables(systems: Sequence[SystemInput[Any]]) -> bool:
    """Return whether the systems come from more than one table."""
    return len({id(each.table) for each in systems}) > 1


def _named_tables(read: Callable[[Any, str], Read], data: Any, what: str) -> list[tuple[str, Read]]:
    if isinstance(data, Mapping) and data and all(_is_table(each) for each in data.values()):
        return [(str(name), read(each, str(name))) for name, each in data.items()]
    if isinstance(data, Sequence) and not isinstance(data, str):
        tables = [read(each, what) for each in data]
        if len(tables) == 1:
            return [("", tables[0])]
        names = unique_names([each.source.name for each in tables])
        return list(zip(names, tables, strict=True))
    return [("", read(data, what))]


def _read_table(given: Any, what: str) -> Table:
    return Table(*to_frame(given, what))


def _is_table(given: Any) -> bool:
    """Whether a value of a dict is a table of its own, rather than a column of one."""
    is_frame = hasattr(given, "columns") and hasattr(given, "shape")
    return isinstance(given, str | Path | Table | Mapping) or is_frame


def _columns_of_systems(given: Mapping[str, Columns]) -> list[tuple[str, dict[str, str]]]:
    """Return the label of each system, its first column unless it has one, and its columns."""
    listed = {
        kind: [columns] if isinstance(columns, str) else list(_values(columns))
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


def _values(columns: Sequence[str] | Mapping[str, str]) -> Iterable[str]:
    return columns.values() if isinstance(columns, Mapping) else columns
