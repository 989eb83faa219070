"""Which files of a folder hold documents, topics and judgments, and of which split."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.benchmark.collections.layout import (
    FileLayout,
    document_layouts,
    judgment_layouts,
    topic_layouts,
)
from assay.benchmark.collections.text_files import TextFile
from assay.core.errors import AssayError, DataError

SPLITS = ("train", "dev", "validation", "valid", "val", "test", "eval", "small")
_JUDGMENTS = re.compile(r"qrel|prel|judg|assessments|rlv|lisarj|\.rel(\.|$)", re.IGNORECASE)
_TOPICS = re.compile(r"quer|qry|topic|\.que?(\.|$)", re.IGNORECASE)
_OTHER = re.compile(
    r"readme|licen[cs]e|stop|\.stp$|common_words|\.bln$|cite\.info|^\."
    r"|^(doc|query|term)-(vecs?|mst|vocab)$|^da-run$"  # vectors and terms of NPL
    r"|\.(md|rst|dtd|xsd|pdf|docx?|xlsx?|png|jpe?g|zip|jar|py|pyc|ipynb|java|class|c|cpp|h|js|sh|pl)$",
    re.IGNORECASE,
)
_DOCUMENTS = re.compile(
    r"corpus|collection|document|passage|article|abstract|metadata|(^|[._-])docs?([._-]|$)",
    re.IGNORECASE,
)
_TABLES = ("tsv", "jsonl")
"""Layouts that runs, scores and training data have, too: names say whether they are documents."""
_MARKED_TOPICS = ("sgml", "inex", "xml", "cast")
"""Layouts of topics that no other file has: they are found by their content, too."""
_OTHER_FOLDERS = re.compile(r"^(\.|__pycache__|node_modules$)")


@dataclass
class FolderFiles:
    """The files of a folder by what they hold; judgments and topics with the name of a split."""

    documents: list[Path] = field(default_factory=list)
    topics: list[tuple[str, Path]] = field(default_factory=list)
    judgments: list[tuple[str, Path]] = field(default_factory=list)
    unused: list[Path] = field(default_factory=list)


def find_files(folder: Path) -> FolderFiles:
    """Return the files of a folder by what they hold: by their names, else by their content."""
    found, tables = FolderFiles(), list[Path]()
    for path in _walk(folder):
        inside = path.relative_to(folder)
        if _OTHER.search(path.name):
            found.unused.append(path)
        elif any(_JUDGMENTS.search(part) for part in inside.parts):
            found.judgments.append((split_name(path), path))
        elif any(_TOPICS.search(part) for part in inside.parts):
            found.topics.append((split_name(path), path))
        elif layout := _layout(path, document_layouts()):
            is_sure = layout not in _TABLES or any(map(_DOCUMENTS.search, inside.parts))
            (found.documents if is_sure else tables).append(path)
        elif _layout(path, {"inex": judgment_layouts()["inex"]}):
            found.judgments.append((split_name(path), path))
        elif _layout(path, {name: topic_layouts()[name] for name in _MARKED_TOPICS}):
            found.topics.append((split_name(path), path))
        else:
            found.unused.append(path)
    if found.documents:
        found.unused = sorted([*found.unused, *tables])
    else:
        found.documents = tables
    if not (found.documents or found.topics or found.judgments):
        raise DataError(
            f"{folder}: there are no documents, topics or judgments in this folder; their files are"
            " recognized by names such as corpus.jsonl, queries.tsv and qrels.txt (classes of"
            " items, as in 20 Newsgroups or MNIST, are read by assay.read_labels)"
        )
    return found


def split_name(path: Path) -> str:
    """Return the name of the split in the name of a file, as in qrels.dev.tsv; empty if none."""
    words = re.split(r"[._-]", path.name.casefold())
    return next((word for word in words if word in SPLITS), "")


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not _OTHER_FOLDERS.match(path.name):
                yield from _walk(path)
        elif path.is_file():
            yield path


def _layout(path: Path, layouts: Mapping[str, FileLayout]) -> str | None:
    """Return the name of the layout of a file; None if it has none of these."""
    try:
        file = TextFile(path)
        return next((name for name, layout in layouts.items() if layout.matches(file)), None)
    except AssayError:
        return None
