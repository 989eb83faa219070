"""Topics of INEX: content only (CO), or content and structure (CAS).

From 2003 on the structure is a path in ``castitle`` (or the title); in 2002 it is a list of a
target element (te), words (cw) and the elements they are about (ce), kept one to a line in
``castitle``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from assay.benchmark.collections.layout import TopicLayout
from assay.benchmark.collections.layouts.xml_topics import ID_NAMES
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Topic, Topics
from assay.benchmark.collections.xml_tree import Element, plain_name, read_xml

_BEGIN = re.compile(r"<(inex[-_]topic)\b|<castitle\b", re.IGNORECASE)
_PARTS = ("te", "cw", "ce")
_PART = re.compile(r"(te|cw|ce): (.*)")
_IDS = ("topic_id", "id", *ID_NAMES)


class InexTopics(TopicLayout):
    """``<inex_topic topic_id="1" query_type="CO">`` and its relatives."""

    name = "inex"
    about = '<inex_topic topic_id="1" query_type="CO"> with title, castitle, description, keywords'

    def matches(self, file: TextFile) -> bool:
        """Return whether a topic of INEX begins near the start."""
        return _BEGIN.search(file.start) is not None

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the topics."""
        root = read_xml(file)
        own = plain_name(root.name) in ("inex_topic", "topic")
        found = [root] if own else list(root.all("inex_topic", "topic"))
        if not found:
            raise file.error(f"there is no topic within <{root.name}>", root.line)
        for element in found:
            name = element.attribute(*_IDS)
            if not name:
                raise file.error("this topic has no id: topic_id is expected", element.line)
            yield Topic(name.strip(), _fields(element), line=element.line)

    def write(self, topics: Topics) -> str:
        """Return one topic as a file of its own, several below one root."""
        blocks = [_topic_text(topic) for topic in topics]
        body = (
            blocks[0] if len(blocks) == 1 else f"<inex_topics>\n{''.join(blocks)}</inex_topics>\n"
        )
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


def _fields(element: Element) -> dict[str, str]:
    fields: dict[str, str] = {}
    for child in element.children:
        name = plain_name(child.name)
        if any(plain_name(part.name) in _PARTS for part in child.children):
            fields |= _structured_title(child)
        else:
            fields[name] = child.text.strip()
    structured = "castitle" in fields or fields.get("title", "").startswith("//")
    stated = element.attribute("query_type", "type")
    fields["type"] = (stated or ("CAS" if structured else "CO")).upper()
    if candidate := element.attribute("ct_no"):
        fields["ct_no"] = candidate
    return fields


def _structured_title(element: Element) -> dict[str, str]:
    """Return the title of 2002: its words, and the list of its parts where there is a structure."""
    parts = [
        (plain_name(part.name), " ".join(part.text.split()))
        for part in element.children
        if plain_name(part.name) in _PARTS
    ]
    title = {"title": " ".join(text for name, text in parts if name == "cw")}
    if all(name == "cw" for name, _ in parts) and len(parts) == 1:
        return title
    return title | {"castitle": "\n".join(f"{name}: {text}" for name, text in parts)}


def _topic_text(topic: Topic) -> str:
    fields = dict(topic.fields)
    attributes = {"topic_id": topic.id, "query_type": fields.pop("type", "CO")}
    if "ct_no" in fields:
        attributes["ct_no"] = fields.pop("ct_no")
    written = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
    lines = [f"<inex_topic {written}>"]
    parts = [_PART.fullmatch(line) for line in fields.get("castitle", "").split("\n")]
    if all(parts):
        fields.pop("title", None)
        fields.pop("castitle")
        inside = "".join(f"<{part[1]}>{escape(part[2])}</{part[1]}>" for part in parts if part)
        lines.append(f"<title>{inside}</title>")
    lines += [f"<{name}>{escape(text)}</{name}>" for name, text in fields.items()]
    return "\n".join([*lines, "</inex_topic>", ""])


TOPICS = InexTopics()
