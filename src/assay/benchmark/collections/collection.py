"""Collection: documents, topics, judgments and splits as one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from assay.benchmark.collections.collection_checks import CollectionFindings, check_collection
from assay.benchmark.collections.documents import Documents
from assay.benchmark.collections.folder_files import find_files
from assay.benchmark.collections.query_ids import match_ids as match_topic_ids
from assay.benchmark.collections.query_ids import number_by_order
from assay.benchmark.collections.read_files import (
    holds_topics,
    read_documents,
    read_judgments,
    read_topics,
)
from assay.benchmark.collections.split_judgments import SplitJudgments
from assay.benchmark.collections.topics import Topics
from assay.benchmark.collections.write_collection import write_collection
from assay.core.errors import FormatError
from assay.core.phrases import list_phrase
from assay.core.printable import Printable
from assay.core.tables import Judgments, Source

WHOLE = "all"
"""The name of the split of judgments that belong to none."""


@dataclass(frozen=True, repr=False, eq=False)
class Collection(Printable):
    """A test collection: documents (read when needed), topics, judgments and splits."""

    name: str
    documents: Documents | None = None
    topics: Topics | None = None
    parts: tuple[SplitJudgments, ...] = ()
    """The judgments by split."""
    published_splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The queries of each split whose topics have a file of their own."""
    notes: tuple[str, ...] = ()
    """What was assumed, and which files were not used."""

    @classmethod
    def read(
        cls,
        path: str | Path | None = None,
        *,
        topics: str | Path | None = None,
        qrels: str | Path | None = None,
        encoding: str | None = None,
        match_ids: bool = False,
        quantization: Any = "strict",
    ) -> Collection:
        """Read a collection: a folder, a file of documents, or ``ir_datasets:NAME``.

        ``topics`` and ``qrels`` name files that are elsewhere, or not recognized. Layouts are
        detected. Text is UTF-8 unless an ``encoding`` is named. ``match_ids`` renames topics whose
        ids differ from those of the judgments in zeros or case only. ``quantization`` of
        components of INEX is strict, generalized (2002), or a table of exhaustivity, specificity
        and value.
        """
        read = _Reader(encoding, quantization)
        if str(path or "").startswith("ir_datasets:"):
            read.dataset(str(path))
        elif path is not None and Path(path).is_dir():
            read.folder(Path(path), topics is None, qrels is None)
        elif path is not None:
            read.file(path)
        if topics is not None:
            read.add_topics("", topics)
        if qrels is not None:
            read.add_judgments("", qrels)
        return read.collection(str(path or topics or qrels), match_ids)

    @cached_property
    def judgments(self) -> Judgments | None:
        """The judgments of all splits; None if there are none."""
        if len(self.parts) < 2:
            return self.parts[0].judgments if self.parts else None
        frames = [each.judgments.frame for each in self.parts]
        names = ", ".join(each.judgments.source.name for each in self.parts)
        return Judgments.of(pl.concat(frames, how="diagonal"), Source(names))

    @cached_property
    def splits(self) -> dict[str, tuple[str, ...]]:
        """The queries of each published split."""
        found = {
            each.split: tuple(each.judgments.frame["query"].unique(maintain_order=True))
            for each in self.parts
            if each.split
        }
        return {**found, **self.published_splits}

    @cached_property
    def findings(self) -> CollectionFindings:
        """What does not fit: judged documents and queries that do not exist, and the like."""
        return check_collection(self.documents, self.topics, self.judgments)

    def counts(self) -> pl.DataFrame:
        """Return how many documents, topics and judgments there are."""
        rows: list[dict[str, Any]] = []
        if self.documents is not None:
            rows.append({"part": "documents", "count": self.findings.scan_count})
        if self.topics is not None:
            rows.append({"part": "topics", "count": len(self.topics)})
        if self.judgments is not None:
            frame = self.judgments.frame
            rows.append({"part": "judgments", "count": frame.height})
            rows.append({"part": "judged queries", "count": frame["query"].n_unique()})
            rows.append({"part": "judged documents", "count": frame["doc"].n_unique()})
        return pl.DataFrame(rows)

    def grades(self) -> pl.DataFrame:
        """Return how many judgments have each grade, by split."""
        frames = [
            each.judgments.frame.group_by("grade")
            .agg(judgments=pl.len(), queries=pl.col("query").n_unique())
            .sort("grade")
            .select(pl.lit(each.split or WHOLE).alias("split"), pl.all())
            for each in self.parts
        ]
        return pl.concat(frames) if frames else pl.DataFrame(schema=["split", "grade", "judgments"])

    def fields(self) -> pl.DataFrame:
        """Return how many documents and topics have each field."""
        rows = []
        if self.documents is not None:
            rows += [("documents", *item) for item in self.findings.document_fields.items()]
        if self.topics is not None:
            for name in self.topics.fields:
                count = sum(bool(topic.fields.get(name)) for topic in self.topics)
                rows.append(("topics", name, count))
        return pl.DataFrame(rows, schema=["part", "field", "count"], orient="row")

    def sample(self, length: int = 60) -> pl.DataFrame:
        """Return the first documents and topics, each with the start of its text."""
        rows = []
        for document in self.findings.sample:
            rows.append(("document", document.id, " ".join(document.text.split())[:length]))
        for topic in list(self.topics or ())[:3]:
            rows.append(("topic", topic.id, topic.text[:length]))
        return pl.DataFrame(rows, schema=["part", "id", "text"], orient="row")

    def write(self, folder: str | Path, kind: str = "beir") -> list[Path]:
        """Write the collection to a folder as beir, trec or msmarco; return the files."""
        return write_collection(self, Path(folder), kind)


class _Reader:
    """Collects the parts of a collection."""

    def __init__(self, encoding: str | None, quantization: Any) -> None:
        self._encoding, self._quantization = encoding, quantization
        self._documents: Documents | None = None
        self._topics: list[tuple[str, Topics]] = []
        self._parts: list[SplitJudgments] = []
        self._notes: list[str] = []

    def dataset(self, given: str) -> None:
        """Read a data set of ir_datasets."""
        from assay.benchmark.collections import ir_datasets_source as source

        name = given.removeprefix(source.PREFIX)
        dataset = source.load_dataset(name)
        if dataset.has_docs():
            self._documents = source.DatasetDocuments(dataset, name)
        if (topics := source.dataset_topics(dataset, name)) is not None:
            self._topics.append(("", topics))
        if (judgments := source.dataset_judgments(dataset, name)) is not None:
            self._parts.append(SplitJudgments("", judgments))

    def folder(self, folder: Path, with_topics: bool, with_judgments: bool) -> None:
        """Read the files of a folder."""
        found = find_files(folder)
        if found.documents:
            self._documents = read_documents(found.documents, encoding=self._encoding)
        if with_topics:
            self._add_readable(found.topics, self.add_topics)
        files = found.judgments
        if with_judgments and not files and len(found.topics) == 1:
            self._add_judgments_of_topics(found.topics[0][1])
        if with_judgments:
            self._add_readable(files, self.add_judgments)
        if found.unused:
            names = list_phrase([str(path.relative_to(folder)) for path in found.unused])
            self._notes.append(f"files that were not read: {names}")

    def _add_readable(
        self, files: Sequence[tuple[str, Path]], add: Callable[[str, Path], None]
    ) -> None:
        """Add files; one that cannot be read is noted if another one of its split can."""
        failures: list[tuple[str, FormatError]] = []
        readable = set()
        for split, path in files:
            try:
                add(split, path)
                readable.add(split)
            except FormatError as refused:
                failures.append((split, refused))
        for split, failure in failures:
            if split not in readable:
                raise failure
            self._notes.append(f"a file was not read: {failure}")

    def file(self, path: str | Path) -> None:
        """Read a file of documents; of topics if it cannot hold documents."""
        try:
            self._documents = read_documents([path], encoding=self._encoding)
        except FormatError:
            if not holds_topics(path, self._encoding):
                raise
            self.add_topics("", path)
            self._add_judgments_of_topics(path)

    def add_topics(self, split: str, path: str | Path) -> None:
        """Add a file of topics."""
        self._topics.append((split, read_topics(path, encoding=self._encoding)))

    def add_judgments(self, split: str, path: str | Path) -> None:
        """Add a file of judgments: of other queries, or again, when it is left out."""
        judgments = read_judgments(path, self._encoding, self._quantization)
        place = next((n for n, each in enumerate(self._parts) if each.split == split), None)
        if place is not None:
            earlier = self._parts[place]
            joined = earlier.join(judgments)
            if joined is None:
                name = earlier.judgments.source.name
                self._notes.append(f"{path} has the judgments of {name} again")
                return
            self._parts[place] = joined
            self._notes += judgments.notes
            return
        self._notes += judgments.notes
        self._parts.append(SplitJudgments(split, judgments))

    def _add_judgments_of_topics(self, path: str | Path) -> None:
        """Add the judgments that are stored with the topics, as in Cystic Fibrosis."""
        from assay.benchmark.collections.layout import find_judgment_layout
        from assay.benchmark.collections.text_files import TextFile

        file = TextFile(path, self._encoding)
        layout = find_judgment_layout(file)
        if layout is not None and layout.name == "cystic-fibrosis":
            judgments = layout.read(file)
            self._notes += judgments.notes
            self._parts.append(SplitJudgments("", judgments))

    def collection(self, name: str, match_ids: bool) -> Collection:
        """Return what was read; the queries of topics and judgments are matched."""
        topics = self._join_topics()
        published = {split: tuple(each.ids) for split, each in self._topics if split}
        made = Collection(
            name, self._documents, topics, tuple(self._parts), published, tuple(self._notes)
        )
        if topics is None or made.judgments is None:
            return made
        topics, notes = number_by_order(topics, made.judgments)
        if match_ids:
            topics, more = match_topic_ids(topics, made.judgments)
            notes += more
        noted = (*made.notes, *notes)
        return Collection(name, self._documents, topics, made.parts, published, noted)

    def _join_topics(self) -> Topics | None:
        if len(self._topics) < 2:
            return self._topics[0][1] if self._topics else None
        sources = Source(", ".join(each.source.name for _, each in self._topics))
        ordered = [topic for _, each in self._topics for topic in each]
        unique = list(dict.fromkeys((t.id, t.text) for t in ordered))
        first = {(t.id, t.text): t for t in reversed(ordered)}
        return Topics.of([first[key] for key in unique], self._topics[0][1].layout, sources)
