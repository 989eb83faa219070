"""The documents of a collection, read again whenever they are needed: they may exceed memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection as Ids
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from assay.benchmark.collections.text_files import TextFile
from assay.core.errors import FormatError

TITLES = ("title", "headline", "head", "hl")


@dataclass(frozen=True)
class Document:
    """A document: its id, its fields in their order, and the line where it begins."""

    id: str
    fields: Mapping[str, str]
    line: int = 0

    @property
    def title(self) -> str:
        """The title; empty if there is none."""
        return next((self.fields[name] for name in TITLES if name in self.fields), "")

    @property
    def text(self) -> str:
        """All fields, one below the other."""
        return "\n".join(each for each in self.fields.values() if each)

    @property
    def body(self) -> str:
        """All fields but the title and the address, which are shown apart from the text."""
        title = next((name for name in TITLES if name in self.fields), None)
        return "\n".join(
            text for name, text in self.fields.items() if text and name not in (title, "url")
        )


class DocumentReader(Protocol):
    """What reads the documents of a file: a layout."""

    @property
    def name(self) -> str:
        """The name of the layout."""
        ...

    def read(self, file: TextFile) -> Iterator[Document]:
        """Yield the documents of a file, one at a time."""
        ...


@dataclass(frozen=True)
class DocumentScan:
    """What reading all documents once shows."""

    count: int
    fields: dict[str, int]
    """How many documents have each field."""
    characters: int
    sample: tuple[Document, ...]
    present: frozenset[str]
    """Which of the ids that were asked for exist."""
    similar: dict[str, str]
    """Ids that differ from one that was asked for in zeros or case only: asked for, existing."""


@dataclass(frozen=True)
class Documents:
    """The documents of one or more files, in their order; each iteration reads them again."""

    files: Sequence[tuple[TextFile, DocumentReader]]
    _scans: dict[frozenset[str], DocumentScan] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Document]:
        for file, layout in self.files:
            empty = True
            for document in layout.read(file):
                empty = False
                yield document
            if empty:
                raise file.error(f"there is no document in this file ({layout.name})")

    @cached_property
    def count(self) -> int:
        """The number of documents, counted in one pass; duplicate ids are an error."""
        return self.scan().count

    def texts(self, wanted: Ids[str] | None = None) -> dict[str, str]:
        """Return the text of each wanted document by id; of all of them without a choice."""
        names = None if wanted is None else frozenset(wanted)
        return {
            each.id: " · ".join(part for part in each.fields.values() if part)
            for each in self
            if names is None or each.id in names
        }

    def scan(self, wanted: Ids[str] = (), sample: int = 3) -> DocumentScan:
        """Read all documents once; ``wanted`` are ids to look for.

        Only a hash of each id is kept. Two documents with the same id are an error.
        """
        asked = frozenset(wanted)
        if asked not in self._scans:
            self._scans[asked] = self._scan(asked, sample)
        return self._scans[asked]

    def _scan(self, asked: frozenset[str], sample: int) -> DocumentScan:
        keys = {similarity_key(name) for name in asked}
        hashes: list[int] = []
        parts: list[np.ndarray] = []
        fields: Counter[str] = Counter()
        first: list[Document] = []
        present, near, characters = set[str](), dict[str, str](), 0
        for document in self:
            name = document.id
            hashes.append(hash(name))
            if len(hashes) == 1 << 16:
                parts.append(np.array(hashes, dtype=np.int64))
                hashes.clear()
            fields.update(key for key, text in document.fields.items() if text)
            characters += sum(map(len, document.fields.values()))
            if len(first) < sample:
                first.append(document)
            if keys and (key := similarity_key(name)) in keys:
                near.setdefault(key, name)
                if name in asked:
                    present.add(name)
        whole = np.sort(np.concatenate([*parts, np.array(hashes, dtype=np.int64)]))
        self._refuse_duplicates(whole[1:][whole[1:] == whole[:-1]])
        absent = {name: near.get(similarity_key(name), "") for name in asked - present}
        similar = {name: own for name, own in absent.items() if own}
        return DocumentScan(
            len(whole), dict(fields), characters, tuple(first), frozenset(present), similar
        )

    def _refuse_duplicates(self, suspects: np.ndarray) -> None:
        """Refuse the first id that occurs twice among those with these hashes."""
        if not len(suspects):
            return
        wanted, seen = set(suspects.tolist()), dict[str, str]()
        for file, layout in self.files:
            for document in layout.read(file):
                if hash(document.id) not in wanted:
                    continue
                if document.id in seen:
                    raise FormatError(
                        f"document {document.id} occurs twice (first at {seen[document.id]});"
                        " remove one of the two",
                        file.name,
                        document.line,
                    )
                seen[document.id] = f"{file.name}:{document.line}"


def similarity_key(name: str) -> str:
    """Return an id without what is easily changed: case, and zeros before numbers."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", name.casefold())
