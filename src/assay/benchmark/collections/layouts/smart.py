"""SMART files: Cranfield, CACM, CISI, MED, ADI; sections that begin with ``.I``, ``.T``, ``.W``.

Ids are numbers, so that 01 and 1 are the same document or query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, JudgmentLayout, TopicLayout
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.tables import Judgments, Source

FIELDS = {
    "T": "title",
    "A": "authors",
    "B": "source",
    "W": "text",
    "K": "keywords",
    "C": "categories",
    "N": "note",
    "X": "references",
}
_LETTERS = {name: letter for letter, name in FIELDS.items()}
_BEGIN = re.compile(r"\.I\s+(\S+)\s*$")
_SECTION = re.compile(r"\.([A-Z])\s*$")
_NO_RECORD = "0"
"""The number after which a file may end (the queries of CACM do)."""
BEST_CODE, WORST_CODE = 1, 4
"""Cranfield's codes: 1 is a complete answer, 4 of minimum interest."""


def plain_number(name: str) -> str:
    """Return a numeric id without zeros before it."""
    return name.lstrip("0") or "0" if name.isdecimal() else name


def _records(file: TextFile) -> Iterator[tuple[str, dict[str, str], int]]:
    """Yield the id, the fields and the first line of each record."""
    name, begin, section, size, limit = "", 0, "", 0, document_limit()
    parts: dict[str, list[str]] = {}
    for number, line in file.lines():
        if found := _BEGIN.match(line):
            if begin:
                yield name, _join(parts), begin
            name, begin, section, parts, size = plain_number(found[1]), number, "", {}, 0
        elif not begin:
            if line.strip():
                raise file.error(f"'.I' and a number are expected, but found '{line[:40]}'", number)
        elif found := _SECTION.match(line):
            section = FIELDS.get(found[1], found[1].lower())
            parts.setdefault(section, [])
        elif section:
            parts[section].append(line)
            size += len(line)
            if size > limit:
                raise too_large(f"document {name}", file.name, begin)
        elif line.strip():
            raise file.error(
                f"a section such as '.W' is expected after '.I {name}', but found '{line[:40]}'",
                number,
            )
    if begin and not (name == _NO_RECORD and not parts):
        if not parts:
            raise file.error(f"'.I {name}' is the last line: the file is cut off", begin)
        yield name, _join(parts), begin


def _join(parts: dict[str, list[str]]) -> dict[str, str]:
    return {name: "\n".join(lines).strip() for name, lines in parts.items()}


class SmartDocuments(DocumentLayout):
    """Documents in sections."""

    name = "smart"
    about = "sections .I .T .A .B .W"

    def matches(self, file: TextFile) -> bool:
        """Return whether the first line is the number of a document."""
        return _BEGIN.match(file.first_line) is not None

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents; what follows a letter is the field of that letter."""
        for name, fields, line in _records(file):
            yield Document(name, fields, line)


class SmartTopics(TopicLayout):
    """Queries in sections."""

    name = "smart"
    about = "sections .I .W"

    def matches(self, file: TextFile) -> bool:
        """Return whether the first line is the number of a query."""
        return _BEGIN.match(file.first_line) is not None

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for name, fields, line in _records(file):
            yield Topic(name, fields, line=line)

    def write(self, topics: Topics) -> str:
        """Return sections, one below the other."""
        blocks = []
        for topic in topics:
            fields = topic.fields if "text" in topic.fields else {"text": topic.text}
            known = {_LETTERS[name]: text for name, text in fields.items() if name in _LETTERS}
            sections = "".join(f".{letter}\n{text}\n" for letter, text in known.items())
            blocks.append(f".I {topic.id}\n{sections}")
        return "".join(blocks)


class SmartJudgments(JudgmentLayout):
    """Lines of query, document and a code (Cranfield), or of query, document and two zeros."""

    name = "smart"
    about = "query, document, code 1 (best) to 4 or -1; or query, document, 0, 0"

    def matches(self, file: TextFile) -> bool:
        """Return whether each line is of three whole numbers, or ends with two zeros."""
        rows = [line.split() for line in file.first_lines[:200]]
        if len(file.first_lines) > 1 and len(file.start) >= 1 << 15:
            rows = rows[:-1]
        if not all(row[0].isdecimal() and row[1:] and row[1].isdecimal() for row in rows):
            return False
        if all(len(row) == 2 for row in rows):
            return True
        codes = all(len(row) == 3 and re.fullmatch(r"-?\d+", row[2]) for row in rows)
        zeros = all(
            len(row) == 4 and not any(c not in "0." for c in row[2] + row[3]) for row in rows
        )
        return codes or zeros

    def read(self, file: TextFile) -> Judgments:
        """Return the judgments; Cranfield's codes 1 to 4 become grades 4 to 1."""
        rows, lines = [], []
        for number, line in file.lines():
            fields = line.split()
            if not fields:
                continue
            if not 2 <= len(fields) <= 4 or not (fields[0].isdecimal() and fields[1].isdecimal()):
                raise file.error(
                    "a line is: query, document, code; or query, document, 0, 0", number
                )
            grade = self._grade(fields, file, number)
            rows.append((plain_number(fields[0]), plain_number(fields[1]), grade))
            lines.append(number)
        schema = {"query": pl.String, "doc": pl.String, "grade": pl.Float64}
        frame = pl.DataFrame(rows, schema=schema, orient="row")
        source = Source(file.name, pl.Series("line", lines), file.input.digest)
        made = Judgments.of(frame, source)
        if made.frame["grade"].max() in (None, 1.0):
            return made
        note = (
            f"{file.name}: the codes from {BEST_CODE} (best) to {WORST_CODE} are grades from"
            f" {WORST_CODE} (best) to {BEST_CODE} here"
        )
        return replace(made, notes=(*made.notes, note))

    def _grade(self, fields: list[str], file: TextFile, number: int) -> float:
        if len(fields) != 3:
            return 1.0
        code = int(fields[2]) if re.fullmatch(r"-?\d+", fields[2]) else 0
        if code == WORST_CODE + 1:
            return 0.0
        if code != -1 and not BEST_CODE <= code <= WORST_CODE:
            raise file.error(
                f"the code is {fields[2]}, but 1 (best) to 5 or -1 is expected", number
            )
        return float(code if code < 0 else WORST_CODE + 1 - code)


DOCUMENTS = SmartDocuments()
TOPICS = SmartTopics()
JUDGMENTS = SmartJudgments()
