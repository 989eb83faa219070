"""Rows whose fields are lists: from JSON lines, a frame with list columns, dicts or records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import FormatError, UsageError, did_you_mean, no_rows
from assay.core.tables import Source
from assay.formats.containers import to_frame
from assay.formats.input_files import Input
from assay.formats.json_text import numbered_lines, parse_line, read_json_text
from assay.formats.system_names import file_endings
from assay.formats.tagged_tokens import is_tagged, read_tagged
from assay.tasks.inputs.table_columns import row_slices, slice_columns
from assay.tasks.table_evidence import Columns, SystemInput, read_systems


@dataclass(frozen=True)
class Rows:
    """Records, and where they came from."""

    records: Sequence[Mapping[str, Any]]
    source: Source

    @classmethod
    def read(cls, data: Any, what: str) -> Rows:
        """Read a file, a frame, a dict of columns, or a list of records."""
        if isinstance(data, Rows):
            return data
        if isinstance(data, str | Path) and file_endings(data)[-1:] in ([".jsonl"], [".ndjson"]):
            return cls(*_read_records(Input(data)))
        if isinstance(data, str | Path) and is_tagged(data):
            tagged, starts, file = read_tagged(data)
            return cls(tagged, Source(file.name, pl.Series(starts), file.digest))
        if isinstance(data, list):
            return cls(data, Source(what))
        frame, source = to_frame(data, what)
        return cls(frame.to_dicts(), source)

    def fields(self, *names: str) -> list[list[Any]]:
        """Return the values of each named field, row by row; refuse a table without rows."""
        for place, record in enumerate(self.records):
            for name in names:
                if name not in record:
                    raise UsageError(
                        f"{self.source.place(place)}: there is no '{name}' among"
                        f" {', '.join(map(str, record))}." + did_you_mean(name, map(str, record))
                    )
        if not self.records:
            raise no_rows(self.source.name)
        return [[record[name] for record in self.records] for name in names]


def slice_rows(rows: Rows, by: Sequence[str]) -> dict[str, Rows]:
    """Return the rows of each slice, by the values of fields."""
    named = slice_columns(by)
    columns = rows.fields(*named)
    frame = pl.DataFrame([_slice_values(*each) for each in zip(named, columns, strict=True)])
    return {
        name: Rows(
            [rows.records[row] for row in inside.arg_true()], rows.source.of(inside.arg_true())
        )
        for name, inside in row_slices(frame, rows.source, by).items()
    }


def _slice_values(name: str, cells: Sequence[Any]) -> pl.Series:
    """Return numbers as they are, and all else as text."""
    if all(type(cell) in (int, float, type(None)) for cell in cells):
        return pl.Series(name, cells, strict=False)
    return pl.Series(name, [None if cell is None else str(cell) for cell in cells], pl.String)


def read_row_systems(
    data: Any, columns: Mapping[str, Columns], what: str, default: str
) -> list[SystemInput]:
    """Read the rows of each table once, and name the systems by what distinguishes them.

    ``data`` is one table, a sequence of tables, or a dict of name to table; a list of dicts is one
    table, of which each dict is a row.
    """
    records = isinstance(data, list) and all(isinstance(each, Mapping) for each in data)
    given = Rows.read(data, what) if records else data
    return read_systems(given, columns, what, default, Rows.read)


def _read_records(file: Input) -> tuple[list[dict[str, Any]], Source]:
    """Return the object of each line that is not blank, and their source."""
    records, lines = [], []
    for number, line in numbered_lines(read_json_text(file)):
        record = parse_line(line, file.name, number)
        if not isinstance(record, dict):
            raise FormatError(
                f"found a {type(record).__name__}; an object such as"
                ' {"truth": […], "predicted": […]} is expected',
                file.name,
                number,
            )
        records.append(record)
        lines.append(number)
    return records, Source(file.name, pl.Series("line", lines, dtype=pl.Int64), file.digest)
