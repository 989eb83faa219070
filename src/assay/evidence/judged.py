"""Judgments made ready: the queries, the ideal lists, and a quick way to find who is judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints, offsets_of, places
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Judgments, Table
from assay.evidence.batches import Batch
from assay.evidence.rankings import Hits

Keys = NDArray[np.uint64]
_STEP = np.uint64(0x9E3779B97F4A7C15)  # odd: queries that follow each other fall far apart


@dataclass(frozen=True)
class Judged:
    """The judgments of all queries; documents by the key of (query, document), rising."""

    queries: tuple[str, ...]
    number: dict[str, int]
    pool: Hits
    key: Keys
    query: Ints
    doc: pl.Series
    grade: Floats
    sieve: NDArray[np.bool_]
    """Whether some key begins with these bits: nearly all unjudged documents fall through."""
    seed: int
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgments: Judgments, conventions: Conventions) -> Judged:
        """The judgments made ready, one grade for each document of a query."""
        frame, warnings = one_grade(judgments, conventions)
        names = frame["query"].unique().sort()
        query = frame["query"].cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64)
        seed = 0
        while True:
            key = keys(frame["doc"], query, seed)
            order = np.argsort(key)
            if not (key[order][1:] == key[order][:-1]).any():
                break
            seed += 1
        grade = frame["grade"].to_numpy()
        return cls(
            queries=tuple(names.to_list()),
            number={name: n for n, name in enumerate(names.to_list())},
            pool=_pool(query, grade, len(names)),
            key=key[order],
            query=query[order],
            doc=frame["doc"].gather(order),
            grade=grade[order],
            sieve=_sieve(key),
            seed=seed,
            warnings=warnings,
        )

    def codes(self, queries: pl.Series) -> Ints:
        """The number of each query; those that are not judged get numbers of their own."""
        beyond = len(self.queries)
        found = [self.number.get(name, beyond + n) for n, name in enumerate(queries.to_list())]
        return np.asarray(found, dtype=np.int64)

    def found(self, batch: Batch, codes: Ints, key: Keys) -> tuple[Ints, Ints]:
        """The rows of a batch whose documents are judged, and the judgments of these."""
        shift = np.uint64(64 - (len(self.sieve) - 1).bit_length())
        rows = np.flatnonzero(self.sieve[key >> shift])
        at = np.minimum(np.searchsorted(self.key, key[rows]), len(self.key) - 1)
        equal = self.key[at] == key[rows]
        rows, at = rows[equal], at[equal]
        same_doc = (batch.doc.gather(rows) == self.doc.gather(at)).to_numpy()
        unit = np.searchsorted(batch.offsets, rows, side="right") - 1
        exact = same_doc & (codes[unit] == self.query[at])
        return rows[exact], at[exact]


def keys(doc: pl.Series, query: Ints, seed: int) -> Keys:
    """A number for each pair of query and document, hardly ever the same for two pairs."""
    return doc.hash(seed).to_numpy() + (query.astype(np.uint64) + np.uint64(1)) * _STEP


def batch_keys(batch: Batch, codes: Ints, seed: int) -> Keys:
    """The keys of all documents of a batch."""
    steps = (codes.astype(np.uint64) + np.uint64(1)) * _STEP
    return batch.doc.hash(seed).to_numpy() + np.repeat(steps, np.diff(batch.offsets))


def _sieve(key: Keys) -> NDArray[np.bool_]:
    bits = min(max((len(key) * 32).bit_length(), 10), 24)
    sieve = np.zeros(1 << bits, dtype=np.bool_)
    sieve[key >> np.uint64(64 - bits)] = True
    return sieve


def _pool(query: Ints, grade: Floats, count: int) -> Hits:
    order = np.lexsort((-grade, query))
    offsets = offsets_of(np.bincount(query, minlength=count))
    return Hits(offsets, places(offsets), grade[order])


def one_grade(
    judgments: Judgments, conventions: Conventions
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One grade for each document of a query: the best over its subtopics, if there are any."""
    subtopics = "subtopic" in judgments.frame.columns
    frame, warnings = without_repeats(
        judgments,
        ["query", "doc", "subtopic"] if subtopics else ["query", "doc"],
        conventions.duplicates,
    )
    if subtopics:
        frame = frame.group_by("query", "doc").agg(pl.col("grade").max())
    return frame, warnings


def without_repeats(
    table: Judgments, keys: list[str], policy: str
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The judgments with one row for each key: the first or last of several, or a complaint."""
    repeated = ~table.frame.select(keys).is_unique()
    if not repeated.any():
        return table.frame, ()
    if policy == "error":
        refuse_repeat(table, repeated.arg_true().to_numpy(), keys, "judgment of document")
    kept = table.frame.unique(
        keys, keep="first" if policy == "first" else "last", maintain_order=True
    )
    dropped = table.frame.height - kept.height
    return kept, (f"{table.source.name}: {dropped} judgments that stand twice are left out",)


def refuse_repeat(table: Table, rows: Ints, keys: list[str], what: str) -> None:
    """Complain about the first document that stands twice, among rows that do."""
    frame = table.frame[rows].select(keys)
    first = frame.row(0, named=True)
    twins = (frame == pl.DataFrame([first] * frame.height, schema=frame.schema)).min_horizontal()
    own = rows[twins.to_numpy()]
    raise AlignmentError(
        f"{table.source.place(int(own[1]))}: the {what} {first['doc']} for query {first['query']}"
        f" stands twice, first at {table.source.place(int(own[0]))}; keep one of the two, or"
        " choose the policy duplicates=first or last"
    )


def hits_of(parts: list[tuple[Ints, ...]], judged: Judged) -> tuple[Hits, tuple[Ints, ...]]:
    """The hits of all batches as one, by query and place, and what belongs to each of them."""
    unit, place, *others, at = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((place, unit))
    offsets = offsets_of(np.bincount(unit, minlength=len(judged.queries)))
    hits = Hits(offsets, place[order], judged.grade[at[order]])
    return hits, tuple(each[order] for each in others)
