"""Writing a collection to a folder: as BEIR, as TREC files, or as MS MARCO."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from assay.benchmark.collections.documents import Document, Documents
from assay.benchmark.collections.layout import topic_layout
from assay.benchmark.collections.split_judgments import SplitJudgments
from assay.benchmark.collections.topics import Topics
from assay.core.errors import DataError, unknown_name
from assay.core.output_files import open_output, write_text
from assay.core.output_folders import make_folder, new_folder
from assay.formats.files.trec import plain_number


class Written(Protocol):
    """What is written of a collection."""

    @property
    def documents(self) -> Documents | None:
        """The documents."""
        ...

    @property
    def topics(self) -> Topics | None:
        """The topics."""
        ...

    @property
    def parts(self) -> tuple[SplitJudgments, ...]:
        """The judgments by split."""
        ...


TEST = "test"
"""The split of judgments that belong to none, where the kind needs one."""


def write_collection(collection: Written, folder: Path, kind: str) -> list[Path]:
    """Write a collection; return the files that were written."""
    if kind not in KINDS:
        raise unknown_name("kind of collection", kind, KINDS)
    with new_folder(folder):
        return KINDS[kind](collection, folder)


def _write_lines(path: Path, lines: Iterable[str]) -> Path:
    with open_output(path) as stream:
        for line in lines:
            stream.write(line.encode("utf-8"))
    return path


def _write_beir(collection: Written, folder: Path) -> list[Path]:
    written = []
    if collection.documents is not None:
        lines = (_json_line({"_id": each.id, **each.fields}) for each in collection.documents)
        written.append(_write_lines(folder / "corpus.jsonl", lines))
    if collection.topics is not None:
        text = topic_layout("jsonl").write(collection.topics)
        write_text(folder / "queries.jsonl", text)
        written.append(folder / "queries.jsonl")
    if collection.parts:
        make_folder(folder / "qrels")
    for part in collection.parts:
        refuse_samples(part.judgments.frame.columns, "beir")
        path = folder / "qrels" / f"{part.split or TEST}.tsv"
        rows = part.judgments.frame.select("query", "doc", plain_number("grade"))
        named = rows.rename({"query": "query-id", "doc": "corpus-id", "grade": "score"})
        write_text(path, named.write_csv(separator="\t"))
        written.append(path)
    return written


def _write_trec(collection: Written, folder: Path) -> list[Path]:
    from assay.formats.files.trec import FORMAT

    written = []
    if collection.documents is not None:
        lines = (_trec_document(each) for each in _with_plain_ids(collection.documents, "trec"))
        written.append(_write_lines(folder / "documents.trec", lines))
    if collection.topics is not None:
        write_text(folder / "topics.xml", topic_layout("xml").write(collection.topics))
        written.append(folder / "topics.xml")
    for part in collection.parts:
        name = f"qrels.{part.split}.txt" if part.split else "qrels.txt"
        content = FORMAT.write(part.judgments, part.judgments.frame)
        written.append(_write_lines(folder / name, (part.decode() for part in content)))
    return written


def _write_msmarco(collection: Written, folder: Path) -> list[Path]:
    written = []
    if collection.documents is not None:
        plain = _with_plain_ids(collection.documents, "msmarco")
        lines = (f"{each.id}\t{_one_line(each.text)}\n" for each in plain)
        written.append(_write_lines(folder / "collection.tsv", lines))
    topics = collection.topics
    if topics is not None:
        queries = (f"{each.id}\t{_one_line(each.text)}\n" for each in topics)
        written.append(_write_lines(folder / "queries.tsv", queries))
    for part in collection.parts:
        refuse_samples(part.judgments.frame.columns, "msmarco")
        name = f"qrels.{part.split}.tsv" if part.split else "qrels.tsv"
        rows = part.judgments.frame.select("query", "doc", plain_number("grade")).rows()
        lines = (f"{query}\t0\t{doc}\t{grade}\n" for query, doc, grade in rows)
        written.append(_write_lines(folder / name, lines))
    return written


def _with_plain_ids(documents: Iterable[Document], kind: str) -> Iterator[Document]:
    """Yield documents; refuse an id that would be another one when it is read."""
    for each in documents:
        if each.id != " ".join(each.id.split()):
            raise DataError(f"{kind} cannot hold the id {each.id!r}; write beir")
        yield each


def refuse_samples(columns: list[str], kind: str) -> None:
    """Refuse columns that a kind of collection cannot hold."""
    lost = [name for name in columns if name not in ("query", "doc", "grade")]
    if lost:
        raise DataError(f"{kind} cannot hold the {' and '.join(lost)} of judgments; write trec")


def _json_line(record: dict[str, str]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _trec_document(document: Document) -> str:
    parts = [f"<DOC>\n<DOCNO> {html.escape(document.id, quote=False)} </DOCNO>\n"]
    for name, text in document.fields.items():
        tag = "".join(c if c.isalnum() and c.isascii() else "_" for c in name).upper()
        tag = tag if tag[:1].isalpha() else f"F{tag}"
        parts.append(f"<{tag}>\n{html.escape(text, quote=False)}\n</{tag}>\n")
    return "".join([*parts, "</DOC>\n"])


KINDS: dict[str, Callable[[Written, Path], list[Path]]] = {
    "beir": _write_beir,
    "trec": _write_trec,
    "msmarco": _write_msmarco,
}
"""How each kind of collection is written."""
