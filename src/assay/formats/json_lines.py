"""JSON lines: one object a line, with the fields query, doc, and grade or score."""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.column_names import frame_to_judgments, frame_to_run, is_known_column, table_kind
from assay.formats.format import FileHead, Format, Kind


def read_frame(head: FileHead) -> tuple[pl.DataFrame, Source]:
    """The fields as columns, and where they came from."""
    file = head.file
    content = file.content()
    try:
        frame = pl.read_ndjson(content, infer_schema_length=None)
    except (pl.exceptions.PolarsError, ValueError) as failure:
        line = _first_bad_line(content)
        raise FormatError(
            "this line is not a JSON object with fields as the others have", file.name, line
        ) from failure
    lines = [n for n, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    numbers = pl.Series("line", lines) if len(lines) == frame.height else None
    return frame, Source(file.name, numbers, lambda: file.digest)


def _first_bad_line(content: bytes) -> int:
    for number, line in enumerate(content.split(b"\n"), 1):
        try:
            if line.strip() and not isinstance(json.loads(line), dict):
                return number
        except (ValueError, RecursionError):
            return number
    return 1


def first_fields(head: FileHead) -> list[str]:
    """The names of the fields of the first object; none if the first line is not an object."""
    try:
        found = json.loads(head.lines[0]) if head.lines else None
    except (ValueError, RecursionError):
        return []
    return [str(name) for name in found] if isinstance(found, dict) else []


def is_json_lines(head: FileHead, kind: Kind | None) -> bool:
    """Whether the first line is an object, and is not all of the file or has known fields."""
    if head.first != b"{":
        return False
    names = first_fields(head)
    return bool(names) and (
        len(head.lines) > 1 or sum(is_known_column(name) for name in names) >= 2
    )


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """One object a line."""
    yield rows.write_ndjson(None).encode()


FORMAT = Format(
    name="jsonl",
    about='one object a line: {"query": "q1", "doc": "d7", "score": 2.5}',
    endings=(".jsonl", ".ndjson"),
    tells=is_json_lines,
    read_run=lambda head: frame_to_run(*read_frame(head), name=head.file.stem),
    read_qrels=lambda head: frame_to_judgments(*read_frame(head)),
    write=write,
    kind=lambda head: table_kind(first_fields(head)),
)
