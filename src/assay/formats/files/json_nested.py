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
from assay.formats.records import (
    are_query_lists,
    as_table_or_dict,
    holds_documents,
    holds_records,
)
from assay.formats.table_columns import (
    Kind,
    frame_to_judgments,
    frame_to_run,
    ranks_documents,
    table_kind,
)

_FORM = (
    'expected is {"query": {"document": number, …}, …}, {"query": ["document", …], …} or a list of'
    " objects"
)
_SPLIT = {"columns", "data"}
"""The fields that pandas writes with ``orient="split"``."""


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
        raw, _ = _parse(file)
        if are_query_lists(raw):
            return None
        if isinstance(raw, dict) and holds_documents(raw):
            return "run" if holds_records(raw) else None
        content = _check_content(_records(raw), file.name)
        if isinstance(content, pl.DataFrame):
            return table_kind(content.columns)
        values = [value for numbers in content.values() for value in numbers.values()]
        return "qrels" if all(isinstance(value, int) for value in values) else "run"

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return a list of objects as columns, and their source."""
        content, source = _parse(file)
        frame = _check_content(_numbered_rows(_records(content)), file.name)
        if not isinstance(frame, pl.DataFrame):
            raise FormatError("a list of objects is expected, or one object per line", file.name)
        return frame, source

    def read_run(self, file: Input) -> Run:
        """Return a run from nested objects, or from a list of objects."""
        content, source = _read_content(file, ranked=True)
        if isinstance(content, pl.DataFrame):
            return frame_to_run(content, source, file.stem)
        return DictRun(content, file.stem, source)

    def read_qrels(self, file: Input) -> Judgments:
        """Return judgments from nested objects, or from a list of objects."""
        content, source = _read_content(file, ranked=False)
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


def _read_content(
    file: Input, ranked: bool
) -> tuple[pl.DataFrame | dict[str, dict[str, Any]], Source]:
    """Return the list of objects as a frame or the nested objects, and the source.

    Documents without numbers are a ranking, or relevant.
    """
    content, source = _parse(file)
    return take_content(content, file, ranked), source


def take_content(content: Any, file: Input, ranked: bool) -> Any:
    """Return parsed JSON as a frame or nested objects; lists of documents get their numbers."""
    nested = isinstance(content, dict) and not (_is_pandas(content) or set(content) >= _SPLIT)
    if nested or are_query_lists(content):
        try:
            content = as_table_or_dict(content, ranked)
        except DataError as failure:
            raise FormatError(str(failure), file.name) from failure
    return _check_content(_records(content), file.name)


def _parse(file: Input) -> tuple[Any, Source]:
    """Return what the file holds, and the source."""
    text = read_json_text(file)
    try:
        content = json.loads(text, object_pairs_hook=refuse_repeated_keys)
    except json.JSONDecodeError as failure:
        raise FormatError(f"not JSON: {failure.msg}; {_FORM}", file.name, failure.lineno) from None
    except RecursionError:
        raise FormatError(f"the JSON is nested too deeply; {_FORM}", file.name) from None
    except DataError as failure:
        raise FormatError(str(failure), file.name, _repeated_key_line(text, str(failure))) from None
    return content, Source(file.name, digest=file.digest)


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


def _records(content: Any) -> Any:
    """Return a list of objects where columns were written, as pandas and others do."""
    if not isinstance(content, dict):
        return content
    if _is_pandas(content) and "columns" in content:
        return [dict(zip(content["columns"], row, strict=True)) for row in content["data"]]
    if _is_pandas(content):
        return content["data"]
    cells = [each for each in content.values() if isinstance(each, list)]
    columns = len(cells) == len(content) > 0 and len({*map(len, cells)}) == 1
    if columns and not any(isinstance(one, dict | list) for cell in cells for one in cell):
        return [dict(zip(content, row, strict=True)) for row in zip(*cells, strict=True)]
    named = ranks_documents(content) and all(isinstance(each, dict) for each in content.values())
    return _column_rows(content) if named else content


def _is_pandas(content: dict[str, Any]) -> bool:
    """Return whether pandas wrote this with ``orient="split"`` or ``"table"``."""
    if set(content) >= _SPLIT:
        return _is_split(content["columns"], content["data"])
    return set(content) == {"schema", "data"} and isinstance(content["data"], list)


def _is_split(names: Any, rows: Any) -> bool:
    """Return whether there are names of columns, and as many cells in each row."""
    if not isinstance(names, list) or not isinstance(rows, list):
        return False
    texts = all(isinstance(name, str) for name in names)
    return texts and all(isinstance(row, list) and len(row) == len(names) for row in rows)


def _numbered_rows(content: Any) -> Any:
    """Return the rows of objects whose rows have numbers, as pandas writes; else the content."""
    if not isinstance(content, dict) or not content:
        return content
    inner = list(content.values())
    if not all(isinstance(each, dict) and each.keys() == inner[0].keys() for each in inner):
        return content
    if all(map(str.isdecimal, content)):
        return inner
    return _column_rows(content) if all(map(str.isdecimal, inner[0])) else content


def _column_rows(columns: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of columns that are objects of row number to value."""
    numbers = dict.fromkeys(number for each in columns.values() for number in each)
    return [{name: each.get(at) for name, each in columns.items()} for at in numbers]


def _to_frame(rows: list[dict[str, Any]], file: str) -> pl.DataFrame:
    try:
        return pl.DataFrame(rows, infer_schema_length=None)
    except (pl.exceptions.PolarsError, TypeError, ValueError) as failure:
        raise FormatError(f"the objects differ in their fields; {_FORM}", file) from failure


def _check_content(content: Any, file: str) -> Any:
    if isinstance(content, dict) and all(isinstance(inner, dict) for inner in content.values()):
        values = (value for inner in content.values() for value in inner.values())
        if any(isinstance(value, dict | list | str | None) for value in values):
            raise FormatError(f"a value is not a number; {_FORM}", file)
        return content
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return _to_frame(content, file)
    fields = f"the fields are {', '.join([*content][:6])}; " if isinstance(content, dict) else ""
    raise FormatError(f"{fields}{_FORM} with the fields query, doc, and score or grade", file)


def _whole_if_equal(number: float) -> float | int:
    return number if number != number or number % 1 or abs(number) > 2**53 else int(number)


FORMAT = Json()
