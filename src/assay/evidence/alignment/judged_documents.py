"""Judgments made ready: the queries, the ideal lists, and a quick way to find who is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints, unit_offsets, unit_ranks
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Table
from assay.evidence.alignment.document_keys import KeyIndex, Keys
from assay.evidence.alignment.query_batches import Batch
from assay.evidence.column_values import duplicate_error
from assay.evidence.views.rankings import Hits

POLICY = ", or choose `duplicates=first` or `duplicates=last`"
"""What else can be done about a document that stands twice."""
_FEW = 1 << 16
"""So many cells are counted in any case."""
_STEP = np.uint64(0x9E3779B97F4A7C15)  # odd: queries that follow each other fall far apart


@dataclass(frozen=True)
class JudgedDocuments:
    """The judgments of all queries: a row for each judged document."""

    queries: tuple[str, ...]
    number: dict[str, int]
    pool: Hits
    index: KeyIndex
    query: Ints
    doc: pl.Series
    grade: Floats
    seed: int
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgments: Judgments, conventions: Conventions) -> JudgedDocuments:
        """The judgments made ready, one grade for each document of a query."""
        if not len(judgments):
            raise AlignmentError(f"{judgments.source.name}: there are no judgments")
        frame, warnings = best_grades(judgments, conventions)
        names, query = number_queries(frame["query"])
        index, seed = KeyIndex.of(document_keys(frame["doc"], query, 0)), 0
        while len(equal := index.repeated()):
            if frame[equal].select("query", "doc").is_duplicated().any():
                table = replace(judgments, frame=frame)
                frame, warnings = drop_duplicate_judgments(
                    table, ["query", "doc"], conventions.duplicates
                )
                names, query = number_queries(frame["query"])
            else:
                seed += 1
            index = KeyIndex.of(document_keys(frame["doc"], query, seed))
        grade = frame["grade"].to_numpy()
        return cls(
            queries=tuple(names),
            number={name: n for n, name in enumerate(names)},
            pool=_judged_pool(query, grade, len(names)),
            index=index,
            query=query,
            doc=frame["doc"],
            grade=grade,
            seed=seed,
            warnings=warnings,
        )

    def codes(self, queries: pl.Series) -> Ints:
        """The number of each query; those that are not judged get numbers of their own."""
        beyond = len(self.queries)
        found = [self.number.get(name, beyond + n) for n, name in enumerate(queries.to_list())]
        return np.asarray(found, dtype=np.int64)

    def of_queries(self, queries: pl.Series) -> pl.DataFrame:
        """The documents that are judged for some queries: query and doc."""
        codes = self.codes(queries.unique())
        rows = np.flatnonzero(np.isin(self.query, codes))
        names = pl.Series(self.queries, dtype=pl.String)
        return pl.DataFrame({"query": names.gather(self.query[rows]), "doc": self.doc.gather(rows)})

    def found(self, batch: Batch, key: Keys) -> tuple[Ints, Ints]:
        """The rows of a batch whose documents are judged, and the judgments of these.

        Where key and document are the same, so is the query: its part of the key is its own.
        """
        rows, at = self.index.found(key)
        doc = batch.doc if len(rows) == len(batch.doc) else batch.doc.gather(rows)
        exact = (doc == self.doc.gather(at)).to_numpy()
        return (rows, at) if exact.all() else (rows[exact], at[exact])


def number_queries(queries: pl.Series) -> tuple[list[str], Ints]:
    """The distinct queries in bytewise order, and the number of each row's query."""
    starts = np.append(0, np.flatnonzero((queries[1:] != queries[:-1]).to_numpy()) + 1)
    begun = queries.gather(starts)
    names = begun.unique().sort()
    numbers = begun.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64)
    return names.to_list(), np.repeat(numbers, np.diff(np.append(starts, len(queries))))


def document_keys(doc: pl.Series, query: Ints, seed: int) -> Keys:
    """A number for each pair of query and document, hardly ever the same for two pairs."""
    key = _query_step(query)
    key += doc.hash(seed).to_numpy()
    return key


def batch_keys(batch: Batch, codes: Ints, seed: int) -> Keys:
    """The keys of all documents of a batch."""
    key = np.repeat(_query_step(codes), np.diff(batch.offsets))
    key += batch.doc.hash(seed).to_numpy()
    return key


def _query_step(query: Ints) -> Keys:
    """What a query adds to the keys of its documents."""
    step = query.astype(np.uint64)
    step += np.uint64(1)
    step *= _STEP
    return step


def _judged_pool(query: Ints, grade: Floats, count: int) -> Hits:
    offsets = unit_offsets(np.bincount(query, minlength=count))
    return Hits(offsets, unit_ranks(offsets), _sort_grades(query, grade, count))


def _sort_grades(query: Ints, grade: Floats, count: int) -> Floats:
    """The grades of each query in falling order."""
    highest = grade.max()
    if count * (highest - grade.min() + 1) <= max(len(grade), _FEW):
        below = (highest - grade).astype(np.int32)
        if (highest - below == grade).all():
            return _counting_sort(query, below, count, highest)
    return grade[np.lexsort((-grade, query))]


def _counting_sort(query: Ints, below: NDArray[np.int32], count: int, highest: float) -> Floats:
    """Grades that lie whole steps below the highest: few of them are counted sooner than sorted."""
    steps = int(below.max()) + 1
    cell = query * steps
    cell += below
    often = np.bincount(cell, minlength=count * steps)
    return np.repeat(np.tile(highest - np.arange(steps), count), often)


def best_grades(
    judgments: Judgments, conventions: Conventions
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The best grade of each document over its subtopics, if there are any."""
    if "subtopic" not in judgments.frame.columns:
        return judgments.frame, ()
    keys = ["query", "doc", "subtopic"]
    frame, warnings = drop_duplicate_judgments(judgments, keys, conventions.duplicates)
    return frame.group_by("query", "doc").agg(pl.col("grade").max()), warnings


def drop_duplicate_judgments(
    table: Table, keys: list[str], policy: str
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The judgments with one row for each key: the first or last of several, or a complaint."""
    repeated = ~table.frame.select(keys).is_unique()
    if not repeated.any():
        return table.frame, ()
    if policy == "error":
        refuse_duplicate_document(
            table, repeated.arg_true().to_numpy(), keys, "judgment of document"
        )
    kept = table.frame.unique(
        keys, keep="first" if policy == "first" else "last", maintain_order=True
    )
    dropped = table.frame.height - kept.height
    told = quantity(dropped, "judgment that stands twice is", "judgments that stand twice are")
    return kept, (f"{table.source.name}: {told} left out",)


def refuse_duplicate_document(table: Table, rows: Ints, keys: list[str], what: str) -> None:
    """Complain about the first document that stands twice, among rows that do."""
    frame = table.frame[rows].select(keys)
    first = frame.row(0, named=True)
    twins = (frame == pl.DataFrame([first] * frame.height, schema=frame.schema)).min_horizontal()
    own = rows[twins.to_numpy()]
    named = f"{what} {first['doc']} for query {first['query']}"
    raise AlignmentError(duplicate_error(table.source, named, int(own[0]), int(own[1]), POLICY))


def merge_hits(parts: list[list[Ints]], judged: JudgedDocuments) -> tuple[Hits, list[Ints]]:
    """The hits of all batches as one, by query and place, and what belongs to each of them.

    A part has, by place within each query: which judgments were met, at which places, and the rest.
    """
    joined = [np.concatenate(column) for column in zip(*parts, strict=True)]
    unit = judged.query[joined[0]]
    if (unit[1:] < unit[:-1]).any():
        order = np.argsort(unit, kind="stable")  # quick: the hits of a query stand together
        joined = [column[order] for column in joined]
    offsets = unit_offsets(np.bincount(unit, minlength=len(judged.queries)))
    at, place, *rest = joined
    return Hits(offsets, place, judged.grade[at]), rest
