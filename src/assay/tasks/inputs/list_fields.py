"""Rows whose fields are lists: from JSON lines, a frame with list columns, or a dict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import FormatError, UsageError, did_you_mean
from assay.core.tables import Source
from assay.formats.containers import to_frame
from assay.formats.input_files import Input


def read_list_fields(
    data: Any, names: tuple[str, ...], what: str
) -> tuple[list[list[Any]], Source]:
    """Return the values of each named field, row by row, and their source."""
    if isinstance(data, str | Path) and Input(data).endings[-1:] in ([".jsonl"], [".ndjson"]):
        records, source = _read_records(Input(data))
    elif isinstance(data, list):
        records, source = data, Source(what)
    else:
        frame, source = to_frame(data, what)
        records = frame.to_dicts()
    for row, record in enumerate(records):
        for name in names:
            if name not in record:
                raise UsageError(
                    f"{source.place(row)}: there is no '{name}' among"
                    f" {', '.join(map(str, record))}." + did_you_mean(name, map(str, record))
                )
    return [[record[name] for record in records] for name in names], source


def _read_records(file: Input) -> tuple[list[dict[str, Any]], Source]:
    """Return the object of each line that is not blank, and their source."""
    records, lines = [], []
    content = file.content().decode("utf-8", errors="replace")
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as failure:
            raise FormatError(f"this line is not JSON: {failure}", file.name, number) from failure
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
