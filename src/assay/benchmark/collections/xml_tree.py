"""XML without its dangers: no entities are declared or fetched, nesting is limited.

Every element knows its line, so that an error about its content can say where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from assay.benchmark.collections.text_files import TextFile

_DEEPEST = 200
_PROLOG = re.compile(r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>", re.S | re.I)
"""One piece of what may precede the root; pieces are matched one by one, in linear time."""


@dataclass
class Element:
    """An element: its name, its attributes, and texts and elements in their order."""

    name: str
    attributes: dict[str, str]
    line: int
    content: list[str | Element] = field(default_factory=list)

    @property
    def children(self) -> list[Element]:
        """The elements within this one."""
        return [each for each in self.content if isinstance(each, Element)]

    @property
    def text(self) -> str:
        """All text within this element, in its order."""
        parts = [each if isinstance(each, str) else each.text for each in self.content]
        return "".join(parts)

    @property
    def words(self) -> str:
        """All words within this element, separated by one space, also between its elements."""
        parts = [each if isinstance(each, str) else f" {each.words} " for each in self.content]
        return " ".join("".join(parts).split())

    @property
    def own_text(self) -> str:
        """The text that is in no element within this one."""
        return "".join(each for each in self.content if isinstance(each, str))

    def attribute(self, *names: str) -> str | None:
        """Return the first of these attributes that there is; case and - or _ do not matter."""
        plain = {plain_name(name): value for name, value in self.attributes.items()}
        return next((plain[name] for name in names if name in plain), None)

    def child(self, *names: str) -> Element | None:
        """Return the first element within this one that has one of these names."""
        return next((each for each in self.children if plain_name(each.name) in names), None)

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the outermost elements of these names, at any depth."""
        for child in self.children:
            if plain_name(child.name) in names:
                yield child
            else:
                yield from child.all(*names)


def plain_name(name: str) -> str:
    """Return the name of an element or attribute in lower case, with _ for -, without a prefix."""
    return name.rpartition(":")[2].casefold().replace("-", "_")


def read_xml(file: TextFile) -> Element:
    """Return the root of an XML file; several roots are put under one."""
    return parse_xml(file.text(), file)


def skip_prolog(text: str) -> int:
    """Return where the root begins: after the declaration, comments and the document type."""
    place = 0
    while found := _PROLOG.match(text, place):
        place = found.end()
    return place


def parse_xml(text: str, file: TextFile, first_line: int = 1) -> Element:
    """Return the root of an XML text; lines are counted from ``first_line``."""
    if "<!ENTITY" in text:
        line = text[: text.index("<!ENTITY")].count("\n") + first_line
        raise file.error("entities are not read; write out what they stand for", line)
    begin = skip_prolog(text)
    builder = _TreeBuilder(file, first_line + text.count("\n", 0, begin))
    return builder.parse(f"<assay>{text[begin:].rstrip()}</assay>")


class _TreeBuilder:
    """Builds the elements of a text while it is parsed."""

    def __init__(self, file: TextFile, first_line: int) -> None:
        self._file, self._first = file, first_line
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._stack: list[Element] = []
        self._root: Element | None = None
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.SkippedEntityHandler = self._refuse_entity

    def parse(self, text: str) -> Element:
        """Return the only element within the outermost one, or that one if there are several."""
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as failure:
            raise self._file.error(self._advice(failure), self._line(failure.lineno)) from None
        root = self._stack_root()
        return root.children[0] if len(root.children) == 1 else root

    def _stack_root(self) -> Element:
        if self._root is None or not self._root.children:
            raise self._file.error("there is no XML element in this file", self._first)
        return self._root

    def _advice(self, failure: expat.ExpatError) -> str:
        said = expat.errors.messages.get(failure.code, str(failure))
        advice = {
            "undefined entity": "write the character itself",
            "not well-formed (invalid token)": "write &amp; for & and &lt; for <",
            "mismatched tag": "is an end tag missing, or the file cut off?",
            "no element found": "the file is cut off",
            "unclosed token": "the file is cut off",
        }.get(said, "correct the XML")
        return f"this is not XML: {said}; {advice}"

    def _line(self, line: int | None = None) -> int:
        return (line or self._parser.CurrentLineNumber) + self._first - 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._stack) > _DEEPEST:
            raise self._file.error(f"elements are nested more than {_DEEPEST} deep", self._line())
        element = Element(name, attributes, self._line())
        if self._stack:
            self._stack[-1].content.append(element)
        else:
            self._root = element
        self._stack.append(element)

    def _end(self, name: str) -> None:
        self._stack.pop()

    def _text(self, text: str) -> None:
        if self._stack:
            self._stack[-1].content.append(text)

    def _refuse_entity(self, name: str, *_: object) -> NoReturn:
        raise self._file.error(f"the entity {name} is not read; write it out", self._line())
