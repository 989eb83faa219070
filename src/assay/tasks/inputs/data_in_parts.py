"""Data in parts: files that are too large for memory, and several tables as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl

from assay.core.errors import FormatError, UsageError
from assay.core.tables import Source, Table
from assay.formats.delimited_parts import delimited_parts
from assay.formats.input_files import Input

Engine: TypeAlias = Literal["local", "streaming"]
"""Whether a file is read at once or in parts."""
ROWS = 1_000_000
"""How many rows of a file are in memory at once."""


def refuse_decimal_commas(decimal_comma: bool) -> None:
    """Refuse files with decimal commas."""
    if decimal_comma:
        raise UsageError("a file with decimal commas is read at once: leave `engine=streaming` out")


def require_file(data: Any, engine: str, decimal_comma: bool) -> None:
    """Refuse an engine that does not exist, and what it cannot read."""
    if engine != "streaming":
        raise UsageError(f"`engine` is {engine!r}; 'local' or 'streaming' is expected")
    if not isinstance(data, str | Path):
        raise UsageError(
            f"`engine=streaming` reads a file in parts, not a {type(data).__name__}: give its path"
        )
    refuse_decimal_commas(decimal_comma)


def single_column(named: Any) -> str | None:
    """Return the one column that is named; None if there is none. Several are refused."""
    if named is None or isinstance(named, str):
        return named
    names = named if isinstance(named, list | tuple) else [None]
    if len(names) > 1 or not all(isinstance(each, str) for each in names):
        raise UsageError("`engine=streaming` evaluates one system, whose column is named")
    return names[0] if names else None


def read_tables(parts: Any, rows: int, columns: frozenset[str] | None) -> Iterable[Any]:
    """Return the parts of a file, so many rows each, or the tables that were given."""
    return _read_chunks(parts, rows, columns) if isinstance(parts, str | Path) else parts


def _text_parts(file: Input, rows: int, columns: frozenset[str] | None) -> Iterator[pl.DataFrame]:
    """Yield the columns of a delimited file, at most so many rows at a time."""
    for part in delimited_parts(file, columns):
        yield from part.iter_slices(rows)


def _parquet_parts(
    file: Input, rows: int, columns: frozenset[str] | None
) -> Iterator[pl.DataFrame]:
    """Yield the columns of a Parquet file, so many rows at a time."""
    lazy = pl.scan_parquet(file.path, glob=False)
    if columns is not None and columns <= {*lazy.collect_schema().names()}:
        lazy = lazy.select(columns)
    yield from lazy.collect_batches(chunk_size=rows, maintain_order=True)


def _read_chunks(path: str | Path, rows: int, columns: frozenset[str] | None) -> Iterator[Table]:
    """Yield the columns of a CSV, TSV or Parquet file in order, in parts."""
    start, name, file = 0, str(path), Input(path)
    is_text = not file.start.startswith(b"PAR1")
    try:
        read = _text_parts if is_text else _parquet_parts
        for part in read(file, rows, columns):
            if part.height:
                place = pl.int_range(start, start + part.height, eager=True)
                lines = (lambda row: row + 2) if is_text else None
                yield Table(part, Source(name, lines, rows=place))
                start += part.height
    except pl.exceptions.PolarsError as failure:
        reason = str(failure).splitlines()[0]
        raise FormatError(f"the table cannot be read: {reason}", str(path)) from failure
