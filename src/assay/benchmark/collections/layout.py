"""What a layout of documents, topics or judgments is, and where the layouts are.

A layout is a variable ``DOCUMENTS``, ``TOPICS`` or ``JUDGMENTS`` of a module of the folder
``layouts``; nothing else lists them.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

from assay.benchmark.collections.documents import Document
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Topic, Topics
from assay.core.errors import FormatError, UsageError, unknown_name
from assay.core.tables import Judgments

_FOLDER = "assay.benchmark.collections.layouts"


class FileLayout(ABC):
    """How a file is laid out: its name, and whether a file looks like it."""

    name: ClassVar[str]
    about: ClassVar[str]

    @abstractmethod
    def matches(self, file: TextFile) -> bool:
        """Return whether the start of a file shows this layout; of no other layout is it true."""


class DocumentLayout(FileLayout):
    """A layout of documents."""

    @abstractmethod
    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents of a file, one at a time."""


class TopicLayout(FileLayout):
    """A layout of topics."""

    @abstractmethod
    def read(self, file: TextFile) -> Iterator[Topic]:
        """Yield the topics of a file."""

    def write(self, topics: Topics) -> str:
        """Return topics in this layout."""
        raise UsageError(f"topics are not written as {self.name}; write sgml, xml, tsv or jsonl")


class JudgmentLayout(FileLayout):
    """A layout of judgments that is not one of the formats of `assay convert`."""

    published_as = ""
    """How the name of the published file begins, where its content alone may be of another."""

    @abstractmethod
    def read(self, file: TextFile) -> Judgments:
        """Return the judgments of a file."""


@lru_cache(maxsize=1)
def _modules() -> list[Any]:
    folder = importlib.import_module(_FOLDER)
    names = sorted(each.name for each in pkgutil.iter_modules(folder.__path__))
    return [importlib.import_module(f"{_FOLDER}.{name}") for name in names]


def _layouts(kind: str) -> dict[str, Any]:
    found = [getattr(module, kind) for module in _modules() if hasattr(module, kind)]
    return {layout.name: layout for layout in found}


def document_layouts() -> dict[str, DocumentLayout]:
    """Return the layouts of documents by name."""
    return _layouts("DOCUMENTS")


def topic_layouts() -> dict[str, TopicLayout]:
    """Return the layouts of topics by name."""
    return _layouts("TOPICS")


def judgment_layouts() -> dict[str, JudgmentLayout]:
    """Return the layouts of judgments by name."""
    return _layouts("JUDGMENTS")


def topic_layout(name: str) -> TopicLayout:
    """Return the layout of topics of that name."""
    if name not in topic_layouts():
        raise unknown_name("layout of topics", name, topic_layouts())
    return topic_layouts()[name]


def find_document_layout(file: TextFile, name: str | None = None) -> DocumentLayout:
    """Return the layout of a file of documents: as named, or detected."""
    if name is not None and name not in document_layouts():
        raise unknown_name("layout of documents", name, document_layouts())
    if name is not None:
        return document_layouts()[name]
    found = next((each for each in document_layouts().values() if each.matches(file)), None)
    return found or _refuse(file, "documents", document_layouts())


def find_topic_layout(file: TextFile, name: str | None = None) -> TopicLayout:
    """Return the layout of a file of topics: as named, or detected."""
    if name is not None:
        return topic_layout(name)
    found = next((each for each in topic_layouts().values() if each.matches(file)), None)
    return found or _refuse(file, "topics", topic_layouts())


def find_judgment_layout(file: TextFile) -> JudgmentLayout | None:
    """Return the layout of a file of judgments; None if it is a format of `assay convert`."""
    every = judgment_layouts().values()
    name = file.path.name.lower()
    named = [each for each in every if each.published_as and name.startswith(each.published_as)]
    return next((each for each in (*named, *every) if each.matches(file)), None)


def _refuse(file: TextFile, what: str, layouts: dict[str, Any]) -> Any:
    known = "; ".join(f"{each.name} ({each.about})" for each in layouts.values())
    raise FormatError(
        f"this does not look like {what}: it begins with '{file.first_line[:60]}'. Known are"
        f" {known}",
        file.name,
        1,
    )
