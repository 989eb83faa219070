"""The Cystic Fibrosis collection: records of two-letter fields, and four assessors for a document.

After ``RD`` come pairs of a record number and four digits: how relevant (0 to 2) each of the four
assessors found it. The grade is their sum, 0 to 8; the digits are kept as ratings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, JudgmentLayout, TopicLayout
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic
from assay.benchmark.collections.xml_tree import Element, plain_name, read_xml
from assay.core.tables import Judgments, Source

FIELDS = {
    "TI": "title",
    "AB": "abstract",
    "EX": "abstract",
    "AU": "authors",
    "SO": "source",
    "MJ": "major_subjects",
    "MN": "minor_subjects",
    "RF": "references",
    "CT": "citations",
    "AN": "accession_number",
    "PN": "paper_number",
}
ASSESSORS = 4
_PADDED = 5
"""Digits of the numbers of queries, and of their counts of records."""
_FIELD = re.compile(r"([A-Z]{2}) +(.*)$|([A-Z]{2})\s*$")
_XML_DOCUMENTS = re.compile(r"<RECORDNUM\b", re.IGNORECASE)
_XML_QUERIES = re.compile(r"<QueryNumber\b", re.IGNORECASE)


def _records(file: TextFile, first: str) -> Iterator[tuple[dict[str, str], int]]:
    """Yield the fields by their letters, and the first line of each record."""
    fields: dict[str, list[str]] = {}
    begin, current, size = 0, "", 0
    for number, line in file.lines():
        found = _FIELD.match(line)
        letters = (found[1] or found[3]) if found else ""
        if letters == first:
            if begin:
                yield _join(fields), begin
            fields, begin, size = {}, number, 0
        elif not begin and line.strip():
            raise file.error(f"'{first}' is expected first, but found '{line[:40]}'", number)
        if found and not line.startswith(" "):
            current = letters
            fields.setdefault(current, []).append(found[2] or "")
        elif current and line.strip():
            fields[current].append(line.strip())
        size += len(line)
        if size > document_limit():
            raise too_large("this record", file.name, begin)
    if begin:
        yield _join(fields), begin


def _join(fields: dict[str, list[str]]) -> dict[str, str]:
    return {name: "\n".join(parts).strip() for name, parts in fields.items()}


def _number(text: str) -> str:
    return text.strip().lstrip("0") or "0"


class FibrosisDocuments(DocumentLayout):
    """``PN``, ``RN``, ``TI``, ``AB`` … or the same as XML."""

    name = "cystic-fibrosis"
    about = "fields PN RN TI AB, or <RECORD> with <RECORDNUM>"

    def matches(self, file: TextFile) -> bool:
        """Return whether a record begins near the start."""
        return file.first_line.startswith("PN ") or bool(_XML_DOCUMENTS.search(file.start))

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the records by their record number."""
        if file.first_line.startswith("<"):
            yield from self._read_xml(file)
            return
        for fields, line in _records(file, "PN"):
            if not fields.get("RN"):
                raise file.error("this record has no number (RN)", line)
            named = {FIELDS.get(name, name.lower()): text for name, text in fields.items()}
            yield Document(_number(named.pop("rn")), named, line)

    def _read_xml(self, file: TextFile) -> Iterator[Document]:
        for record in read_xml(file).all("record"):
            number = record.child("recordnum")
            if number is None:
                raise file.error("this record has no <RECORDNUM>", record.line)
            fields = {
                plain_name(child.name): child.words
                for child in record.children
                if child is not number
            }
            yield Document(_number(number.text), fields, record.line)


class FibrosisTopics(TopicLayout):
    """``QN``, ``QU``, ``NR``, ``RD``, or the same as XML."""

    name = "cystic-fibrosis"
    about = "fields QN QU NR RD, or <QUERY> with <QueryNumber>"

    def matches(self, file: TextFile) -> bool:
        """Return whether a query begins near the start."""
        return file.first_line.startswith("QN ") or bool(_XML_QUERIES.search(file.start))

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for name, text, _, line in _queries(file):
            yield Topic(name, {"text": text}, line=line)


class FibrosisJudgments(JudgmentLayout):
    """The pairs of a record number and four digits that follow each query."""

    name = "cystic-fibrosis"
    about = "after RD a record number and four digits, or <Item score=…>"

    def matches(self, file: TextFile) -> bool:
        """Return whether a query begins near the start."""
        return TOPICS.matches(file)

    def read(self, file: TextFile) -> Judgments:
        """Return the sum of the four digits as the grade."""
        notes: list[str] = []
        rows = [
            (query, doc, float(sum(map(int, each)))) for query, doc, each in _pairs(file, notes)
        ]
        schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
        frame = pl.DataFrame(rows, schema=schema, orient="row")
        judgments = Judgments.of(frame, Source(file.name, digest=file.input.digest))
        return replace(judgments, notes=(*judgments.notes, *notes))


def read_assessors(file: TextFile) -> pl.DataFrame:
    """Return a row for each digit: query, doc, assessor, label."""
    rows = [
        (query, doc, str(place), int(digit))
        for query, doc, digits in _pairs(file, [])
        for place, digit in enumerate(digits, 1)
    ]
    return pl.DataFrame(rows, schema=["query", "doc", "assessor", "label"], orient="row")


def _pairs(file: TextFile, notes: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield query, record and digits; add to the notes what is left out.

    The published XML has lost the beginning of query 93: its number and its count stand as a pair
    among the records of query 92, and its records follow.
    """
    for name, _, pairs, line in _queries(file):
        for place, (doc, digits) in enumerate(pairs):
            if len(doc) == len(digits) == _PADDED and doc.isdecimal() and digits.isdecimal():
                notes.append(
                    f"{file.name}:{line}: query {name}: the last {len(pairs) - place - 1} records"
                    f" belong to query {_number(doc)}, which has no text here; they are left out"
                )
                break
            if not re.fullmatch(rf"[0-2]{{{ASSESSORS}}}", digits):
                raise file.error(
                    f"query {name}, record {doc}: '{digits}' is not {ASSESSORS} digits from 0 to 2",
                    line,
                )
            yield name, _number(doc), digits


def _queries(file: TextFile) -> Iterator[tuple[str, str, list[tuple[str, str]], int]]:
    """Yield the number, the text, the pairs and the first line of each query."""
    if file.first_line.startswith("<"):
        for query in read_xml(file).all("query"):
            yield _xml_query(query, file)
        return
    for fields, line in _records(file, "QN"):
        words = fields.get("RD", "").split()
        if len(words) % 2:
            raise file.error(f"query {fields['QN']}: a record number has no digits", line)
        text = " ".join(fields.get("QU", "").split())
        yield _number(fields["QN"]), text, list(zip(words[::2], words[1::2], strict=True)), line


def _xml_query(query: Element, file: TextFile) -> tuple[str, str, list[tuple[str, str]], int]:
    number, text = query.child("querynumber"), query.child("querytext")
    if number is None or text is None:
        raise file.error("this query has no <QueryNumber> or <QueryText>", query.line)
    items = [(item.text.strip(), item.attribute("score") or "") for item in query.all("item")]
    return _number(number.text), " ".join(text.text.split()), items, query.line


DOCUMENTS = FibrosisDocuments()
TOPICS = FibrosisTopics()
JUDGMENTS = FibrosisJudgments()
