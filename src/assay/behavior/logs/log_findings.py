"""What is wrong or suspicious in a log: counted by kind, with the place of the first case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import polars as pl

from assay.core.errors import DataError
from assay.core.phrases import quantity

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class FindingKind:
    """A kind of problem: what it is called, how bad it is, and how it is handled."""

    name: str
    severity: Severity
    one: str
    """One case in words, such as "click on a document that was not shown"."""
    several: str
    handling: str

    def phrase(self, count: int) -> str:
        """Return the number of cases in words."""
        return quantity(count, self.one, self.several)


def _kind(name: str, severity: Severity, one: str, several: str, handling: str) -> FindingKind:
    kind = FindingKind(name, severity, one, several, handling)
    KINDS[name] = kind
    return kind


KINDS: dict[str, FindingKind] = {}
OUTSIDE = _kind(
    "click outside the list",
    "warning",
    "click on a document that was not shown",
    "clicks on documents that were not shown",
    "ignored",
)
NO_LIST = _kind(
    "click without a list",
    "warning",
    "click without a result list",
    "clicks without a result list",
    "ignored",
)
NO_IDS = _kind(
    "list without documents",
    "warning",
    "result list without document ids",
    "result lists without document ids",
    "excluded",
)
NO_QUERY = _kind(
    "list without a query",
    "warning",
    "result list without a query",
    "result lists without a query",
    "excluded",
)
NEGATIVE_RANK = _kind(
    "negative rank", "error", "negative rank", "negative ranks", "ranks count from 1 or from 0"
)
REPEATED_RANK = _kind(
    "two lists under one id",
    "error",
    "rank that occurs twice in a list",
    "ranks that occur twice in a list",
    "two lists or sessions share an id: give each list its own session, or a column `list`",
)
SPLIT_SESSION = _kind(
    "two sessions under one id",
    "warning",
    "session id that occurs again after other sessions, or with another user",
    "session ids that occur again after other sessions, or with another user",
    "kept as one session",
)
REPEATED_DOC = _kind(
    "document twice in a list",
    "warning",
    "document that occurs twice in a list",
    "documents that occur twice in a list",
    "kept at both ranks; a click counts for the first",
)
SAME_ORDINAL = _kind(
    "two documents at one rank",
    "warning",
    "impression at a rank that another document has",
    "impressions at ranks that other documents have",
    "the first is kept",
)
GAP = _kind(
    "gap in the ranks",
    "warning",
    "list with a gap in its ranks",
    "lists with gaps in their ranks",
    "kept: the results in between are unknown",
)
REPEATED_CLICK = _kind(
    "repeated click",
    "note",
    "result that was clicked more than once in a list",
    "results that were clicked more than once in a list",
    "counted in the table, one click for models",
)
EXTRA_COUNTS = _kind(
    "click counts beyond the list",
    "note",
    "line with more click counts than documents",
    "lines with more click counts than documents",
    "zeros are ignored, others are clicks outside the list",
)
TEST_LIST = _kind(
    "list without clicks by design",
    "note",
    "test list whose clicks were removed",
    "test lists whose clicks were removed",
    "excluded",
)
GRADED_LIST = _kind(
    "list with grades instead of clicks",
    "note",
    "list with grades in place of clicks",
    "lists with grades in place of clicks",
    "excluded",
)
SAME_QUERY_ID = _kind(
    "two queries under one id",
    "warning",
    "query id with several query records that differ",
    "query ids with several query records that differ",
    "the first record with documents is used",
)
BASE = _kind(
    "ranks from 0",
    "note",
    "rank that was raised by 1, since ranks start at 0",
    "ranks that were raised by 1, since ranks start at 0",
    "set `base` to change it",
)
NO_ZONE = _kind(
    "time without a zone",
    "warning",
    "time without a time zone",
    "times without a time zone",
    "read as UTC",
)
BAD_TIME = _kind(
    "unreadable time", "warning", "time that cannot be read", "times that cannot be read", "ignored"
)
CLOCK_BACK = _kind(
    "clock jump",
    "warning",
    "list that is earlier than the list before it in its session",
    "lists that are earlier than the list before them in their session",
    "kept",
)
LONG_PAUSE = _kind(
    "long pause",
    "warning",
    "pause of more than a day within a session",
    "pauses of more than a day within a session",
    "kept",
)
EARLY_CLICK = _kind(
    "click before the list",
    "warning",
    "click that is earlier than its list",
    "clicks that are earlier than their list",
    "kept",
)
BOT = _kind(
    "possible bot",
    "warning",
    "user with an implausible number of lists or clicks",
    "users with an implausible number of lists or clicks",
    "kept; remove them if they are programs",
)
UNUSED = _kind(
    "unused event",
    "note",
    "event that is neither an impression nor a click",
    "events that are neither impressions nor clicks",
    "ignored",
)


@dataclass
class _Case:
    count: int
    place: str
    example: str


class Findings:
    """Problems found while a log is read."""

    def __init__(self) -> None:
        self._cases: dict[str, _Case] = {}

    def add(self, kind: FindingKind, place: str, example: str = "", count: int = 1) -> None:
        """Count cases of a kind; the place and the example of the first ones are kept."""
        known = self._cases.get(kind.name)
        if known is None:
            self._cases[kind.name] = _Case(count, place, example)
        else:
            known.count += count

    def clear(self) -> None:
        """Forget everything, since the log is read again."""
        self._cases.clear()

    def count(self, kind: FindingKind) -> int:
        """Return how many cases of a kind were found."""
        case = self._cases.get(kind.name)
        return 0 if case is None else case.count

    def refuse_errors(self) -> None:
        """Raise the first error, if there is one."""
        for kind, case in self._found():
            if kind.severity == "error":
                raise DataError(f"{_sentence(kind, case)}; {kind.handling}")

    @property
    def has_errors(self) -> bool:
        """Whether something must be fixed before the log can be used."""
        return any(kind.severity == "error" for kind, _ in self._found())

    def notes(self, least: tuple[Severity, ...] = ("error", "warning")) -> list[str]:
        """Return a sentence for each kind of problem, by default without mere notes."""
        return [
            f"{_sentence(kind, case)}: {kind.handling}"
            for kind, case in self._found()
            if kind.severity in least
        ]

    def frame(self) -> pl.DataFrame:
        """Return severity, problem, count, first (its place), example and handling."""
        rows = [
            (kind.severity, kind.name, case.count, case.place, case.example, kind.handling)
            for kind, case in self._found()
        ]
        names = ["severity", "problem", "count", "first", "example", "handling"]
        schema = {n: pl.Int64() if n == "count" else pl.String() for n in names}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _found(self) -> list[tuple[FindingKind, _Case]]:
        """Return the cases in the order of the kinds, errors first."""
        order = ["error", "warning", "note"]
        found = [(KINDS[name], case) for name, case in self._cases.items() if case.count]
        places = list(KINDS)
        return sorted(found, key=lambda e: (order.index(e[0].severity), places.index(e[0].name)))


def _sentence(kind: FindingKind, case: _Case) -> str:
    example = f" ({case.example})" if case.example else ""
    first = "" if case.count == 1 else ", the first"
    return f"{case.place}: {kind.phrase(case.count)}{first}{example}"
