"""JSON: an object of query to {document: number}, or a list of objects with named fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.json_text import read_json_text, refuse_repeated_keys
from assay.formats.nested_dicts import DictRun, dict_to_judgments
from assay.formats.table_columns import Kind, frame_to_judgments, frame_to_run, table_kind

_FORM = 'expected is {"query": {"document": number, …}, …} or a list of objects'


class Json(Format):
    """Nested objects, or a list of objects."""

    name = "json"
    about = 'nested objects: {"q1": {"d7": 2.5, "d9": 1.25}}'
    endings = (".json",)
    holds = ("score", "grade")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the file begins as an object or a list."""
        return file.first_byte in (b"{", b"[")

    def kind(self, file: Input) -> Kind | None:
        """Return what the named fields show; of numbers without names, whole ones are grades."""
        content, _ = _read_content(file)
        if isinstance(content, pl.DataFrame):
            return table_kind(content.columns)
        values = [value for numbers in content.values() for value in numbers.values()]
        return "qrels" if all(isinstance(value, int) for value in values) else "run"

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return a list of objects as columns, and their source."""
        content, source = _read_content(file)
        if not isinstance(content, pl.DataFrame):
            raise FormatError("a list of objects is expected, or one object per line", file.name)
        return content, source

    def read_run(self, file: Input) -> Run:
        """Return a run from nested objects, or from a list of objects."""
        content, source = _read_content(file)
        if isinstance(content, pl.DataFrame):
            return frame_to_run(content, source, file.stem)
        return DictRun(content, file.stem, source)

    def read_qrels(self, file: Input) -> Judgments:
        """Return judgments from nested objects, or from a list of objects."""
        content, source = _read_content(file)
        if isinstance(content, pl.DataFrame):
            return frame_to_judgments(content, source)
        return dict_to_judgments(content, source)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield an object of query to {document: number}, one query per line."""
        value = "score" if isinstance(table, Run) else "grade"
        lists = chain(
            ((query, part) for (query,), part in rows.group_by("query", maintain_order=True)),
            ((query, rows.clear()) for query in table.empty),
        )
        separator = "{"
        for query, part in lists:
            values = map(_whole_if_equal, part[value]) if value == "grade" else part[value]
            numbers = dict(zip(part["doc"], values, strict=True))
            yield f"{separator}\n{json.dumps({query: numbers}, ensure_ascii=False)[1:-1]}".encode()
            separator = ","
        yield b"{\n}\n" if separator == "{" else b"\n}\n"


def _read_content(file: Input) -> tuple[pl.DataFrame | dict[str, dict[str, Any]], Source]:
    """Return the list of objects as a frame or the nested objects, and the source."""
    text = read_json_text(file)
    try:
        content = json.loads(text, object_pairs_hook=refuse_repeated_keys)
    except json.JSONDecodeError as failure:
        raise FormatError(f"not JSON: {failure.msg}; {_FORM}", file.name, failure.lineno) from None
    except RecursionError:
        raise FormatError(f"the JSON is nested too deeply; {_FORM}", file.name) from None
    except DataError as failure:
        raise FormatError(str(failure), file.name, _repeated_key_line(text, str(failure))) from None
    return _check_content(content, file.name), Source(file.name, digest=file.digest)


def _repeated_key_line(text: bytes, message: str) -> int:
    """Return the line where the object with a repeated key ends: the shortest text with it."""
    low, high = 0, text.count(b"\n") + 1
    lines = text.split(b"\n")
    while high - low > 1:
        middle = (low + high) // 2
        try:
            json.loads(b"\n".join(lines[:middle]), object_pairs_hook=refuse_repeated_keys)
        except json.JSONDecodeError:
            low = middle
        except DataError as failure:
            low, high = (low, middle) if str(failure) == message else (middle, high)
        else:
            low = middle
    return high


def _check_content(content: Any, file: str) -> Any:
    if isinstance(content, dict) and all(isinstance(inner, dict) for inner in content.values()):
        values = (value for inner in content.values() for value in inner.values())
        if any(isinstance(value, dict | list | str | None) for value in values):
            raise FormatError(f"a value is not a number; {_FORM}", file)
        return content
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        try:
            return pl.DataFrame(content, infer_schema_length=None)
        except (pl.exceptions.PolarsError, TypeError, ValueError) as failure:
            raise FormatError(f"the objects differ in their fields; {_FORM}", file) from failure
    fields = f"the fields are {', '.join([*content][:6])}; " if isinstance(content, dict) else ""
    raise FormatError(f"{fields}{_FORM} with the fields query, doc, and score or grade", file)


def _whole_if_equal(number: float) -> float | int:
    return number if number != number or number % 1 or abs(number) > 2**53 else int(number)


FORMAT = Json()
