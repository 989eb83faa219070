"""NPL (Vaswani) as published: a number, a text, and a line with a slash."""

from __future__ import annotations

from collections.abc import Iterator

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, JudgmentLayout, TopicLayout
from assay.benchmark.collections.relevant_lists import RelevantLists
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.tables import Judgments

_END = "/"


def _begins_with_record(file: TextFile) -> bool:
    """Return whether a number comes first, and a slash alone ends the first record."""
    ends = [line.strip() for line in file.first_lines if line.rstrip().endswith(("#", _END))]
    return file.first_line.isdecimal() and bool(ends) and ends[0].endswith(_END)


def _is_list(file: TextFile) -> bool:
    """Return whether the first record holds numbers alone."""
    words = file.start.partition(_END)[0].split()
    return len(words) > 1 and all(word.isdecimal() for word in words)


def _records(file: TextFile) -> Iterator[tuple[str, list[tuple[int, str]], int]]:
    """Yield the number, the numbered lines and the first line of each record."""
    name, begin, size = "", 0, 0
    lines: list[tuple[int, str]] = []
    for number, line in file.lines():
        text = line.strip()
        if not begin and text.isdecimal():
            name, begin, lines, size = text, number, [], 0
        elif not begin and text:
            raise file.error(f"a number is expected, but found '{text[:40]}'", number)
        elif (
            begin
            and text.endswith(_END)
            and (text == _END or text[:-1].replace(" ", "").isdecimal())
        ):
            yield name, [*lines, (number, text[:-1].rstrip())], begin
            begin = 0
        elif begin:
            lines.append((number, text))
            size += len(text)
            if size > document_limit():
                raise too_large(f"record {name}", file.name, begin)
    if begin:
        raise file.error(
            f"record {name} does not end with /: the file is cut off; add a line with / if"
            " the record is whole",
            begin,
        )


class NplDocuments(DocumentLayout):
    """A number, a text, and a line with a slash."""

    name = "npl"
    about = "a number, a text and a line with /"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with such a record of text."""
        return _begins_with_record(file) and not _is_list(file)

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents."""
        for name, lines, line in _records(file):
            yield Document(name, {"text": "\n".join(text for _, text in lines).strip()}, line)


class NplTopics(TopicLayout):
    """A number, a text, and a line with a slash."""

    name = "npl"
    about = "a number, a text and a line with /"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with such a record of text."""
        return _begins_with_record(file) and not _is_list(file)

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for name, lines, line in _records(file):
            yield Topic(name, {"text": "\n".join(text for _, text in lines).strip()}, line=line)

    def write(self, topics: Topics) -> str:
        """Return numbers, texts and slashes."""
        return "".join(
            f"{each.id}\n{each.fields.get('text') or each.text}\n   /\n" for each in topics
        )


class NplJudgments(JudgmentLayout):
    """The number of a query, the numbers of its relevant documents, and a slash."""

    name = "npl"
    about = "a query, its relevant documents and /"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with such a record of numbers."""
        return _begins_with_record(file) and _is_list(file)

    def read(self, file: TextFile) -> Judgments:
        """Return grade 1 for each listed document."""
        lists = RelevantLists(file)
        for name, lines, _ in _records(file):
            for number, text in lines:
                for word in text.split():
                    lists.add(name, word, number)
        return lists.judgments()


DOCUMENTS = NplDocuments()
TOPICS = NplTopics()
JUDGMENTS = NplJudgments()
