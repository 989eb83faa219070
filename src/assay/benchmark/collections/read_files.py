"""Reading documents, topics and judgments from a file in any layout."""

from __future__ import annotations

import os
from collections.abc import Collection as Ids
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assay.benchmark.collections.documents import Documents
from assay.benchmark.collections.folder_files import find_files
from assay.benchmark.collections.layout import (
    document_layouts,
    find_document_layout,
    find_judgment_layout,
    find_topic_layout,
    topic_layout,
    topic_layouts,
)
from assay.benchmark.collections.layouts.inex_components import quantize, read_components
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.topics import Topics
from assay.core.output_files import write_text
from assay.core.tables import Judgments, Source
from assay.formats.containers import to_judgments
from assay.formats.text_by_id import read_texts as texts_by_id

_PLAIN = ("tsv", "jsonl")
"""Layouts whose texts are shown as they always were: the title and the text."""


def read_topics(path: str | Path, layout: str | None = None, encoding: str | None = None) -> Topics:
    """Return the topics of a file, or of all files of a folder (INEX has one for each)."""
    if Path(path).is_dir():
        files = sorted(each for each in Path(path).iterdir() if each.is_file())
        parts = [read_topics(each, layout, encoding) for each in files]
        whole = [topic for part in parts for topic in part]
        return Topics.of(whole, parts[0].layout if parts else "", Source(str(path)))
    file = TextFile(path, encoding)
    found = find_topic_layout(file, layout)
    source = Source(file.name, digest=file.input.digest)
    return Topics.of(list(found.read(file)), found.name, source)


def holds_topics(path: str | Path, encoding: str | None = None) -> bool:
    """Return whether a file looks like topics in any layout."""
    file = TextFile(path, encoding)
    return any(layout.matches(file) for layout in topic_layouts().values())


def write_topics(topics: Topics, path: str | Path, layout: str | None = None) -> None:
    """Write topics, by default in the layout in which they were read."""
    write_text(path, topic_layout(layout or topics.layout).write(topics))


def read_documents(
    paths: Iterable[str | Path], layout: str | None = None, encoding: str | None = None
) -> Documents:
    """Return the documents of files, which are read when they are needed."""
    names = list(paths)
    shared = Path(os.path.commonpath([Path(name).parent for name in names])) if names else Path()
    files = [TextFile(name, encoding, shared) for name in names]
    return Documents([(file, find_document_layout(file, layout)) for file in files])


def read_judgments(
    path: str | Path, encoding: str | None = None, quantization: Any = None
) -> Judgments:
    """Return the judgments of a file: in a layout of a collection, or any format.

    ``quantization`` is strict, generalized or a table, for components of INEX.
    """
    if not Path(path).is_dir():
        file = TextFile(path, encoding)
        layout = find_judgment_layout(file)
        if layout is not None and layout.name == "inex" and quantization is not None:
            return quantize(read_components(file), quantization, file.name)
        if layout is not None:
            return layout.read(file)
    return to_judgments(path)


def read_texts(path: str | Path, wanted: Ids[str] | None = None) -> dict[str, str]:
    """Return the texts of documents by id: a file in any layout, or a folder."""
    if Path(path).is_dir():
        return read_documents(find_files(Path(path)).documents).texts(wanted)
    file = TextFile(path)
    layout = next((each for each in document_layouts().values() if each.matches(file)), None)
    if layout is None or layout.name in _PLAIN:
        return texts_by_id(path, wanted)
    return Documents([(file, layout)]).texts(wanted)


def read_queries(path: str | Path) -> dict[str, str]:
    """Return the texts of queries by id: a file in any layout, or a folder of them."""
    if not Path(path).is_dir():
        file = TextFile(path)
        layout = next((each for each in topic_layouts().values() if each.matches(file)), None)
        if layout is None or layout.name in _PLAIN:
            return texts_by_id(path)
    return read_topics(path).texts
