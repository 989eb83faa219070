"""TianGong-ST and other session files: JSON with the queries of a session and their results.

A session is an object per line, or an element of one list: ``session_id`` and ``query`` (or
``queries``, ``interactions``), each with ``text`` and the results in ``clicks``, whose ``label``
says whether a document was clicked; or with ``results`` and the clicked documents in ``clicks``.
The last query of a TianGong-ST session has grades from 0 to 4 in place of clicks: it is excluded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assay.behavior.logs.json_lists import first_field, json_objects
from assay.behavior.logs.list_records import ListRecord, RecordFormat, read_time
from assay.behavior.logs.log_findings import GRADED_LIST, NO_IDS, NO_QUERY, Findings
from assay.core.errors import FormatError
from assay.formats.input_files import Input
from assay.formats.json_text import read_json_text, refuse_repeated_keys

SESSION = ("session_id", "sid", "session")
QUERIES = ("query", "queries", "interactions")
QUERY_ID, TEXT = ("query_id", "qid"), ("text", "query", "q")
DOC = ("docid", "doc_id", "docno", "url", "id")
LABEL = ("label", "clicked", "click")
RESULTS = ("results", "serp", "docs", "documents")
TIME, USER = ("time", "timestamp", "start_time", "query_time"), ("user_id", "uid", "user")


class TianGong(RecordFormat):
    """Sessions as JSON."""

    name = "tiangong"
    about = "JSON sessions of TianGong-ST: session_id and queries, each with results and labels"

    def matches(self, file: Input) -> bool:
        """Return whether the file begins with a session that has queries."""
        start = file.start.lstrip()[:4000]
        has_id = any(f'"{name}"'.encode() in start for name in SESSION)
        fields = [f'"{name}"'.encode() for name in QUERIES]
        return start[:1] in (b"{", b"[") and has_id and any(_is_list(start, f) for f in fields)

    def records(self, file: Input, findings: Findings) -> Iterator[ListRecord]:
        """Yield the lists of a file."""
        return _records(file, findings)

    def place(self, file: Input, number: int) -> str:
        """Return where a record is: a line, or a session of one list."""
        return _place(file, number)


def _place(file: Input, number: int) -> str:
    return f"{file.name}{', session ' if file.first_byte == b'[' else ':'}{number}"


def _is_list(start: bytes, name: bytes) -> bool:
    """Return whether a field is a list of objects."""
    rest = start.partition(name)[2].lstrip().removeprefix(b":").lstrip()
    return rest[:1] == b"[" and rest[1:].lstrip()[:1] == b"{"


def _sessions(file: Input) -> Iterator[tuple[int, Any]]:
    if file.first_byte == b"{":
        yield from json_objects(file)
        return
    try:
        parsed = json.loads(read_json_text(file), object_pairs_hook=refuse_repeated_keys)
    except (ValueError, RecursionError) as failure:
        raise FormatError(f"this file is not JSON: {failure}", file.name) from None
    if not isinstance(parsed, list):
        raise FormatError("a list of sessions is expected", file.name)
    yield from enumerate(parsed, 1)


def _records(file: Input, findings: Findings) -> Iterator[ListRecord]:
    for number, session in _sessions(file):
        where = _place(file, number)
        queries = first_field(session, QUERIES) if isinstance(session, dict) else None
        name = first_field(session, SESSION) if isinstance(session, dict) else None
        if not isinstance(queries, list) or name is None:
            raise FormatError("this is not a session with an id and a list of queries", where)
        user = first_field(session, USER)
        for query in queries:
            if not isinstance(query, dict):
                raise FormatError("a query of the session is not an object", where)
            record = _read_query(str(name), query, number, where, findings)
            if record is not None:
                record.user = None if user is None else str(user)
                yield record


def _read_query(
    session: str, query: Mapping[str, Any], number: int, place: str, findings: Findings
) -> ListRecord | None:
    name = first_field(query, QUERY_ID)
    name = first_field(query, TEXT) if name is None else name
    results, clicked = first_field(query, RESULTS), query.get("clicks")
    shown = clicked if results is None else results
    if name is None or not shown:
        findings.add(NO_QUERY if name is None else NO_IDS, place, f"session {session}")
        return None
    if not isinstance(shown, list) or not isinstance(clicked, list | None):
        raise FormatError("the results or clicks of a query are not a list", place)
    docs = [_doc_id(each, place) for each in shown]
    record = ListRecord(session, str(name), docs, number)
    record.time = read_time(first_field(query, TIME), place, findings)
    if results is not None and clicked is not None:
        record.add_clicks([_doc_id(each, place) for each in clicked], place, findings)
        return record
    labels = [first_field(each, LABEL) if isinstance(each, dict) else None for each in shown]
    if any(label not in (0, 1) for label in labels):
        findings.add(GRADED_LIST, place, f"session {session}")
        return None
    record.clicks = [int(bool(label)) for label in labels]
    return record


def _doc_id(value: Any, place: str) -> str:
    doc = first_field(value, DOC) if isinstance(value, dict) else value
    if isinstance(doc, bool) or not isinstance(doc, str | int):
        raise FormatError(f"a result has no document id: {str(value)[:60]}", place)
    return str(doc)


FORMAT = TianGong()
