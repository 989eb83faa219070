"""LISA: numbered documents between rows of stars, queries that end with #, two judgment layouts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, JudgmentLayout, TopicLayout
from assay.benchmark.collections.relevant_lists import RelevantLists
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.errors import AssayError, FormatError
from assay.core.tables import Judgments

_DOCUMENT = re.compile(r"Document\s+(\d+)\s*$")
_STARS = re.compile(r"\*{10,}\s*$")
_START = 60_000
"""A start with fewer characters is the whole file."""
_QUERY = re.compile(r"Query\s+(\d+)\s*$", re.IGNORECASE)


class LisaDocuments(DocumentLayout):
    """``Document 12``, a title, an empty line, an abstract, and a row of stars."""

    name = "lisa"
    about = "'Document 1', title, abstract, a row of stars"

    def matches(self, file: TextFile) -> bool:
        """Return whether the first line is the number of a document."""
        return _DOCUMENT.match(file.first_line) is not None

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents; the title ends at the first empty line."""
        name, begin, size = "", 0, 0
        lines: list[str] = []
        for number, line in file.lines():
            if found := _DOCUMENT.match(line.strip()):
                if begin:
                    raise file.error(f"document {name} does not end with a row of stars", begin)
                name, begin, lines, size = found[1], number, [], 0
            elif _STARS.match(line):
                if begin:
                    yield self._document(name, lines, begin)
                begin = 0
            elif begin:
                lines.append(line.rstrip())
                size += len(line)
                if size > document_limit():
                    raise too_large(f"document {name}", file.name, begin)
            elif line.strip():
                raise file.error(f"'Document' is expected, but found '{line[:40]}'", number)
        if begin and lines and not self._is_repeated(file, name):
            raise file.error(f"document {name} does not end: the file is cut off", begin)

    def _is_repeated(self, file: TextFile, name: str) -> bool:
        """Return whether another file beside this one begins with a document.

        As published, LISA1.501 ends with a damaged copy of the first document of LISA2.001.
        """
        for path in sorted(file.path.parent.glob(f"{file.path.name[:4]}*")):
            if path.is_file() and path != file.path:
                with suppress(AssayError):
                    first = TextFile(path, file.encoding).first_lines[:1]
                    found = _DOCUMENT.match(first[0].strip()) if first else None
                    if found and found[1] == name:
                        return True
        return False

    def _document(self, name: str, lines: list[str], line: int) -> Document:
        body = "\n".join(lines).strip("\n")
        title, _, text = body.partition("\n\n")
        return Document(name, {"title": title.strip(), "text": text.strip()}, line)


class LisaTopics(TopicLayout):
    """A number, and the text of the query up to #."""

    name = "lisa"
    about = "a number, and a text that ends with #"

    def matches(self, file: TextFile) -> bool:
        """Return whether a number comes first, and # ends the first text."""
        ends = [line for line in file.first_lines if line.rstrip().endswith(("#", "/"))]
        return file.first_line.isdecimal() and bool(ends) and ends[0].rstrip().endswith("#")

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        name, begin = "", 0
        lines: list[str] = []
        for number, line in file.lines():
            text = line.strip()
            if not begin and text.isdecimal():
                name, begin, lines = text, number, []
            elif not begin and text:
                raise file.error(f"the number of a query is expected: '{text[:40]}'", number)
            elif text.endswith("#"):
                yield Topic(
                    name, {"text": "\n".join([*lines, text[:-1].rstrip()]).strip()}, line=begin
                )
                begin = 0
            elif begin:
                lines.append(text)
        if begin:
            raise file.error(f"query {name} does not end with #: the file is cut off", begin)

    def write(self, topics: Topics) -> str:
        """Return numbers and texts."""
        return "".join(f"{each.id}\n{each.fields.get('text') or each.text} #\n" for each in topics)


class LisaJudgments(JudgmentLayout):
    """``Query 1``, a count, and documents up to -1; or numbers: query, count, documents."""

    name = "lisa"
    about = "'Query 1', '3 Relevant Refs:' and documents up to -1; or query, count, documents"
    published_as = "lisarj"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with a query, or with counts that are right."""
        return bool(_QUERY.match(file.first_line)) or self._are_counts(file)

    def read(self, file: TextFile) -> Judgments:
        """Return grade 1 for each listed document."""
        lists = RelevantLists(file)
        if _QUERY.match(file.first_line):
            self._read_named(file, lists)
        else:
            self._read_counted(file, lists)
        return lists.judgments()

    def _read_named(self, file: TextFile, lists: RelevantLists) -> None:
        query, expected, found, is_open = "", 0, 0, False
        for number, line in file.lines():
            counts = re.match(r"\s*(\d+)\s+Relevant Ref", line, re.IGNORECASE)
            begins = _QUERY.match(line.strip())
            if is_open and (begins or (counts and found)):
                raise self._cut_off(file, query, expected, found, number)
            if begins:
                query, expected, found, is_open = begins[1], 0, 0, True
            elif counts:
                expected = int(counts[1])
            elif line.strip():
                for word in line.split():
                    if word == "-1":
                        lists.note_count(query, expected, found, number)
                        is_open = False
                        continue
                    lists.add(query, word, number)
                    found += 1
        if is_open:
            raise self._cut_off(file, query, expected, found, number)

    def _cut_off(
        self, file: TextFile, query: str, expected: int, found: int, line: int
    ) -> FormatError:
        return file.error(
            f"query {query}: {expected} documents are announced, but the list breaks off after"
            f" {found}, without -1. The LISA.REL that is published lacks lines here: read"
            " LISARJ.NUM, which has all judgments",
            line,
        )

    def _read_counted(self, file: TextFile, lists: RelevantLists) -> None:
        words = [(number, word) for number, line in file.lines() for word in line.split()]
        place = 0
        while place < len(words):
            number, query = words[place]
            count = words[place + 1][1] if place + 1 < len(words) else ""
            if not count.isdecimal() or place + 2 + int(count) > len(words):
                raise file.error(
                    f"query {query}: {count or 'no'} documents are announced, but the file ends"
                    " before them",
                    number,
                )
            for line, doc in words[place + 2 : place + 2 + int(count)]:
                lists.add(query, doc, line)
            place += 2 + int(count)

    def _are_counts(self, file: TextFile) -> bool:
        """Return whether numbers are: a query, a count, so many documents, the next query."""
        words = file.start.split()
        if not all(word.isdecimal() for word in words[:400]):
            return False
        place, queries = 0, 0
        while place + 1 < len(words):
            query, count = words[place : place + 2]
            docs = words[place + 2 : place + 2 + int(count)] if count.isdecimal() else ["0"]
            if query != str(queries + 1) or not all(doc.strip("0").isdecimal() for doc in docs):
                return False
            queries += 1
            place += 2 + int(count)
        complete = len(file.start) < _START
        named = file.path.name.lower().startswith(self.published_as)
        return queries > (0 if named else 1) and (place == len(words) or not complete)


DOCUMENTS = LisaDocuments()
TOPICS = LisaTopics()
JUDGMENTS = LisaJudgments()
