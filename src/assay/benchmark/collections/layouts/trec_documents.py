"""TREC documents: ``<DOC>`` with a ``<DOCNO>``, as news and as GOV2 has them."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, TopicLayout
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic, Topics

_OPEN = re.compile(r"<doc(?:\s[^<>]*)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</doc>", re.IGNORECASE)
_ID = re.compile(r"<(docno|docid)>([^<]*)</\1>", re.IGNORECASE)
_ID_ATTRIBUTE = re.compile(r"""<doc\s[^>]*\b(?:id|docno|docid)\s*=\s*["']([^"']+)""", re.IGNORECASE)
_HEADER = tuple(re.compile(tag, re.IGNORECASE) for tag in (r"<dochdr>", r"</dochdr>"))
_PAGE_TITLE = tuple(re.compile(tag, re.IGNORECASE) for tag in (r"<title\b[^<>]*>", r"</title>"))
_FIELD = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>")
_FIELD_END = re.compile(r"</([A-Za-z][\w-]*)\s*>")
_SILENT = re.compile(r"<(script|style)\b|<!--", re.IGNORECASE)
_CDATA, _CDATA_END = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL), "]]>"
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ENTITIES = {"&blank;": " ", "&hyph;": "-"}
"""Entities of the Federal Register that HTML does not have, or has for something else."""


def _blocks(file: TextFile) -> Iterator[tuple[str, str, int]]:
    """Yield the opening tag, the content and the first line of each document."""
    tag, begin, size, limit = "", 0, 0, document_limit()
    parts: list[str] = []
    for number, line in file.lines():
        rest = line
        while True:
            if not begin:
                opened = _OPEN.search(rest)
                if opened is None:
                    break
                tag, begin, parts, size = opened[0], number, [], 0
                rest = rest[opened.end() :]
            closed = _CLOSE.search(rest)
            inside = rest if closed is None else rest[: closed.start()]
            if re.match(r"\s*<DOC>\s*$", inside):
                raise file.error(
                    f"a document begins, but that of line {begin} has not ended with </DOC>", number
                )
            parts.append(inside)
            size += len(inside) + 1
            if size > limit:
                raise too_large("the document", file.name, begin)
            if closed is None:
                break
            yield tag, "\n".join(parts), begin
            begin, rest = 0, rest[closed.end() :]
    if begin:
        raise file.error("this document does not end with </DOC>: the file is cut off", begin)


def _find_id(tag: str, body: str, file: TextFile, line: int) -> tuple[str, str]:
    """Return the id of a document, and its content without it."""
    found = _ID.search(body)
    if found is not None:
        name = " ".join(html.unescape(found[2]).split())
        rest = body[: found.start()] + body[found.end() :]
    else:
        attribute = _ID_ATTRIBUTE.match(tag)
        name, rest = (attribute[1].strip() if attribute else ""), body
    if not name:
        raise file.error("this document has no id: <DOCNO> is expected", line)
    return name, rest


def strip_markup(text: str) -> str:
    """Return a text without tags, scripts and comments, with entities as characters."""
    plain = _TAG.sub(" ", _without_silent(text))
    for name, character in _ENTITIES.items():
        plain = plain.replace(name, character)
    return html.unescape(plain).strip()


def _without_silent(text: str) -> str:
    """Return a text without scripts, styles and comments; what does not end is kept."""
    parts, place, unclosed = [], 0, set[str]()
    for found in _SILENT.finditer(text):
        end = f"</{found[1].lower()}>" if found[1] else "-->"
        if found.start() < place or end in unclosed:
            continue
        close = re.compile(end, re.IGNORECASE).search(text, found.end())
        if close is None:
            unclosed.add(end)
            continue
        parts.append(text[place : found.start()])
        place = close.end()
    return " ".join([*parts, text[place:]])


def _escape_sections(text: str) -> str:
    """Return a text whose CDATA sections are escaped text: their characters are no markup."""
    end = text.rfind(_CDATA_END) + len(_CDATA_END)
    if end < len(_CDATA_END):
        return text
    return _CDATA.sub(lambda part: html.escape(part[1], quote=False), text[:end]) + text[end:]


def _between(text: str, tags: tuple[re.Pattern[str], ...]) -> tuple[str, int] | None:
    """Return what is between the first of two tags and the next of the other, and where it ends."""
    opened = tags[0].search(text)
    closed = tags[1].search(text, opened.end()) if opened else None
    return (text[opened.end() : closed.start()], closed.end()) if opened and closed else None


def _tagged(body: str) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the name of each outermost field, where its tag and its text begin and end.

    A tag without an end tag, as <P> often is, begins no field.
    """
    ends: dict[str, list[tuple[int, int]]] = {}
    for found in _FIELD_END.finditer(body):
        ends.setdefault(found[1], []).append(found.span())
    place = 0
    for found in _FIELD.finditer(body):
        own = ends.get(found[1], ())
        at = bisect_left(own, (found.end(), 0))
        if found.start() >= place and at < len(own):
            place = own[at][1]
            yield found[1], found.start(), found.end(), *own[at]


def _fields(body: str) -> dict[str, str]:
    """Return the fields of a document; a web page after a header is one text with its title."""
    body = _escape_sections(body)
    header = _between(body, _HEADER)
    if header is not None:
        page = body[header[1] :]
        title = _between(page, _PAGE_TITLE)
        found = {"header": header[0].strip(), "title": strip_markup(title[0]) if title else ""}
        return {**{k: v for k, v in found.items() if v}, "text": strip_markup(page)}
    fields: dict[str, list[str]] = {}
    outside, place = [], 0
    for name, begin, first, last, end in _tagged(body):
        outside.append(body[place:begin])
        fields.setdefault(name.lower(), []).append(strip_markup(body[first:last]))
        place = end
    loose = strip_markup(" ".join([*outside, body[place:]]))
    joined = {name: "\n".join(texts) for name, texts in fields.items()}
    if loose:
        joined["text"] = "\n".join(part for part in (joined.get("text"), loose) if part)
    return joined


class TrecDocuments(DocumentLayout):
    """``<DOC>`` with a ``<DOCNO>`` and fields of any names."""

    name = "trec"
    about = "<DOC> with a <DOCNO>"

    def matches(self, file: TextFile) -> bool:
        """Return whether there is a document with an id near the start."""
        opened = _OPEN.search(file.start[:20_000])
        if opened is None:
            return False
        after = file.start[opened.start() : opened.start() + 20_000]
        return bool(_ID.search(after) or _ID_ATTRIBUTE.match(after))

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents."""
        for tag, body, line in _blocks(file):
            name, rest = _find_id(tag, body, file, line)
            yield Document(name, _fields(rest), line)


class DocumentsAsTopics(TopicLayout):
    """Queries that are laid out as documents, as those of CACM are."""

    name = "docno"
    about = "<DOC> with a <DOCNO> and a text"

    def matches(self, file: TextFile) -> bool:
        """Return whether there is a document with an id near the start."""
        return DOCUMENTS.matches(file)

    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the queries."""
        for document in DOCUMENTS.read(file):
            yield Topic(document.id, dict(document.fields), line=document.line)

    def write(self, topics: Topics) -> str:
        """Return each query as a document."""
        blocks = []
        for topic in topics:
            tagged = [
                f"<{name.upper()}>\n{html.escape(text, quote=False)}\n</{name.upper()}>\n"
                for name, text in topic.fields.items()
                if name != "text"
            ]
            text = html.escape(topic.fields.get("text", ""), quote=False)
            inside = "".join([*tagged, f"{text}\n"])
            blocks.append(f"<DOC>\n<DOCNO> {topic.id} </DOCNO>\n{inside}</DOC>\n")
        return "".join(blocks)


DOCUMENTS = TrecDocuments()
TOPICS = DocumentsAsTopics()
