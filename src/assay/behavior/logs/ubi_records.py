"""The query and event records of User Behavior Insights (UBI), versions 1.0 to 1.3.

Records come as plain JSON lines, as OpenSearch bulk files (an action line before each record) or as
search results (``_source``). The position of an event is a number, or an object whose ``ordinal``
is a number (1.3) or an object with ``index`` (1.0 to 1.2).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.behavior.logs.json_lists import first_field, json_objects
from assay.behavior.logs.list_records import read_time
from assay.behavior.logs.log_findings import NO_LIST, SAME_QUERY_ID, UNUSED, Findings
from assay.core.errors import FormatError
from assay.formats.input_files import Input

HIT_IDS = ("query_response_hit_ids", "query_response_objects_ids", "query_response_object_ids")
IMPRESSIONS = ("impression", "view_item", "product_impression")
BULK_ACTIONS = ("index", "create", "update", "delete")


@dataclass(frozen=True, slots=True)
class Event:
    """An impression or a click on a document."""

    doc: str | None
    ordinal: int | None
    time: float | None
    place: str


@dataclass(slots=True)
class ResultPage:
    """All that is known of one query id: the query, the documents shown, and the events."""

    line: int
    place: str
    text: str | None = None
    hits: list[str] = field(default_factory=list)
    time: float | None = None
    session: str | None = None
    user: str | None = None
    application: str = ""
    queried: bool = False
    impressions: list[Event] = field(default_factory=list)
    clicks: list[Event] = field(default_factory=list)


def read_pages(
    files: Sequence[Input],
    click_actions: Sequence[str],
    findings: Findings,
    part: int = 0,
    parts: int = 1,
) -> dict[str, ResultPage]:
    """Return the pages by query id, of the ids whose hash belongs to one of several parts."""
    pages: dict[str, ResultPage] = {}
    for number, record, file in _records(files):
        name, place = _text(record.get("query_id")), f"{file}:{number}"
        action = record.get("action_name")
        if name is None:
            if part == 0 and action in click_actions:
                findings.add(NO_LIST, place, "no query_id")
            continue
        if parts > 1 and zlib.crc32(name.encode()) % parts != part:
            continue
        page = pages.setdefault(name, ResultPage(number, place))
        if action is None:
            _add_query(page, record, place, findings)
        else:
            _add_event(page, str(action), record, place, click_actions, findings)
    return pages


def _records(files: Sequence[Input]) -> Iterator[tuple[int, dict[str, Any], str]]:
    for file in files:
        for number, line in json_objects(file):
            if len(line) == 1 and next(iter(line)) in BULK_ACTIONS:
                continue
            record = line.get("_source", line)
            if not isinstance(record, dict):
                raise FormatError("the field _source is not an object", file.name, number)
            yield number, record, file.name


def _add_query(page: ResultPage, record: Mapping[str, Any], place: str, findings: Findings) -> None:
    """Add a query record; several records of one id are one page, unless their texts differ."""
    text, hits = _text(record.get("user_query")), first_field(record, HIT_IDS)
    if page.queried and text != page.text:
        findings.add(SAME_QUERY_ID, place, f"'{page.text}' and '{text}'")
    if not page.queried or (hits and not page.hits):
        page.text = text
        page.hits = [str(hit) for hit in hits] if isinstance(hits, list) else []
        page.line, page.place, page.queried = int(place.rpartition(":")[2]), place, True
    time = read_time(record.get("timestamp"), place, findings)
    if time is not None and (page.time is None or time < page.time):
        page.time = time
    page.user = page.user or _text(record.get("user_id")) or _text(record.get("client_id"))
    page.application = page.application or str(record.get("application") or "")


def _add_event(
    page: ResultPage,
    action: str,
    record: Mapping[str, Any],
    place: str,
    click_actions: Sequence[str],
    findings: Findings,
) -> None:
    attributes = record.get("event_attributes")
    attributes = attributes if isinstance(attributes, dict) else {}
    session = record.get("session_id") or attributes.get("session_id")
    page.session = page.session or _text(session)
    page.user = page.user or _text(record.get("user_id")) or _text(record.get("client_id"))
    page.application = page.application or str(record.get("application") or "")
    if not page.queried and page.text is None:
        page.text = _text(record.get("user_query"))
    if action not in click_actions and action not in IMPRESSIONS:
        findings.add(UNUSED, place, action)
        return
    thing = attributes.get("object")
    doc = _text(thing.get("object_id")) if isinstance(thing, dict) else None
    time = read_time(record.get("timestamp"), place, findings)
    event = Event(doc, _ordinal(attributes.get("position"), place), time, place)
    (page.clicks if action in click_actions else page.impressions).append(event)


def _ordinal(position: Any, place: str) -> int | None:
    """Return the ordinal of a position: a number, or in an object, before 1.3 with an index."""
    value = position
    for name in ("ordinal", "index"):
        value = value.get(name) if isinstance(value, dict) else value
    if value is None:
        return None
    try:
        number = float("nan" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not number.is_integer():
        raise FormatError(f"the position '{value}' is not a whole number", place)
    return int(number)


def _text(value: Any) -> str | None:
    """Return an id or a text; None if it is missing or empty."""
    return None if value is None or value == "" else str(value)
