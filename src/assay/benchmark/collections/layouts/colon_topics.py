"""Queries after a colon, as in the million query track: ``10:query text``.

The genomics track has the number in angle brackets: ``<200>query text``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.benchmark.collections.layout import TopicLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.errors import UsageError

_LINE = re.compile(r"((?=[^:]*\d)[\w.-]+):(?:(\d+):)?(.*\S.*)$")
_BRACKETS = re.compile(r"<(\d+)>()(.*\S.*)$")


class ColonTopics(TopicLayout):
    """A line for each query: ``10:text``, or ``10:1:text`` with a priority."""

    name = "colon"
    about = "10:query text, or <10>query text"

    def matches(self, file: TextFile) -> bool:
        """Return whether each of the first lines is an id, a colon and a text."""
        lines = file.first_lines[:20]
        return all(_match(line) and "\t" not in line for line in lines)

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for number, line in file.lines():
            if not line.strip():
                continue
            found = _match(line)
            if found is None:
                raise file.error("an id, a colon and the query are expected", number)
            fields = {"text": found[3].strip()} | ({"priority": found[2]} if found[2] else {})
            yield Topic(found[1], fields, line=number)

    def write(self, topics: Topics) -> str:
        """Return a line for each query."""
        lines = []
        for topic in topics:
            if set(topic.fields) - {"text", "priority"} or "\n" in topic.text:
                raise UsageError(f"colon holds one line for each topic; topic {topic.id} has more")
            priority = f"{topic.fields['priority']}:" if "priority" in topic.fields else ""
            lines.append(f"{topic.id}:{priority}{topic.text}\n")
        return "".join(lines)


def _match(line: str) -> re.Match[str] | None:
    return _LINE.match(line) or _BRACKETS.match(line)


TOPICS = ColonTopics()
