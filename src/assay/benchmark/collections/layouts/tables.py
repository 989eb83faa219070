"""Tables: an id and its texts separated by tabs (MS MARCO), or CSV and Parquet with a header."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, TopicLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.errors import UsageError
from assay.formats.containers import read_table
from assay.formats.system_names import file_endings
from assay.formats.text_by_id import ID_COLUMNS

TAB_FIELDS = {1: ("text",), 2: ("title", "text"), 3: ("url", "title", "text")}
"""The fields after the id by their number; documents of MS MARCO have a URL, a title and a body."""
_HEADER_IDS = {*ID_COLUMNS, "query-id", "topic_id", "number", "num", "cord_uid"}


def _has_header(file: TextFile) -> bool:
    """Return whether the first line names columns: one of them is that of an id."""
    words = [word.strip().strip('"').casefold() for word in re.split(r"[\t,;|]", file.first_line)]
    return len(words) > 1 and words[0] in _HEADER_IDS


def _is_table(file: TextFile) -> bool:
    endings = {".csv", ".tsv", ".tab", ".txt"} & {*file_endings(file.input.path)}
    return file.input.start.startswith(b"PAR1") or (_has_header(file) and bool(endings))


def _is_tab_separated(file: TextFile) -> bool:
    return "\t" in file.first_line and not file.first_line.startswith(("<", "{", "[", "*", "."))


def _rows(file: TextFile) -> Iterator[tuple[str, dict[str, str], int]]:
    """Yield the id, the fields and the line of each row."""
    if _is_table(file):
        yield from _table_rows(file)
        return
    for number, line in file.lines():
        if not line.strip():
            continue
        name, *texts = line.split("\t")
        if not texts:
            raise file.error("an id, a tab and a text are expected", number)
        names = TAB_FIELDS.get(len(texts), [f"field{place}" for place in range(1, len(texts) + 1)])
        pairs = zip(names, texts, strict=True)
        yield name.strip(), {key: text.strip() for key, text in pairs}, number


def _table_rows(file: TextFile) -> Iterator[tuple[str, dict[str, str], int]]:
    frame, _ = read_table(file.path)
    folded = {name.strip().casefold(): name for name in frame.columns}
    key = next((folded[name] for name in folded if name in _HEADER_IDS), frame.columns[0])
    others = [name for name in frame.columns if name != key]
    for number, row in enumerate(frame.iter_rows(named=True), 2):
        if row[key] is None:
            raise file.error(f"there is no {key}", number)
        texts = {
            name.strip().casefold(): str(row[name]) for name in others if row[name] is not None
        }
        yield str(row[key]), texts, number


class TableDocuments(DocumentLayout):
    """A line for each document: its id and texts."""

    name = "tsv"
    about = "an id, a tab and texts; CSV or Parquet with a header"

    def matches(self, file: TextFile) -> bool:
        """Return whether there are columns."""
        return _is_table(file) or _is_tab_separated(file)

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents."""
        for name, fields, line in _rows(file):
            yield Document(name, fields, line)


class TableTopics(TopicLayout):
    """A line for each query: its id and text."""

    name = "tsv"
    about = "an id, a tab and the query; CSV or Parquet with a header"

    def matches(self, file: TextFile) -> bool:
        """Return whether there are columns."""
        return _is_table(file) or _is_tab_separated(file)

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for name, fields, line in _rows(file):
            yield Topic(name, fields, line=line)

    def write(self, topics: Topics) -> str:
        """Return an id, perhaps a title, and the query; other fields cannot be kept."""
        lines = []
        for topic in topics:
            both = list(topic.fields) == ["title", "text"]
            extra = [
                name for name in topic.fields if topic.fields[name] != topic.text and name != "text"
            ]
            if (extra and not both) or topic.subtopics:
                raise UsageError(
                    f"tsv holds one text for each topic, and topic {topic.id} has"
                    f" {', '.join(extra) or 'subtopics'}; write jsonl or xml"
                )
            texts = [*topic.fields.values()] if both else [topic.fields.get("text", topic.text)]
            if any("\t" in each or "\n" in each for each in [topic.id, *texts]):
                raise UsageError(f"topic {topic.id} has a tab or several lines; write jsonl")
            lines.append("\t".join([topic.id, *texts]) + "\n")
        return "".join(lines)


DOCUMENTS = TableDocuments()
TOPICS = TableTopics()
