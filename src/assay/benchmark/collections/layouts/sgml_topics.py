"""Topics of TREC as SGML: ``<top>`` with ``<num>``, ``<title>``, ``<desc>``, end tags or not.

They are not XML, unless the file declares it: ``&`` and ``<`` stand for themselves. CLEF put the
language before the name of a field, as in ``<DE-title>``; TREC-5 and NTCIR its first letter, as in
``<C-title>``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import zip_longest

from assay.benchmark.collections.layout import TopicLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Subtopic, Topic, Topics

NAMES = {
    "desc": "description",
    "narr": "narrative",
    "dom": "domain",
    "smry": "summary",
    "con": "concepts",
    "fac": "factors",
    "def": "definitions",
    "nat": "nationality",
}
_SHORT = {name: short for short, name in NAMES.items()}
_LABELS = {
    "num": "Number",
    "title": "Topic|Title",
    "dom": "Domain",
    "desc": "Description",
    "smry": "Summary",
    "narr": "Narrative",
    "con": r"Concept\(s\)|Concepts?",
    "fac": r"Factor\(s\)|Factors?",
    "def": r"Definition\(s\)|Definitions?",
    "nat": "Nationality",
    "time": "Time",
}
_WRITTEN = {"num": "Number", "desc": "Description", "narr": "Narrative", "dom": "Domain"}
_OPEN, _CLOSE = re.compile(r"<top(?:\s[^<>]*)?>", re.I), re.compile(r"</top>", re.I)
_WHOLE = re.compile(r"<num(ber)?\b.*<(title|desc|narr)", re.I | re.S)
"""A number and a text: a topic that may end without an end tag."""
_TAG = re.compile(r"<([A-Za-z][A-Za-z0-9_-]*)(?:\s[^<>]*)?>")
_END_TAG = re.compile(r"</([A-Za-z][\w-]*)\s*>")
_SUBTOPICS, _SUBTOPICS_END = (re.compile(tag, re.I) for tag in ("<subtopics>", "</subtopics>"))
_SUBTOPIC = re.compile(
    r"""<sub\s+num=["']?([^"'<>\s]+)["']?(?:\s+type=["']?([^"'<>\s]*)["']?)?\s*>([^<]*)""", re.I
)
_OWN_LANGUAGE = re.compile(r"""\slang\s*=\s*["']?(\w+)""", re.I)
_LANGUAGE = re.compile(r"([A-Z]{2}|[A-Z](?=-(?:title|desc|narr)$))-(\w+)$", re.I)
_KNOWN = {*_LABELS, "head", "querytime", "querytweettime", "narrative", "description", "topic"}


class SgmlTopics(TopicLayout):
    """``<top>`` … ``</top>`` with tags that need not be closed."""

    name = "sgml"
    about = "<top> <num> <title> <desc> <narr>"

    def matches(self, file: TextFile) -> bool:
        """Return whether a topic begins near the start."""
        return _OPEN.search(file.start[:20_000]) is not None

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the topics."""
        is_xml = file.start.lstrip().startswith("<?xml")
        for tag, body, line in _blocks(file):
            body, subtopics = _without_subtopics(body)
            fields = _fields(body)
            if is_xml:
                fields = {name: html.unescape(text) for name, text in fields.items()}
            if language := _OWN_LANGUAGE.search(tag):
                fields["language"] = language[1].lower()
            name = fields.pop("num", "") or fields.pop("number", "")
            if not name:
                raise file.error("this topic has no number: <num> is expected", line)
            yield Topic(name, fields, subtopics, line)

    def write(self, topics: Topics) -> str:
        """Return topics with end tags where the text could be taken for a tag, else without."""
        return "\n".join(_topic_text(topic) for topic in topics)


def _blocks(file: TextFile) -> Iterator[tuple[str, str, int]]:
    """Yield the tag, the text and the first line of each topic; the next ``<top>`` ends it, too."""
    begin, tag, is_comment = 0, "", False
    parts: list[str] = []
    for number, line in file.lines():
        rest = line
        if not begin:
            rest, is_comment = _outside_comment(line, is_comment)
        if begin and _OPEN.match(line.strip()) and _WHOLE.search("\n".join(parts)):
            yield tag, "\n".join(parts), begin
            begin = 0
        while True:
            if not begin:
                opened = _OPEN.search(rest)
                if opened is None:
                    break
                tag, begin, parts, rest = opened[0], number, [], rest[opened.end() :]
            closed = _CLOSE.search(rest)
            inside = rest if closed is None else rest[: closed.start()]
            if _OPEN.search(inside):
                raise file.error(
                    f"a topic begins, but that of line {begin} has not ended with </top>", number
                )
            parts.append(inside)
            if closed is None:
                break
            yield tag, "\n".join(parts), begin
            begin, rest = 0, rest[closed.end() :]
    if begin:
        raise file.error("this topic does not end with </top>: the file is cut off", begin)


def _outside_comment(line: str, is_comment: bool) -> tuple[str, bool]:
    """Return what of a line between topics is no comment, and whether one goes on after it."""
    if is_comment:
        _, end, line = line.partition("-->")
        if not end:
            return "", True
    before, begin, after = line.partition("<!--")
    if not begin or _OPEN.search(before):
        return line, False
    rest, is_comment = _outside_comment(after, True)
    return before + rest, is_comment


def _without_subtopics(body: str) -> tuple[str, tuple[Subtopic, ...]]:
    """Return a topic without its list of subtopics, as the news track has it, and the list."""
    begin, end = _SUBTOPICS.search(body), _SUBTOPICS_END.search(body)
    if begin is None or end is None:
        return body, ()
    found = _SUBTOPIC.finditer(body, begin.end(), end.start())
    subtopics = tuple(Subtopic(each[1], each[3].strip(), each[2] or "") for each in found)
    return body[: begin.start()] + body[end.end() :], subtopics


def _fields(body: str) -> dict[str, str]:
    """Return the fields of a topic; a language before a name is kept as a field of its own."""
    tags = [tag for tag in _TAG.finditer(body) if _begins_field(tag, body)]
    parts: dict[str, list[str]] = {}
    languages: set[str] = set()
    for tag, following in zip_longest(tags, tags[1:]):
        short = tag[1].lower()
        text = body[tag.end() : following.start() if following else len(body)]
        text = _without_end_tags(text)
        language = _LANGUAGE.match(tag[1])
        if language:
            languages.add(language[1].lower())
            short = language[2].lower()
        name = NAMES.get(short, short)
        name = f"{name}:{language[1].lower()}" if language else name
        text = _without_label(short, text.strip())
        parts.setdefault(name, []).append(text)
    fields = {
        name: "\n".join(text for text in texts if text or len(texts) == 1)
        for name, texts in parts.items()
    }
    if len(languages) == 1:
        (only,) = languages
        fields = {name.removesuffix(f":{only}"): text for name, text in fields.items()}
        fields["language"] = only
    return fields


def _begins_field(tag: re.Match[str], body: str) -> bool:
    """Return whether a tag begins a field: at the start of a line, after another tag, or known."""
    place = tag.start() - 1
    while place >= 0 and body[place] in " \t":
        place -= 1
    name = _LANGUAGE.sub(r"\2", tag[1]).lower()
    return place < 0 or body[place] in "\n>" or name in _KNOWN


def _without_end_tags(text: str) -> str:
    """Return the text of a field without end tags, except those of tags within it."""
    inside = {tag[1].lower() for tag in _TAG.finditer(text)}
    return _END_TAG.sub(lambda end: end[0] if end[1].lower() in inside else "", text)


def _without_label(short: str, text: str) -> str:
    """Return a text without the label that repeats the name of its field."""
    labels = _LABELS.get(short)
    label = rf"^(?:{labels})[ \t]*[:\n]\s*"
    return re.sub(label, "", text, count=1, flags=re.I) if labels else text


def _topic_text(topic: Topic) -> str:
    language = topic.fields.get("language", "")
    lines = ["<top>", f"<num> Number: {topic.id} </num>"]
    for name, text in topic.fields.items():
        if name == "language":
            continue
        plain, _, own = name.partition(":")
        short = _SHORT.get(plain, plain)
        prefix = (own or language).upper()
        tag = f"{prefix}-{short}" if prefix else short
        label = f"{_WRITTEN[short]}:\n" if short in _WRITTEN and not prefix else ""
        lines.append(f"<{tag}> {label}{text} </{tag}>")
    if topic.subtopics:
        lines.append("<subtopics>")
        for each in topic.subtopics:
            kind = f' type="{each.type}"' if each.type else ""
            lines.append(f'<sub num="{each.number}"{kind}> {each.text} </sub>')
        lines.append("</subtopics>")
    return "\n".join([*lines, "</top>", ""])


TOPICS = SgmlTopics()
