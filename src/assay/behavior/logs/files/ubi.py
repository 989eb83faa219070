"""User Behavior Insights: query records and events, joined by their query id.

The results of a query are its hit ids, or else its impressions in the order of their ordinals.
Whether ordinals begin at 0 or 1 is detected for each application, since the schema does not say.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.behavior.logs.files.impressions import AT_ONCE
from assay.behavior.logs.json_lists import first_object
from assay.behavior.logs.list_records import ListRecord, records_frame
from assay.behavior.logs.log_findings import (
    BASE,
    NEGATIVE_RANK,
    NO_IDS,
    NO_LIST,
    NO_QUERY,
    OUTSIDE,
    SAME_ORDINAL,
    Findings,
)
from assay.behavior.logs.log_format import LogFormat, LogSettings, RawPiece
from assay.behavior.logs.ubi_records import BULK_ACTIONS, HIT_IDS, Event, ResultPage, read_pages
from assay.formats.input_files import Input

_MARKS = {"action_name", "user_query", *HIT_IDS}


class UserBehaviorInsights(LogFormat):
    """Queries and events, in one file or several."""

    name = "ubi"
    about = "User Behavior Insights 1.0 to 1.3: JSON lines of queries and events, in any files"

    def matches(self, file: Input) -> bool:
        """Return whether the first record is a UBI query, event or bulk action."""
        first = first_object(file) if file.first_byte == b"{" else {}
        action = next((first[name] for name in BULK_ACTIONS if name in first), None)
        if len(first) == 1 and isinstance(action, dict):
            return "ubi" in str(action.get("_index", ""))
        record = first.get("_source", first)
        return isinstance(record, dict) and bool(_MARKS & set(record)) and "results" not in record

    def read(
        self, files: Sequence[Input], settings: LogSettings, findings: Findings
    ) -> Iterator[RawPiece]:
        """Yield the lists; of large files in parts, each with some of the query ids."""
        sizes = [Path(file.name).stat().st_size for file in files if Path(file.name).is_file()]
        parts = max(1, math.ceil(sum(sizes) / AT_ONCE))
        where = files[0].name if len(files) == 1 else ", ".join(file.name for file in files)
        bases: dict[str, int] = {}
        for part in range(parts):
            pages = read_pages(files, settings.click_actions, findings, part, parts)
            bases = ordinal_bases(pages, settings.base) | bases
            records = []
            for name, page in pages.items():
                record = page_record(name, page, bases.get(page.application, 1), findings)
                if record is not None:
                    records.append(record)
            records.sort(key=lambda record: (record.session, record.time or 0, record.line))
            if records:
                yield RawPiece(records_frame(records), lambda line: f"{where}:{line}", base=1)


def ordinal_bases(pages: Mapping[str, ResultPage], given: int | None) -> dict[str, int]:
    """Return for each application whether ordinals begin at 0 or 1.

    They begin at 0 if an ordinal is 0; otherwise where most events agree with the hit ids.
    """
    if given is not None:
        return dict.fromkeys((page.application for page in pages.values()), given)
    votes: dict[str, Counter[int]] = {}
    zeros = set()
    for page in pages.values():
        counted = votes.setdefault(page.application, Counter())
        places = {doc: place for place, doc in reversed(list(enumerate(page.hits)))}
        for event in (*page.impressions, *page.clicks):
            if event.ordinal == 0:
                zeros.add(page.application)
            if event.ordinal is not None and event.doc in places:
                counted[event.ordinal - places[event.doc]] += 1
    return {
        name: 0 if name in zeros or counted[0] > counted[1] else 1
        for name, counted in votes.items()
    }


def page_record(name: str, page: ResultPage, base: int, findings: Findings) -> ListRecord | None:
    """Return the result list of a page with its clicks; None if it cannot be used."""
    docs, ranks = _results(page, base, findings)
    if not docs:
        for click in page.clicks:
            findings.add(NO_LIST, click.place, f"query_id {name}")
        if page.queried:
            findings.add(NO_IDS, page.place, f"query '{page.text}'")
        return None
    if page.text is None:
        findings.add(NO_QUERY, page.place, f"query_id {name}")
        return None
    times = [event.time for event in page.impressions if event.time is not None]
    time = page.time if page.time is not None else min(times, default=None)
    session = page.session or page.user or name
    record = ListRecord(session, page.text, docs, page.line, time, page.user, ranks)
    for click in page.clicks:
        doc = click.doc if click.doc is not None else _doc_at(docs, ranks, click, base)
        if doc is None or not record.add_click(doc, click.time):
            findings.add(OUTSIDE, click.place, f"document {doc} of query '{page.text}'")
    return record


def _results(page: ResultPage, base: int, findings: Findings) -> tuple[list[str], list[int]]:
    """Return the documents that were shown, and their ranks."""
    if page.hits:
        return page.hits, list(range(1, len(page.hits) + 1))
    by_rank: dict[int, str] = {}
    seen: set[str] = set()
    late = math.inf
    for event in sorted(page.impressions, key=lambda e: late if e.time is None else e.time):
        if event.doc is None or event.doc in seen:
            continue
        rank = len(by_rank) + 1 if event.ordinal is None else event.ordinal + 1 - base
        if rank < 1:
            findings.add(NEGATIVE_RANK, event.place, f"ordinal {event.ordinal}")
            continue
        if event.ordinal is not None and base == 0:
            findings.add(BASE, event.place, f"application {page.application}")
        if rank in by_rank:
            findings.add(SAME_ORDINAL, event.place, f"rank {rank} of query '{page.text}'")
            continue
        by_rank[rank] = event.doc
        seen.add(event.doc)
    ranks = sorted(by_rank)
    return [by_rank[rank] for rank in ranks], ranks


def _doc_at(docs: Sequence[str], ranks: Sequence[int], click: Event, base: int) -> str | None:
    """Return the document at the position of a click that names none."""
    if click.ordinal is None or click.ordinal + 1 - base not in ranks:
        return None
    return docs[ranks.index(click.ordinal + 1 - base)]


FORMAT = UserBehaviorInsights()
