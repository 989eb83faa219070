"""Collections of the library ir_datasets, by an extra: ``ir_datasets:NAME``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from assay.benchmark.collections.documents import Document, Documents
from assay.benchmark.collections.topics import Subtopic, Topic, Topics
from assay.core.errors import DataError, FormatError, MissingExtra
from assay.core.tables import Judgments, Source

PREFIX = "ir_datasets:"
_IDS = ("doc_id", "query_id")


def load_dataset(name: str) -> Any:
    """Return a data set of ir_datasets by its name."""
    try:
        import ir_datasets
    except ModuleNotFoundError:
        raise MissingExtra("ir_datasets", "ir-datasets") from None
    try:
        return ir_datasets.load(name)
    except KeyError:
        raise DataError(
            f"{PREFIX}{name}: ir_datasets has no data set of that name; see its catalog"
        ) from None


class DatasetDocuments(Documents):
    """The documents of a data set, read from it whenever they are needed."""

    def __init__(self, dataset: Any, name: str) -> None:
        super().__init__([])
        self.__dict__.update(dataset=dataset, name=name)

    dataset: Any
    name: str

    def __iter__(self) -> Iterator[Document]:
        for place, record in enumerate(self.dataset.docs_iter(), 1):
            yield Document(str(record.doc_id), _fields(record), place)

    def _refuse_duplicates(self, suspects: Any) -> None:
        wanted, seen = set(suspects.tolist()), dict[str, int]()
        for document in self if wanted else ():
            if hash(document.id) in wanted and document.id in seen:
                raise FormatError(
                    f"document {document.id} occurs twice, as number {seen[document.id]} and"
                    f" {document.line}",
                    f"{PREFIX}{self.name}",
                )
            seen[document.id] = document.line


def dataset_topics(dataset: Any, name: str) -> Topics | None:
    """Return the topics of a data set; None if it has none."""
    if not dataset.has_queries():
        return None
    topics = [
        Topic(str(record.query_id), _fields(record), _subtopics(record), place)
        for place, record in enumerate(dataset.queries_iter(), 1)
    ]
    return Topics.of(topics, "jsonl", Source(f"{PREFIX}{name}"))


def dataset_judgments(dataset: Any, name: str) -> Judgments | None:
    """Return the judgments of a data set; None if it has none."""
    if not dataset.has_qrels():
        return None
    rows = [
        {
            "query": str(record.query_id),
            "doc": str(record.doc_id),
            "grade": float(record.relevance),
            **({"subtopic": str(record.subtopic_id)} if hasattr(record, "subtopic_id") else {}),
        }
        for record in dataset.qrels_iter()
    ]
    return Judgments.of(pl.DataFrame(rows), Source(f"{PREFIX}{name}"))


def _fields(record: Any) -> dict[str, str]:
    named = {key: value for key, value in record._asdict().items() if key not in _IDS}
    return {key: value for key, value in named.items() if isinstance(value, str)}


def _subtopics(record: Any) -> tuple[Subtopic, ...]:
    given = getattr(record, "subtopics", None) or ()
    return tuple(
        Subtopic(str(getattr(each, "number", place)), each.text, str(getattr(each, "type", "")))
        for place, each in enumerate(given, 1)
        if hasattr(each, "text")
    )
