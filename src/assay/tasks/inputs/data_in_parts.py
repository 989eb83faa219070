"""Data in parts: files that are too large for memory, and several tables as one."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl

from assay.core.errors import DataError, FormatError, UsageError
from assay.core.tables import Source, Table
from assay.formats.delimited_parts import delimited_parts
from assay.formats.input_files import Input

Engine: TypeAlias = Literal["local", "streaming"]
"""Whether a file is read at once or in parts."""
ROWS = 1_000_000
"""How many rows of a file are in memory at once."""
_COLUMN_OPTIONS = ("truth", "predicted", "score", "density", "item", "weight", "by")
"""The options that name columns."""


def refuse_decimal_commas(decimal_comma: bool) -> None:
    """Refuse files with decimal commas."""
    if decimal_comma:
        raise UsageError("a file with decimal commas is read at once: leave `engine=streaming` out")


def require_file(data: Any, engine: str, decimal_comma: bool, columns: Any) -> None:
    """Refuse an engine that does not exist, and what it cannot read, such as arrays."""
    if engine != "streaming":
        raise UsageError(f"`engine` is {engine!r}; 'local' or 'streaming' is expected")
    if not isinstance(data, str | Path):
        raise UsageError(
            f"`engine=streaming` reads a file in parts, not a {type(data).__name__}: give its path"
        )
    refuse_decimal_commas(decimal_comma)
    for option in _COLUMN_OPTIONS:
        if not _are_names(given := getattr(columns, option, None)):
            raise UsageError(
                f"`engine=streaming` reads the columns of a file: `{option}` names one, and is not"
                f" of type {type(given).__name__}"
            )


def _are_names(given: Any) -> bool:
    """Return whether an option is left out, or is a name or names of columns."""
    if isinstance(given, list | tuple):
        return all(map(_are_names, given))
    return given is None or isinstance(given, str)


def options_in_use(columns: Any, names: Sequence[str]) -> list[str]:
    """Return those of the options that are not at their defaults, whatever they are."""
    unused = type(columns)()
    return [name for name in names if not _is_unused(getattr(columns, name), getattr(unused, name))]


def _is_unused(given: Any, default: Any) -> bool:
    """Return whether an option is left out; arrays, which are compared by item, are not."""
    if isinstance(given, list | tuple):
        return not given
    return given is None or (isinstance(given, str) and given == default)


def refuse_options(refused: Sequence[str]) -> None:
    """Refuse options that need the whole table."""
    if refused:
        raise UsageError(
            f"parts of the data cannot be read with {', '.join(refused)}; leave it out"
        )


def single_column(named: Any) -> str | None:
    """Return the one column that is named; None if there is none. Several are refused."""
    if named is None or isinstance(named, str):
        return named
    names = named if isinstance(named, list | tuple) else [None]
    if len(names) > 1 or not all(isinstance(each, str) for each in names):
        raise UsageError("`engine=streaming` evaluates one system, whose column is named")
    return names[0] if names else None


class FileInParts:
    """A file whose rows are read in parts, perhaps more than once.

    Its content is hashed in each reading, which shows whether it changed. Pipes are kept.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = Input(path)
        self._digest: str | None = None

    @property
    def table(self) -> Table:
        """A table without rows, which has the name and the digest of the file."""
        return Table(pl.DataFrame(), Source(self._file.name, digest=self._digest))

    def read(self, rows: int, columns: frozenset[str] | None) -> Iterator[Table]:
        """Yield the columns in order, so many rows each; at the end, refuse a file that changed."""
        reading = copy(self._file)  # which has a digest of its own
        yield from _read_chunks(reading, rows, columns)
        digest = reading.digest()
        if digest != (self._digest or digest):
            raise DataError(
                f"{reading.name}: the file changed between two readings; evaluate it once it no"
                " longer changes"
            )
        self._digest = digest


def open_parts(parts: Any) -> Any:
    """Return a file that is read in parts where a path is given, otherwise the tables."""
    return FileInParts(parts) if isinstance(parts, str | Path) else parts


def input_tables(parts: Any, name: str) -> dict[str, Table]:
    """Return the table whose digest is kept, if the parts are those of a file."""
    return {name: parts.table} if isinstance(parts, FileInParts) else {}


def read_tables(parts: Any, rows: int, columns: frozenset[str] | None) -> Iterable[Any]:
    """Return the parts of a file, so many rows each, or the tables that were given."""
    return parts.read(rows, columns) if isinstance(parts, FileInParts) else parts


def _text_parts(file: Input, rows: int, columns: frozenset[str] | None) -> Iterator[pl.DataFrame]:
    """Yield the columns of a delimited file, at most so many rows at a time."""
    for part in delimited_parts(file, columns):
        yield from part.iter_slices(rows)


def _parquet_parts(
    file: Input, rows: int, columns: frozenset[str] | None
) -> Iterator[pl.DataFrame]:
    """Yield the columns of a Parquet file, so many rows at a time."""
    stored = file.path if file.is_stored_plainly else io.BytesIO(file.content())
    lazy = pl.scan_parquet(stored, glob=False)
    if columns is not None and columns <= {*lazy.collect_schema().names()}:
        lazy = lazy.select(columns)
    yield from lazy.collect_batches(chunk_size=rows, maintain_order=True)


def _read_chunks(file: Input, rows: int, columns: frozenset[str] | None) -> Iterator[Table]:
    """Yield the columns of a CSV, TSV or Parquet file in order, in parts."""
    start = 0
    is_text = not file.start.startswith(b"PAR1")
    try:
        read = _text_parts if is_text else _parquet_parts
        for part in read(file, rows, columns):
            if part.height:
                place = pl.int_range(start, start + part.height, eager=True)
                lines = (lambda row: row + 2) if is_text else None
                yield Table(part, Source(file.name, lines, rows=place, is_part=True))
                start += part.height
    except pl.exceptions.PolarsError as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", file.name) from failure
