"""TIME: articles that begin with ``*TEXT``, queries that begin with ``*FIND``.

The judgments number the articles by their order in the file, not by the number after ``*TEXT``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, JudgmentLayout, TopicLayout
from assay.benchmark.collections.relevant_lists import RelevantLists
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.tables import Judgments

_STOP = re.compile(r"\*STOP\b")


def _records(file: TextFile, word: str) -> Iterator[tuple[str, str, int]]:
    """Yield the rest of the first line, the text and the first line of each record.

    Copies without ``*STOP`` are common: they are whole if an empty line follows the last text.
    """
    head, begin, size, line = "", 0, 0, ""
    lines: list[str] = []
    for number, line in file.lines():
        begins = line.startswith(word)
        if begins or _STOP.match(line):
            if begin:
                yield head, _without_blank_lines(lines), begin
            head, begin, lines, size = line[len(word) :].strip(), number * begins, [], 0
        elif begin:
            lines.append(line.strip())
            size += len(line)
            if size > document_limit():
                raise too_large("this article", file.name, begin)
        elif line.strip():
            raise file.error(f"'{word}' is expected, but found '{line[:40]}'", number)
    if begin and (line.strip() or not lines):
        raise file.error("the last record is not followed by *STOP: the file is cut off", begin)
    if begin:
        yield head, _without_blank_lines(lines), begin


def _without_blank_lines(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)


class TimeDocuments(DocumentLayout):
    """``*TEXT 017 01/04/63 PAGE 020`` and the article; ``*STOP`` at the end."""

    name = "time"
    about = "'*TEXT 017 …' and the article, '*STOP' at the end"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with an article."""
        return file.first_line.startswith("*TEXT")

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the articles, numbered from 1 as in the judgments."""
        for place, (head, text, line) in enumerate(_records(file, "*TEXT"), 1):
            yield Document(str(place), {"number": head, "text": text}, line)


class TimeTopics(TopicLayout):
    """``*FIND     1`` and the query; ``*STOP`` at the end."""

    name = "time"
    about = "'*FIND 1' and the query, '*STOP' at the end"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with a query."""
        return file.first_line.startswith("*FIND")

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for head, text, line in _records(file, "*FIND"):
            if not head.isdecimal():
                raise file.error(f"'*FIND' and a number are expected, but found '{head}'", line)
            yield Topic(head.lstrip("0"), {"text": text}, line=line)

    def write(self, topics: Topics) -> str:
        """Return the queries, with an empty line between lines as published."""
        blocks = [
            f"*FIND {each.id:>5}\n\n{each.fields.get('text') or each.text}\n\n" for each in topics
        ]
        return "".join([*blocks, "*STOP\n"])


class TimeJudgments(JudgmentLayout):
    """A line for each query: its number and those of the relevant documents."""

    name = "time"
    about = "a line for each query: its number and those of the relevant documents"
    published_as = "time"

    def matches(self, file: TextFile) -> bool:
        """Return whether lines of numbers begin with rising ones, and differ in length.

        A query without relevant documents is a line with its number alone. With the name of the
        published file, lines may be equally long.
        """
        rows = [line.split() for line in file.first_lines[:200]]
        named = file.path.name.lower().startswith(self.published_as)
        least = 1 if named else 2
        if not all(word.isdecimal() for row in rows for word in row) or len(rows) < least:
            return False
        heads = [int(row[0]) for row in rows]
        rising = all(one < other for one, other in pairwise(heads))
        lists = sum(len(row) > 1 for row in rows)
        differ = named or len({len(row) for row in rows}) > 1
        return rising and differ and 2 * lists > len(rows)

    def read(self, file: TextFile) -> Judgments:
        """Return grade 1 for each listed document."""
        lists = RelevantLists(file)
        for number, line in file.lines():
            words = line.split()
            for doc in words[1:]:
                lists.add(words[0], doc, number)
        return lists.judgments()


DOCUMENTS = TimeDocuments()
TOPICS = TimeTopics()
JUDGMENTS = TimeJudgments()
