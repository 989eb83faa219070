"""JSON lines: one object per line, with the fields query, doc, and grade or score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind, is_known_column, table_kind


class JsonLines(Format):
    """One JSON object per line."""

    name = "jsonl"
    about = 'one object per line: {"query": "q1", "doc": "d7", "score": 2.5}'
    endings = (".jsonl", ".ndjson")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the first line is an object, and not the whole file or one of ours."""
        names = _first_fields(file) if file.first_byte == b"{" else []
        is_record = sum(is_known_column(name) for name in names) >= 2
        return bool(names) and (len(file.first_lines) > 1 or is_record)

    def kind(self, file: Input) -> Kind | None:
        """Return what the fields of the first object show."""
        return table_kind(_first_fields(file))

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the fields as columns, and their source."""
        content = file.content()
        try:
            frame = pl.read_ndjson(content, infer_schema_length=None)
        except (pl.exceptions.PolarsError, ValueError) as failure:
            raise FormatError(
                "this line is not a JSON object with fields as the others have",
                file.name,
                _first_bad_line(content),
            ) from failure
        lines = [n for n, line in enumerate(content.split(b"\n"), 1) if line.strip()]
        numbers = pl.Series("line", lines) if len(lines) == frame.height else None
        return frame, Source(file.name, numbers, lambda: file.digest)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield one object per line."""
        yield rows.write_ndjson(None).encode()


def parse_object(line: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line; None if it is not one."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _first_bad_line(content: bytes) -> int:
    lines = enumerate(content.split(b"\n"), 1)
    return next((n for n, line in lines if line.strip() and parse_object(line) is None), 1)


def _first_fields(file: Input) -> list[str]:
    """Return the names of the fields of the first object; none if the line is not an object."""
    return list(parse_object(file.first_lines[0]) or ()) if file.first_lines else []


FORMAT = JsonLines()
