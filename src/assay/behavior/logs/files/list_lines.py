"""JSON lines with a result list each: session, query, results, clicks; perhaps time and user."""

from __future__ import annotations

from collections.abc import Iterator

from assay.behavior.logs.json_lists import (
    counts,
    first_field,
    first_object,
    json_objects,
    texts,
)
from assay.behavior.logs.list_records import ListRecord, RecordFormat, read_time
from assay.behavior.logs.log_findings import EXTRA_COUNTS, NO_IDS, OUTSIDE, Findings
from assay.core.errors import FormatError
from assay.formats.input_files import Input

RESULTS = ("results", "docs", "documents", "urls")
CLICKED = ("click_sequence", "clicked", "clicked_docs")
QUERY, SESSION = ("query", "query_id", "qid"), ("session", "session_id", "list")
TIME, USER = ("time", "ts", "timestamp"), ("user", "user_id", "client_id")


class ListLines(RecordFormat):
    """One result list per line."""

    name = "lists"
    about = 'JSON lines {"session": "s", "query": "q", "results": ["a", "b"], "clicks": [0, 1]}'

    def matches(self, file: Input) -> bool:
        """Return whether the first object has a list of results and clicks."""
        first = first_object(file) if file.first_byte == b"{" else {}
        return isinstance(first_field(first, RESULTS), list) and (
            "clicks" in first or first_field(first, CLICKED) is not None
        )

    def records(self, file: Input, findings: Findings) -> Iterator[ListRecord]:
        """Yield the lists of a file."""
        return _records(file, findings)


def _records(file: Input, findings: Findings) -> Iterator[ListRecord]:
    for number, line in json_objects(file):
        place = f"{file.name}:{number}"
        query, session = first_field(line, QUERY), first_field(line, SESSION)
        if query is None:
            raise FormatError("there is no field 'query'", file.name, number)
        results = first_field(line, RESULTS)
        if not results:
            findings.add(NO_IDS, place, f"query {query}")
            continue
        docs = texts(results, "results", file.name, number)
        time = read_time(first_field(line, TIME), place, findings)
        user = first_field(line, USER)
        record = ListRecord(
            f"line {number}" if session is None else str(session),
            str(query),
            docs,
            number,
            time,
            None if user is None else str(user),
        )
        clicked = first_field(line, CLICKED)
        if clicked is not None:
            record.add_clicks(
                texts(clicked, "clicked documents", file.name, number), place, findings
            )
        else:
            set_counts(record, counts(line.get("clicks"), file.name, number), file.name, findings)
        yield record


def set_counts(record: ListRecord, given: list[int], file: str, findings: Findings) -> None:
    """Set the click counts of a list; counts beyond its end are reported, too few refused."""
    size, place = len(record.docs), f"{file}:{record.line}"
    if len(given) < size:
        raise FormatError(f"{len(given)} click counts for {size} documents", file, record.line)
    if len(given) > size:
        findings.add(EXTRA_COUNTS, place, f"{len(given)} counts for {size} documents")
        beyond = sum(given[size:])
        if beyond:
            findings.add(OUTSIDE, place, f"query {record.query}", beyond)
    record.clicks = given[:size]


FORMAT = ListLines()
