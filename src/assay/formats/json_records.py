"""JSON lines whose fields are lists: an object a line, as annotation tools write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Source
from assay.formats.text.input_files import Input

ENDINGS = (".jsonl", ".ndjson")


def is_records(given: Any) -> bool:
    """Whether this is the path of a file of JSON lines."""
    return isinstance(given, str | Path) and Input(given).endings[-1:] in ([e] for e in ENDINGS)


def read_records(path: str | Path) -> tuple[list[dict[str, Any]], Source]:
    """The object of each line that is not blank, and where they came from."""
    given = Input(path)
    records, lines = [], []
    content = given.content().decode("utf-8", errors="replace")
    for place, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as failure:
            raise FormatError(f"this line is not JSON: {failure}", given.name, place) from failure
        if not isinstance(record, dict):
            raise FormatError(
                f"a {type(record).__name__} is found; an object such as"
                ' {"truth": […], "predicted": […]} is expected',
                given.name,
                place,
            )
        records.append(record)
        lines.append(place)
    return records, Source(given.name, pl.Series("line", lines, dtype=pl.Int64), given.digest)
