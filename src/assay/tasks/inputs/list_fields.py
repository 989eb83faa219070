"""Rows whose fields are lists: from JSON lines, a frame with list columns, or a dict."""

from __future__ import annotations

from typing import Any

from assay.core.errors import UsageError, did_you_mean
from assay.core.tables import Source
from assay.formats.containers import to_frame
from assay.formats.json_records import is_records, read_records


def read_list_fields(
    data: Any, names: tuple[str, ...], what: str
) -> tuple[list[list[Any]], Source]:
    """The values of each named field, row by row, and where they came from."""
    if is_records(data):
        records, source = read_records(data)
    elif isinstance(data, list):
        records, source = data, Source(what)
    else:
        frame, source = to_frame(data, what)
        records = frame.to_dicts()
    for place, record in enumerate(records):
        for name in names:
            if name not in record:
                raise UsageError(
                    f"{source.place(place)}: there is no '{name}' among"
                    f" {', '.join(map(str, record))}." + did_you_mean(name, map(str, record))
                )
    return [[record[name] for record in records] for name in names], source
