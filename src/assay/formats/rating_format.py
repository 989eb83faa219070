"""Formats of tools for judging: ratings by assessors, which may say that they cannot judge."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import polars as pl

from assay.core.errors import FormatError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run, Source
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.json_text import read_json_text
from assay.formats.table_columns import Kind


@dataclass(frozen=True)
class Rating:
    """The rating of one document by one assessor."""

    query: str
    doc: str
    grade: float | None
    """None where there is no rating, or the assessor could not give one."""
    assessor: str = ""
    unrateable: bool = False
    seconds: float | None = None


class RatingFormat(Format):
    """A file of ratings; of several assessors it is read as a table of ratings alone."""

    endings: ClassVar[tuple[str, ...]] = ()
    holds: ClassVar[tuple[str, ...]] = ("grade",)
    specific: ClassVar[bool] = True

    @abstractmethod
    def ratings(self, file: Input) -> list[Rating]:
        """Return the ratings of a file; a query without any has one of an empty document."""

    @abstractmethod
    def text(self, ratings: Sequence[Rating]) -> str:
        """Return the content of a file with these ratings."""

    def kind(self, file: Input) -> Kind | None:
        """Return that these are judgments."""
        return "qrels"

    def read_run(self, file: Input) -> Run:
        """Refuse: a tool for judging has no runs."""
        raise FormatError(f"{self.name} holds judgments, but a run is expected", file.name)

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return a row for each rating: query, doc, item, assessor, label, unrateable, seconds."""
        rows = [
            {
                "query": each.query,
                "doc": each.doc,
                "item": f"{each.query} {each.doc}",
                "assessor": each.assessor or "1",
                "label": each.grade,
                "unrateable": each.unrateable,
                "seconds": each.seconds,
            }
            for each in self.ratings(file)
            if each.doc
        ]
        if not rows:
            raise FormatError("there is no rating in this file", file.name)
        return pl.DataFrame(rows, infer_schema_length=None), Source(file.name)

    def read_qrels(self, file: Input) -> Judgments:
        """Return the grades; what could not be rated is left out with a note."""
        given = self.ratings(file)
        rated = [each for each in given if each.grade is not None and not each.unrateable]
        pairs = [(each.query, each.doc) for each in rated]
        if len(set(pairs)) < len(pairs):
            query, doc = next(pair for pair, count in Counter(pairs).items() if count > 1)
            raise FormatError(
                f"document {one_line(doc)} of query {one_line(query)} has ratings of several"
                " assessors; combine them first (assay aggregate)",
                file.name,
            )
        schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
        rows = [(each.query, each.doc, each.grade) for each in rated]
        judged = Judgments.of(
            pl.DataFrame(rows, schema=schema, orient="row"),
            Source(file.name, digest=file.digest),
        )
        lost = sum(each.unrateable for each in given)
        note = f"{file.name}: {quantity(lost, 'document')} that could not be rated: left out"
        answered = {each.query for each in rated}
        empty = tuple(dict.fromkeys(each.query for each in given if each.query not in answered))
        return replace(judged, empty=empty, notes=(*judged.notes, *([note] if lost else [])))

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield the grades as ratings of one assessor."""
        if isinstance(table, Run):
            raise FormatError(f"{self.name} holds judgments, and this is a run")
        found = rows.select("query", "doc", "grade").iter_rows()
        yield self.text([Rating(query, doc, grade) for query, doc, grade in found]).encode()


class JsonRatingFormat(RatingFormat):
    """A format of ratings that is one JSON value."""

    marks: ClassVar[tuple[str, ...]]
    """Keys that show the format near the start of a file."""

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the file begins as JSON and has the keys of the format."""
        start = file.start
        return file.first_byte in (b"{", b"[") and all(
            f'"{mark}"'.encode() in start for mark in self.marks
        )

    def content(self, file: Input) -> Any:
        """Return the JSON value of a file."""
        try:
            return json.loads(read_json_text(file))
        except json.JSONDecodeError as failure:
            raise FormatError(f"not JSON: {failure.msg}", file.name, failure.lineno) from None
        except RecursionError:
            raise FormatError("the JSON is nested too deeply", file.name) from None

    def ratings(self, file: Input) -> list[Rating]:
        """Return the ratings of a file."""
        found: list[Rating] = []
        try:
            for each in self.parse(self.content(file)):
                found.append(each)
            return found
        except (KeyError, TypeError, ValueError, AttributeError) as failure:
            message = f"this is not a file of {self.name}: {self._place(found, failure)}"
            raise FormatError(message, file.name) from None

    def _place(self, found: Sequence[Rating], failure: Exception) -> str:
        """Return which rating is wrong, what is wrong, and which rating is the one before."""
        number, before = "", ""
        if found or type(failure) is ValueError:
            number = f"rating {len(found) + 1}: "
        if found:
            last = found[-1]
            before = f" (the one before is of query {last.query}, document {last.doc})"
        if isinstance(failure, KeyError):
            wrong = f"no {failure}"
        elif isinstance(failure, ValueError):
            wrong = str(failure)
        else:
            wrong = f"it is not nested as {self.about}"
        return f"{number}{one_line(wrong + before)}"

    @abstractmethod
    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield the ratings of a JSON value."""


def one_line(text: str) -> str:
    """Return a text for a message, on one line and not too long."""
    return " ".join(text.split())[:200]


def as_grade(value: Any) -> float | None:
    """Return a number that may be written as text; None for nothing."""
    try:
        return None if value in (None, "") else float(value)
    except ValueError:
        raise ValueError(f"the rating '{value}' is not a number") from None


def plain(grade: float | None) -> float | int | None:
    """Return a whole number without a point."""
    return int(grade) if grade is not None and grade % 1 == 0 else grade


def by_query(ratings: Sequence[Rating]) -> dict[str, list[Rating]]:
    """Return the ratings of each query, in the order of the queries."""
    found: dict[str, list[Rating]] = {}
    for each in ratings:
        found.setdefault(each.query, []).append(each)
    return found


def json_document(content: Any) -> str:
    """Return a JSON value as text."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"
