"""JSON lines: one object per line, with the fields query, doc, and grade or score."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.files.json_nested import take_content
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.json_text import numbered_lines, parse_line, read_json_text
from assay.formats.nested_dicts import DictRun, dict_to_judgments
from assay.formats.records import are_query_lists
from assay.formats.system_names import file_endings
from assay.formats.table_columns import (
    Kind,
    frame_to_judgments,
    frame_to_run,
    is_known_column,
    table_kind,
)

_KEY = re.compile(rb'"\s*:')


class JsonLines(Format):
    """One JSON object per line."""

    name = "jsonl"
    about = 'one object per line: {"query": "q1", "doc": "d7", "score": 2.5}'
    endings = (".jsonl", ".ndjson")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the first line is an object, and not the whole file or one of ours."""
        first = _first_object(file) if file.first_byte == b"{" else {}
        names, nested = list(first), all(isinstance(cell, dict | list) for cell in first.values())
        is_record = sum(is_known_column(name) for name in names) >= 2 and not nested
        several = len(file.first_lines) > 1 or file.has_more_text
        named = not {*file_endings(file.name)}.isdisjoint(self.endings)
        return bool(names) and (several or is_record or named)

    def kind(self, file: Input) -> Kind | None:
        """Return what the fields of the first object show."""
        return table_kind(list(_first_object(file)))

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the fields as columns, and their source."""
        content = read_json_text(file)
        try:
            frame = pl.read_ndjson(content, infer_schema_length=None)
        except (pl.exceptions.PolarsError, ValueError) as failure:
            raise FormatError(
                "this line is not a JSON object with fields as the others have",
                file.name,
                _first_bad_line(content),
            ) from failure
        _refuse_repeated_keys(content, frame, file.name)
        lines = [number for number, _ in numbered_lines(content)]
        numbers = pl.Series("line", lines) if len(lines) == frame.height else None
        return frame, Source(file.name, numbers, file.digest)

    def read_run(self, file: Input) -> Run:
        """Return a run from rows, or from queries with lists of documents."""
        content, source = _query_lists(file, ranked=True)
        if isinstance(content, pl.DataFrame):
            return frame_to_run(content, source, file.stem)
        return super().read_run(file) if content is None else DictRun(content, file.stem, source)

    def read_qrels(self, file: Input) -> Judgments:
        """Return judgments from rows, or from queries with lists of documents."""
        content, source = _query_lists(file, ranked=False)
        if isinstance(content, pl.DataFrame):
            return frame_to_judgments(content, source)
        return super().read_qrels(file) if content is None else dict_to_judgments(content, source)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield one object per line."""
        yield rows.write_ndjson(None).encode()


def _query_lists(file: Input, ranked: bool) -> tuple[Any, Source]:
    """Return the documents of queries that have lists of them; None for other objects."""
    source = Source(file.name, digest=file.digest)
    if not are_query_lists([_first_object(file)]):
        return None, source
    lines = numbered_lines(read_json_text(file))
    records = [parse_line(line, file.name, number) for number, line in lines]
    content = take_content(records, file, ranked) if are_query_lists(records) else None
    return content, source


def parse_object(line: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line; None if it is not one."""
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _first_bad_line(content: bytes) -> int:
    lines = numbered_lines(content)
    return next((number for number, line in lines if parse_object(line) is None), 1)


def _refuse_repeated_keys(content: bytes, frame: pl.DataFrame, file: str) -> None:
    """Refuse an object with a key twice, of which Polars would read the last.

    If there are as many keys as cells and no cell is empty, no object can have one.
    """
    keys = len(_KEY.findall(content))
    if keys == frame.height * frame.width and not sum(frame.null_count().row(0)):
        return
    for number, line in numbered_lines(content):
        parse_line(line, file, number)


def _first_object(file: Input) -> dict[str, Any]:
    """Return the first object; an empty one if the line is not an object."""
    return (parse_object(file.first_lines[0]) or {}) if file.first_lines else {}


FORMAT = JsonLines()
