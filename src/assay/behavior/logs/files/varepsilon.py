"""The TSV of the library clickmodels: hash, query, region, intent, results, layout, clicks.

The last three fields are JSON: lists, or objects from the position, which begins at 0. A sample of
the library has eleven click counts for ten results: a count beyond the last result is ignored if it
is 0, and otherwise reported as a click outside the list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from assay.behavior.logs.files.list_lines import set_counts
from assay.behavior.logs.json_lists import counts, texts
from assay.behavior.logs.list_records import ListRecord, RecordFormat, text_lines
from assay.behavior.logs.log_findings import NO_IDS, Findings
from assay.core.errors import FormatError
from assay.formats.input_files import Input

FIELDS = 7
PAGE_FIELDS = 2
"""The library also has result pages: a query and the contents of its page, without clicks."""


class Varepsilon(RecordFormat):
    """Tab-separated lines with JSON fields."""

    name = "clickmodels"
    about = "TSV: hash, query, region, intent, JSON results, JSON layout, JSON click counts"

    def matches(self, file: Input) -> bool:
        """Return whether the fifth of seven fields is JSON, or the second of two (result pages)."""
        fields = file.first_lines[0].split(b"\t") if file.first_lines else []
        results = {FIELDS: 4, PAGE_FIELDS: 1}.get(len(fields))
        return results is not None and fields[results].strip()[:1] in (b"[", b"{")

    def records(self, file: Input, findings: Findings) -> Iterator[ListRecord]:
        """Yield the lists of a file."""
        return _records(file, findings)


def _records(file: Input, findings: Findings) -> Iterator[ListRecord]:
    for number, line in text_lines(file):
        fields = line.split("\t")
        if len(fields) == PAGE_FIELDS:
            message = "this is a query with the contents of its result page; there are no clicks"
            raise FormatError(f"{message}, which a click log needs", file.name, number)
        if len(fields) != FIELDS:
            message = f"expected {FIELDS} fields separated by tabs, found {len(fields)}"
            raise FormatError(message, file.name, number)
        docs = texts(_values(fields[4], file, number), "results", file.name, number)
        if not docs:
            findings.add(NO_IDS, f"{file.name}:{number}", f"query {fields[1]}")
            continue
        record = ListRecord(f"{fields[0]} line {number}", fields[1], docs, number)
        clicks = _values(fields[6], file, number, len(docs))
        set_counts(record, counts(clicks, file.name, number), file.name, findings)
        yield record


def _values(text: str, file: Input, number: int, size: int = 0) -> list[Any]:
    """Return a JSON list, or an object from position to value as a list; missing counts are 0."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(f"this field is not JSON: {text[:60]}", file.name, number) from None
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or not all(key.isdecimal() for key in value):
        message = "a list, or an object from position to value, is expected"
        raise FormatError(message, file.name, number)
    places = {int(key): each for key, each in value.items()}
    length = max([size, *(place + 1 for place in places)])
    if size == 0 and sorted(places) != list(range(length)):
        raise FormatError("the positions of the results have gaps", file.name, number)
    return [places.get(place, 0) for place in range(length)]


FORMAT = Varepsilon()
