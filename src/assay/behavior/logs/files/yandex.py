"""The logs of Yandex: the relevance prediction challenge (2011) and personalized search (2013).

2011: ``session time Q query region url …`` and ``session time C url``. A click belongs to the
latest list of its session that shows the document.

2013: ``session M day user``, ``session time Q serp query terms url,domain …`` and
``session time C serp url``. Lists of type T are test lists: their clicks were removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.behavior.logs.list_records import ListRecord, RecordFormat, text_lines
from assay.behavior.logs.log_findings import (
    NO_IDS,
    NO_LIST,
    OUTSIDE,
    SPLIT_SESSION,
    TEST_LIST,
    Findings,
)
from assay.core.errors import FormatError
from assay.formats.input_files import Input

FORMS = {
    "Q": "session, time, Q, query, region (or serp, query, terms) and results",
    "T": "session, time, T, serp, query, terms and results",
    "C": "session, time, C and a document (2013: serp and document)",
    "M": "session, M, day and user",
}


class Yandex(RecordFormat):
    """Lines of queries and clicks, by session; 2011 and 2013."""

    name = "yandex"
    about = "tab-separated queries (Q) and clicks (C) of sessions, of Yandex 2011 and 2013"

    def matches(self, file: Input) -> bool:
        """Return whether the first lines are records of a session."""
        rows = [line.split(b"\t") for line in file.first_lines[:20]]
        return bool(rows) and all(_is_record(row) for row in rows)

    def records(self, file: Input, findings: Findings) -> Iterator[ListRecord]:
        """Yield the lists of a file."""
        return _records(file, findings)


def _is_record(row: list[bytes]) -> bool:
    if len(row) >= 4 and row[1] == b"M":
        return True
    return len(row) >= 4 and row[1].strip().isdigit() and row[2] in (b"Q", b"C", b"T")


@dataclass
class _Session:
    """A session while it is read."""

    name: str
    user: str | None = None
    lists: list[ListRecord] = field(default_factory=list)
    serps: dict[str, ListRecord | None] = field(default_factory=dict)
    """Lists of 2013 by the id of the page; None for test lists."""


def _records(file: Input, findings: Findings) -> Iterator[ListRecord]:
    session = _Session("")
    closed: set[int] = set()
    personalized = any(line.split(b"\t")[1:2] == [b"M"] for line in file.first_lines[:20])
    for number, line in text_lines(file):
        fields = line.split("\t")
        name = fields[0].strip()
        if name != session.name:
            yield from session.lists
            closed.add(hash(session.name))
            session = _Session(name)
            if hash(name) in closed:
                findings.add(SPLIT_SESSION, f"{file.name}:{number}", f"session {name}")
        _add_record(
            session, [each.strip() for each in fields], file, number, personalized, findings
        )
    yield from session.lists


def _add_record(
    session: _Session,
    fields: list[str],
    file: Input,
    number: int,
    personalized: bool,
    findings: Findings,
) -> None:
    place = f"{file.name}:{number}"
    kind = "M" if len(fields) > 1 and fields[1] == "M" else fields[2] if len(fields) > 2 else ""
    least = {"M": 4, "Q": 5 if not personalized else 6, "T": 6, "C": 4}
    if kind not in FORMS or len(fields) < least[kind]:
        expected = FORMS.get(kind, "a query (Q) or a click (C)")
        message = f"expected {expected}; found {len(fields)} fields"
        raise FormatError(message, file.name, number)
    if kind == "M":
        if session.user is not None:
            findings.add(SPLIT_SESSION, place, f"session {session.name}")
        session.user = fields[3]
        return
    if not _is_time(fields[1]):
        message = f"the time '{fields[1]}' is not a whole number"
        raise FormatError(message, file.name, number)
    if kind == "C":
        _add_click(session, fields, place, personalized, findings)
        return
    query, results = fields[4 if personalized else 3], fields[6 if personalized else 5 :]
    docs = [each.partition(",")[0] if personalized else each for each in results if each]
    record = ListRecord(session.name, query, docs, number, float(fields[1]), session.user)
    if kind == "T":
        findings.add(TEST_LIST, place, f"session {session.name}")
    elif not docs:
        findings.add(NO_IDS, place, f"query {query}")
    else:
        session.lists.append(record)
    if personalized:
        session.serps[fields[3]] = record if docs and kind == "Q" else None


def _is_time(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _add_click(
    session: _Session, fields: list[str], place: str, personalized: bool, findings: Findings
) -> None:
    time, doc = float(fields[1]), fields[4 if personalized and len(fields) > 4 else 3]
    if personalized:
        if fields[3] not in session.serps:
            findings.add(NO_LIST, place, f"page {fields[3]} of session {session.name}")
            return
        page = session.serps[fields[3]]
        shown = page is not None and page.add_click(doc, time)
    else:
        if not session.lists:
            findings.add(NO_LIST, place, f"session {session.name}")
            return
        shown = any(each.add_click(doc, time) for each in reversed(session.lists))
    if not shown:
        findings.add(OUTSIDE, place, f"document {doc}")


FORMAT = Yandex()
