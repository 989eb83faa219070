"""TREC documents: ``<DOC>`` with a ``<DOCNO>``, as news and as GOV2 has them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout, TopicLayout
from assay.benchmark.collections.text_files import TextFile, document_limit, too_large
from assay.benchmark.collections.topics import Topic, Topics

_OPEN = re.compile(r"<doc(?:\s[^>]*)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</doc>", re.IGNORECASE)
_ID = re.compile(r"<(docno|docid)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_ID_ATTRIBUTE = re.compile(r"""<doc\s[^>]*\b(?:id|docno|docid)\s*=\s*["']([^"']+)""", re.IGNORECASE)
_HEADER = re.compile(r"<dochdr>(.*?)</dochdr>", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^>]*)?>(.*?)</\1\s*>", re.DOTALL)
_SILENT = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_PAGE_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)


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
        name = " ".join(found[2].split())
        rest = body[: found.start()] + body[found.end() :]
    else:
        attribute = _ID_ATTRIBUTE.match(tag)
        name, rest = (attribute[1].strip() if attribute else ""), body
    if not name:
        raise file.error("this document has no id: <DOCNO> is expected", line)
    return name, rest


def strip_markup(text: str) -> str:
    """Return a text without tags, scripts and comments, with entities as characters."""
    plain = _TAG.sub(" ", _SILENT.sub(" ", text))
    return html.unescape(plain).strip()


def _fields(body: str) -> dict[str, str]:
    """Return the fields of a document; a web page after a header is one text with its title."""
    header = _HEADER.search(body)
    if header is not None:
        page = body[header.end() :]
        title = _PAGE_TITLE.search(page)
        found = {"header": header[1].strip(), "title": strip_markup(title[1]) if title else ""}
        return {**{k: v for k, v in found.items() if v}, "text": strip_markup(page)}
    fields: dict[str, list[str]] = {}
    outside, end = [], 0
    for match in _FIELD.finditer(body):
        outside.append(body[end : match.start()])
        fields.setdefault(match[1].lower(), []).append(strip_markup(match[2]))
        end = match.end()
    loose = strip_markup(" ".join([*outside, body[end:]]))
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
