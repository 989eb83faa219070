"""Quepid: the ratings of a case, as CSV or as JSON.

A spreadsheet takes a text that begins with + - = or @ for a formula; Quepid writes a space before
it, which is removed here and written again. A query without ratings is a row without a document.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from assay.core.errors import FormatError
from assay.formats.input_files import Input
from assay.formats.rating_format import (
    JsonRatingFormat,
    Rating,
    as_grade,
    one_line,
    plain,
)
from assay.formats.table_columns import Kind

HEADER = ["query", "docid", "rating"]
DETAILED = ["Query Text", "Doc ID", "Rating"]
"""The columns of the detailed export of a case, which has others before, between and after them."""
_GUARDED = ("+", "-", "=", "@")


class QuepidCase(JsonRatingFormat):
    """``query,docid,rating``, or ``{"queries": [{"query": …, "ratings": {…}}]}``."""

    name = "quepid"
    about = 'query,docid,rating as CSV; or {"queries": [{"query": …, "ratings": {…}}]}'
    marks = ("queries", "ratings")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the header is that of a case, or the JSON has its keys."""
        first = file.first_lines[0] if file.first_lines else b""
        names = first.split(b",")
        if names == [name.encode() for name in HEADER] or _is_detailed(names):
            return True
        return super().matches(file, kind) and b'"requests"' not in file.start

    def ratings(self, file: Input) -> list[Rating]:
        """Return the ratings of a case."""
        if file.first_byte == b"{":
            return super().ratings(file)
        (_, header), *rows = csv_rows(file, lone_queries=True)
        names = DETAILED if DETAILED[0] in header else HEADER
        places = [header.index(name) for name in names]
        picked = [(line, [row[place] for place in places]) for line, row in rows]
        return [
            Rating(query, doc, csv_grade(rating, file, line))
            for line, (query, doc, rating) in picked
        ]

    def parse(self, content: Any) -> Iterator[Rating]:
        """Yield the ratings of each query."""
        for group in content["queries"]:
            query = str(group["query_text"] if "query_text" in group else group["query"])
            ratings = group["ratings"] or {}
            if isinstance(ratings, list):
                ratings = {each["doc_id"]: each["rating"] for each in ratings}
            for doc, rating in ratings.items():
                yield Rating(query, str(doc), as_grade(rating))
            if not ratings:
                yield Rating(query, "", None)

    def text(self, ratings: Sequence[Rating]) -> str:
        """Return CSV, with a space before what a spreadsheet would take for a formula."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(HEADER)
        for each in ratings:
            grade = "" if each.grade is None else plain(each.grade)
            writer.writerow([_guard(each.query), _guard(each.doc), grade])
        return out.getvalue()


def _is_detailed(names: Sequence[bytes]) -> bool:
    return all(name.encode() in names for name in DETAILED)


def csv_rows(file: Input, lone_queries: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the fields of each row; the first has the names of the columns.

    With ``lone_queries`` a row may have a query alone, which has no ratings.
    """
    try:
        text = file.text_content().decode()
    except UnicodeDecodeError:
        raise FormatError("this is not UTF-8 text", file.name) from None
    rows, width = csv.reader(io.StringIO(text, newline="")), 0
    for row in rows:
        width = width or len(row)
        if lone_queries and len(row) == 1 < width:
            row = [*row, *[""] * (width - 1)]
        if row and len(row) != width:
            message = f"expected {width} fields, found {len(row)}"
            raise FormatError(message, file.name, rows.line_num)
        if row:
            yield rows.line_num, [_unguard(row[0]), _unguard(row[1]), *row[2:]]


def csv_grade(text: str, file: Input, line: int) -> float | None:
    """Return the rating in a field; None if it is empty."""
    try:
        return as_grade(text.strip())
    except ValueError as failure:
        raise FormatError(one_line(str(failure)), file.name, line) from None


def _guard(text: str) -> str:
    return f" {text}" if text.lstrip(" ").startswith(_GUARDED) else text


def _unguard(text: str) -> str:
    return text[1:] if text[:1] == " " and text.lstrip(" ").startswith(_GUARDED) else text


FORMAT = QuepidCase()
