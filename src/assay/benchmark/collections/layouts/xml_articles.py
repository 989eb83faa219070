"""Documents that are XML files of their own, as the articles of INEX."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.layout import DocumentLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.xml_tree import parse_xml, skip_prolog

_BEGIN = re.compile(r"<(article|page|doc)\b")
_TITLES = ("atl", "article_title", "title", "name", "ti")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_XML_ENTITIES = ("amp", "lt", "gt", "quot", "apos")


class XmlArticles(DocumentLayout):
    """One XML file for each document; its id is its path within the collection."""

    name = "xml"
    about = "an XML file for each document, <article>"

    def matches(self, file: TextFile) -> bool:
        """Return whether the file begins with an article."""
        begins = _BEGIN.match(file.start, skip_prolog(file.start))
        return begins is not None and "<docno>" not in file.start.lower()

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the document; named characters of HTML are read, other entities refused."""
        root = parse_xml(_ENTITY.sub(_character, file.text()), file)
        title = next((found for name in _TITLES for found in root.all(name)), None)
        fields = {"title": " ".join(title.text.split())} if title else {}
        yield Document(file.label, {**fields, "text": root.words}, root.line)


def _character(found: re.Match[str]) -> str:
    """Return the character that a name of HTML stands for; other names as they are."""
    return found[0] if found[1] in _XML_ENTITIES else html.unescape(found[0])


DOCUMENTS = XmlArticles()
