"""JSON: an object of query to {document: number}, or a list of objects with named fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError
from assay.core.tables import Judgments, Run, Source
from assay.formats import nested_dicts
from assay.formats.column_names import frame_to_judgments, frame_to_run, table_kind
from assay.formats.format import FileHead, Format, Kind

_FORM = 'expected is {"query": {"document": number, …}, …} or a list of objects'


def read_content(head: FileHead) -> tuple[Any, Source]:
    """What the file holds, and where it came from; a key that stands twice is a complaint."""
    file = head.file
    source = Source(file.name, digest=lambda: file.digest)
    try:
        return json.loads(file.content(), object_pairs_hook=_refuse_repeats), source
    except json.JSONDecodeError as failure:
        raise FormatError(f"not JSON: {failure.msg}; {_FORM}", file.name, failure.lineno) from None
    except UnicodeDecodeError:
        raise FormatError("the file is not UTF-8 text; convert it", file.name) from None
    except RecursionError:
        raise FormatError(f"the JSON is nested too deeply; {_FORM}", file.name) from None
    except DataError as failure:
        raise FormatError(str(failure), file.name) from None


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DataError(f"the key '{key}' stands twice in one object; keep one of the two")
            seen.add(key)
    return found


def _check_content(found: Any, source: Source) -> Any:
    if isinstance(found, dict) and all(isinstance(each, dict) for each in found.values()):
        if any(isinstance(v, dict | list | str | None) for i in found.values() for v in i.values()):
            raise FormatError(f"a value is not a number; {_FORM}", source.name)
        return found
    if isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        try:
            return pl.DataFrame(found, infer_schema_length=None)
        except (pl.exceptions.PolarsError, TypeError, ValueError) as failure:
            raise FormatError(
                f"the objects differ in their fields; {_FORM}", source.name
            ) from failure
    fields = f"the fields {', '.join([*found][:6])} are found; " if isinstance(found, dict) else ""
    raise FormatError(
        f"{fields}{_FORM} with the fields query, doc, and score or grade", source.name
    )


def read_run(head: FileHead) -> Run:
    """A run from nested objects, or from a list of them."""
    found, source = read_content(head)
    checked = _check_content(found, source)
    if isinstance(checked, pl.DataFrame):
        return frame_to_run(checked, source, head.file.stem)
    return nested_dicts.dict_to_run(checked, head.file.stem, source)


def read_qrels(head: FileHead) -> Judgments:
    """Judgments from nested objects, or from a list of them."""
    found, source = read_content(head)
    checked = _check_content(found, source)
    if isinstance(checked, pl.DataFrame):
        return frame_to_judgments(checked, source)
    return nested_dicts.dict_to_judgments(checked, source)


def content_kind(head: FileHead) -> Kind | None:
    """Named fields tell; of bare numbers, whole ones are grades."""
    checked = _check_content(*read_content(head))
    if isinstance(checked, pl.DataFrame):
        return table_kind(checked.columns)
    values = [value for inner in checked.values() for value in inner.values()]
    return "qrels" if all(isinstance(value, int) for value in values) else "run"


def write(table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
    """An object of query to {document: number}, one query a line."""
    value = "score" if isinstance(table, Run) else "grade"
    separator = b"{"
    for (query,), part in rows.group_by("query", maintain_order=True):
        values = map(_whole_if_equal, part[value]) if value == "grade" else part[value]
        numbers = dict(zip(part["doc"], values, strict=True))
        body = f"{json.dumps(query, ensure_ascii=False)}: {json.dumps(numbers, ensure_ascii=False)}"
        yield separator + b"\n" + body.encode()
        separator = b","
    for query in table.empty:
        yield separator + b"\n" + f"{json.dumps(query, ensure_ascii=False)}: {{}}".encode()
        separator = b","
    yield (b"{" if separator == b"{" else b"") + b"\n}\n"


def _whole_if_equal(number: float) -> float | int:
    return number if number != number or number % 1 or abs(number) > 2**53 else int(number)


FORMAT = Format(
    name="json",
    about='nested objects: {"q1": {"d7": 2.5, "d9": 1.25}}',
    endings=(".json",),
    holds=("score", "grade"),
    tells=lambda head, kind: head.first in (b"{", b"["),
    read_run=read_run,
    read_qrels=read_qrels,
    write=write,
    kind=content_kind,
)
