"""Reading JSON objects line by line, and the fields that lists of results have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.behavior.logs.list_records import text_lines
from assay.core.errors import FormatError
from assay.formats.files.json_lines import parse_object
from assay.formats.input_files import Input
from assay.formats.json_text import parse_line


def json_objects(file: Input) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object of each line with the number of the line."""
    for number, line in text_lines(file):
        value = parse_line(line.encode(), file.name, number)
        if not isinstance(value, dict):
            raise FormatError("this line is not a JSON object", file.name, number)
        yield number, value


def first_object(file: Input) -> dict[str, Any]:
    """Return the object of the first line; empty if it is none."""
    return (parse_object(file.first_lines[0]) or {}) if file.first_lines else {}


def first_field(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the first of several fields that a record has; None without any."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def texts(values: Any, what: str, where: str, line: int) -> list[str]:
    """Return a list of ids as text; refuse what is not a list of text or numbers."""
    if not isinstance(values, list):
        raise FormatError(f"the {what} are not a list", where, line)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise FormatError(f"'{value}' among the {what} is not an id", where, line)
    return [str(value) for value in values]


def counts(values: Any, where: str, line: int) -> list[int]:
    """Return a list of click counts; true and false are 1 and 0."""
    if not isinstance(values, list):
        raise FormatError("the clicks are not a list", where, line)
    for value in values:
        if not isinstance(value, int) or value < 0:
            raise FormatError(f"the click count '{value}' is not a whole number", where, line)
    return [int(value) for value in values]
