"""Topics as XML: the web track, TREC-COVID, clinical decision support, CLEF, and others like them.

A topic has its id as an attribute or an element; every other element is a field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from assay.benchmark.collections.layout import TopicLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Subtopic, Topic, Topics
from assay.benchmark.collections.xml_tree import Element, plain_name, read_xml

ID_NAMES = (
    "number",
    "num",
    "id",
    "identifier",
    "topic_id",
    "qid",
    "query_id",
    "topicid",
    "docno",
    "requestnumber",
)
_TOPIC_NAMES = ("topic", "query", "top", "case", "session", "productionrequest")
_LANGUAGES = ("lang", "language")
_BEGIN = re.compile(
    r"<(?:\w+:)?(topic|queries|query|topics|case|session|productionrequest)\b", re.IGNORECASE
)
_OTHER = "field"
"""The element of a field whose name cannot be that of an element of its own."""
_XML_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_INEX = re.compile(r"<(inex[-_]topic|castitle|cw|te)\b", re.IGNORECASE)


class XmlTopics(TopicLayout):
    """``<topic number="1">`` with elements as fields and perhaps subtopics."""

    name = "xml"
    about = '<topic number="1"> with elements as fields'

    def matches(self, file: TextFile) -> bool:
        """Return whether a topic begins near the start, and it is not one of INEX."""
        start = file.start
        begins = file.first_line.startswith("<") and _BEGIN.search(start)
        return bool(begins) and not _INEX.search(start) and "<top>" not in start.lower()

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the topics."""
        root = read_xml(file)
        found = list(_topic_elements(root))
        if not found:
            raise file.error(f"there is no topic within <{root.name}>", root.line)
        for element in found:
            yield _topic(element, file)

    def write(self, topics: Topics) -> str:
        """Return topics as XML."""
        blocks = "".join(topic_element(topic) for topic in topics)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n{blocks}</topics>\n'


def _topic_elements(root: Element) -> Iterator[Element]:
    """Yield the elements that are topics: those with an id, the outermost first."""
    if plain_name(root.name) in _TOPIC_NAMES and _own_id(root):
        yield root
        return
    for child in root.children:
        if plain_name(child.name) in _TOPIC_NAMES:
            yield child
        else:
            yield from _topic_elements(child)


def _own_id(element: Element) -> str:
    child = element.child(*ID_NAMES)
    return (element.attribute(*ID_NAMES) or (child.text if child else "")).strip()


def _topic(element: Element, file: TextFile) -> Topic:
    name = re.sub(r"^Number:\s*", "", _own_id(element))
    if not name:
        raise file.error(f"this <{element.name}> has no id, such as number or id", element.line)
    fields = {
        plain_name(key): value
        for key, value in element.attributes.items()
        if plain_name(key) not in ID_NAMES
    }
    if "lang" in fields:
        fields["language"] = fields.pop("lang")
    subtopics: list[Subtopic] = []
    used_attribute = element.attribute(*ID_NAMES) is not None
    for child in element.children:
        kind = plain_name(child.name)
        if kind == "subtopic":
            subtopics.append(_subtopic(child, len(subtopics) + 1))
        elif kind not in ID_NAMES or used_attribute:
            _add_field(fields, child)
    if own := element.own_text.strip():
        fields["text"] = own
    return Topic(name, fields, tuple(subtopics), element.line)


def _subtopic(element: Element, place: int) -> Subtopic:
    number = element.attribute(*ID_NAMES) or str(place)
    return Subtopic(number, _text(element), element.attribute("type") or "")


def _add_field(fields: dict[str, str], element: Element) -> None:
    """Add an element as a field; several of one name or language become one each."""
    name = plain_name(element.name)
    if name == _OTHER:
        name = element.attribute("name") or name
    if language := element.attribute(*_LANGUAGES):
        name = f"{name}:{language.lower()}"
    text = _text(element)
    fields[name] = f"{fields[name]}\n{text}" if name in fields else text


def _text(element: Element) -> str:
    """Return the text of an element; elements within it are lines of their own."""
    if not element.children:
        return element.text.strip()
    parts = [each if isinstance(each, str) else f"\n{_text(each)}\n" for each in element.content]
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def topic_element(topic: Topic) -> str:
    """Return a topic as an XML element."""
    fields = dict(topic.fields)
    attributes = {"number": topic.id}
    attributes |= {key: fields.pop(key) for key in ("type",) if key in fields}
    if "language" in fields:
        attributes["lang"] = fields.pop("language")
    written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    lines = [f"  <topic{written}>"]
    for name, text in fields.items():
        plain, _, language = name.partition(":")
        own = f" lang={quoteattr(language)}" if language else ""
        if not _XML_NAME.fullmatch(plain) or plain in ID_NAMES:
            own, plain = f" name={quoteattr(plain)}{own}", _OTHER
        lines.append(f"    <{plain}{own}>{escape(text)}</{plain}>")
    for each in topic.subtopics:
        kind = f" type={quoteattr(each.type)}" if each.type else ""
        number = f"number={quoteattr(each.number)}"
        lines.append(f"    <subtopic {number}{kind}>{escape(each.text)}</subtopic>")
    return "\n".join([*lines, "  </topic>", ""])


TOPICS = XmlTopics()
