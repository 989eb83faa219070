"""Result lists one by one, as line formats have them, and how they become rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.logs.click_table import LINE, PIECE
from assay.behavior.logs.log_findings import BAD_TIME, NO_ZONE, OUTSIDE, Findings
from assay.behavior.logs.log_format import LogFormat, LogSettings, RawPiece
from assay.core.errors import FormatError
from assay.formats.input_files import BYTE_ORDER_MARK, Input

LISTS_AT_ONCE = 50_000
MILLISECONDS = 1e11
"""A time since 1970 above this is in milliseconds: in seconds it would be the year 5138."""


@dataclass(slots=True)
class ListRecord:
    """One result list with its clicks."""

    session: str
    query: str
    docs: Sequence[str]
    line: int
    time: float | None = None
    user: str | None = None
    ranks: Sequence[int] | None = None
    """The rank of each document, if they are not 1, 2, 3, …"""
    clicks: list[int] = field(init=False)
    click_times: list[float | None] = field(init=False)

    def __post_init__(self) -> None:
        self.clicks = [0] * len(self.docs)
        self.click_times = [None] * len(self.docs)

    def add_click(self, doc: str, time: float | None = None) -> bool:
        """Count a click on a document; return whether it was shown."""
        if doc not in self.docs:
            return False
        place = self.docs.index(doc)
        self.clicks[place] += 1
        earlier = self.click_times[place]
        if time is not None and (earlier is None or time < earlier):
            self.click_times[place] = time
        return True

    def add_clicks(self, docs: Iterable[str], place: str, findings: Findings) -> None:
        """Count clicks on documents; those that were not shown are reported."""
        for doc in docs:
            if not self.add_click(doc):
                findings.add(OUTSIDE, place, f"document {doc}")


def records_frame(records: Sequence[ListRecord]) -> pl.DataFrame:
    """Return lists as rows with the columns of a piece; the numbers of lists begin at 0.

    A list without documents is one row without a document.
    """
    sizes = [max(1, len(each.docs)) for each in records]
    of_row = pl.Series(np.repeat(np.arange(len(records)), sizes))
    nested: dict[str, Iterable[Sequence[Any]]] = {
        "doc": (each.docs for each in records),
        "rank": (each.ranks or range(1, len(each.docs) + 1) for each in records),
        "click": (each.clicks for each in records),
        "click_time": (each.click_times for each in records),
    }
    columns = {"list": of_row.alias("list")}
    for name in ("session", "query", "time", "user", LINE):
        values = [getattr(each, name) for each in records]
        columns[name] = pl.Series(name, values, PIECE.get(name, pl.Int64())).gather(of_row)
    for name, parts in nested.items():
        flat = list(chain.from_iterable(part or (None,) for part in parts))
        columns[name] = pl.Series(name, flat, PIECE[name])
    return pl.DataFrame(columns).select(*PIECE, LINE)


def batches(records: Iterable[ListRecord], size: int = LISTS_AT_ONCE) -> Iterator[pl.DataFrame]:
    """Yield rows for so many lists at a time; the lists of a session stay together."""
    source = iter(records)
    held: list[ListRecord] = []
    while more := list(islice(source, size)):
        held += more
        last = held[-1].session
        cut = len(held)
        while cut and held[cut - 1].session == last:
            cut -= 1
        if cut:
            yield records_frame(held[:cut])
            held = held[cut:]
    if held:
        yield records_frame(held)


class RecordFormat(LogFormat):
    """A format whose files are read list by list."""

    @abstractmethod
    def records(self, file: Input, findings: Findings) -> Iterator[ListRecord]:
        """Yield the lists of a file."""

    def place(self, file: Input, number: int) -> str:
        """Return where a record is: by default the line of the file."""
        return f"{file.name}:{number}"

    def read(
        self, files: Sequence[Input], settings: LogSettings, findings: Findings
    ) -> Iterator[RawPiece]:
        """Yield the lists of each file in pieces."""
        for file in files:
            for frame in batches(self.records(file, findings)):
                yield RawPiece(frame, partial(self.place, file))


def text_lines(file: Input) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text that are not blank, with their numbers."""
    number = 0
    for piece in file.pieces():
        for line in piece.splitlines():
            number += 1
            content = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
            if not content.strip():
                continue
            try:
                yield number, content.decode()
            except UnicodeDecodeError:
                raise FormatError(
                    "this line is not UTF-8 text; convert the file (iconv -f latin1 -t utf-8)",
                    file.name,
                    number,
                ) from None


def read_time(value: Any, place: str, findings: Findings) -> float | None:
    """Return a time in seconds: a number (in milliseconds if it is large) or ISO 8601."""
    if value is None or value == "":
        return None
    number = _as_number(value)
    if number is not None:
        return number / 1000 if number > MILLISECONDS else number
    try:
        moment = datetime.fromisoformat(str(value).strip())
    except ValueError:
        findings.add(BAD_TIME, place, str(value))
        return None
    if moment.tzinfo is None:
        findings.add(NO_ZONE, place, str(value))
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp()


def _as_number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if number == number and abs(number) != float("inf") else None
