"""JSON lines: an object for each document or topic, as BEIR and others write them.

Topics may also be a list of objects.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, TopicLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Subtopic, Topic, Topics
from assay.formats.json_text import parse_line
from assay.formats.text_by_id import find_id

IDS = (
    *("_id", "id", "doc_id", "docid", "docno", "doc", "query_id", "qid", "topic_id"),
    *("number", "num", "topic", "pid", "question_id"),
)
"""The names of an id."""
_SUBTOPICS = "subtopics"


def _records(file: TextFile) -> Iterator[tuple[str, dict[str, str], Any, int]]:
    """Yield the id, the fields, the subtopics and the line of each object."""
    for number, line in file.lines():
        if line.strip():
            record = parse_line(line.encode("utf-8", "surrogatepass"), file.name, number)
            yield _record(record, file, number)


def _listed(file: TextFile) -> Iterator[tuple[str, dict[str, str], Any, int]]:
    """Yield the same of the objects of a list; their line is that of the list."""
    whole = parse_line(file.text().encode("utf-8", "surrogatepass"), file.name, 1)
    for record in whole if isinstance(whole, list) else [whole]:
        yield _record(record, file, 1)


def _record(record: Any, file: TextFile, number: int) -> tuple[str, dict[str, str], Any, int]:
    if not isinstance(record, dict):
        raise file.error("an object with an id and texts is expected", number)
    key = find_id(record, IDS)
    if key is None or record[key] in (None, ""):
        raise file.error(f"there is no id among {', '.join(record)[:200]}", number)
    if not _is_id(record[key]):
        found = json.dumps(record[key], ensure_ascii=False)[:40]
        raise file.error(f"the {key} is {found}, but a text or a number is expected", number)
    subtopics = record.pop(_SUBTOPICS, None)
    fields = {
        name: _as_text(value) for name, value in record.items() if name != key and value is not None
    }
    return str(record[key]), fields, subtopics, number


def _is_id(value: Any) -> bool:
    """Return whether a value can be an id: a text, or a finite number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    return isinstance(value, str) or math.isfinite(value)


def _as_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", errors="replace").decode()


def _is_lines_of_objects(file: TextFile) -> bool:
    return file.first_line.startswith("{")


class JsonDocuments(DocumentLayout):
    """An object for each document: an id and fields."""

    name = "jsonl"
    about = '{"_id": …, "title": …, "text": …} on each line'

    def matches(self, file: TextFile) -> bool:
        """Return whether the first line is an object."""
        return _is_lines_of_objects(file)

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents."""
        for name, fields, _, line in _records(file):
            yield Document(name, fields, line)


class JsonTopics(TopicLayout):
    """An object for each topic: an id and fields."""

    name = "jsonl"
    about = '{"_id": …, "text": …} on each line, or a list of them'

    def matches(self, file: TextFile) -> bool:
        """Return whether the first line is an object or begins a list, without conversations."""
        begins = _is_lines_of_objects(file) or re.match(r"\[\s*\{", file.start.lstrip())
        return bool(begins) and '"turn"' not in "".join(file.first_lines[:20])

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the topics."""
        lines = _records if _is_lines_of_objects(file) else _listed
        for name, fields, subtopics, line in lines(file):
            if not fields:
                raise file.error(f"topic {name} has no text", line)
            yield Topic(name, fields, _subtopics(subtopics, file, line), line)

    def write(self, topics: Topics) -> str:
        """Return an object for each topic; nested values are written as they were."""
        return "".join(
            json.dumps(topic_record(topic), ensure_ascii=False) + "\n" for topic in topics
        )


def topic_record(topic: Topic) -> dict[str, Any]:
    """Return a topic as an object."""
    record: dict[str, Any] = {"_id": topic.id}
    record |= {name: _as_value(text) for name, text in topic.fields.items()}
    if topic.subtopics:
        record[_SUBTOPICS] = [
            {"number": each.number, "type": each.type, "text": each.text}
            for each in topic.subtopics
        ]
    return record


def _as_value(text: str) -> Any:
    """Return a list or an object that was kept as text; any other text as it is."""
    if text[:1] not in ("{", "["):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if json.dumps(value, ensure_ascii=False) == text else text


def _subtopics(given: Any, file: TextFile, line: int) -> tuple[Subtopic, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise file.error("subtopics are a list of objects with number, type and text", line)
    return tuple(
        Subtopic(
            str(each.get("number", place)), str(each.get("text", "")), str(each.get("type") or "")
        )
        for place, each in enumerate(given, 1)
    )


DOCUMENTS = JsonDocuments()
TOPICS = JsonTopics()
