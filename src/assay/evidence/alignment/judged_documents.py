"""Judgments as alignment needs them: the queries, the ideal lists, and an index of documents."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints, unit_offsets, unit_ranks
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.frozen_dataclass import dataclass, replace
from assay.core.phrases import quantity
from assay.core.tables import Judgments, Run, Table
from assay.evidence.column_values import duplicate_error
from assay.evidence.views.rankings import Hits

Keys: TypeAlias = NDArray[np.uint64]
"""A number for each pair of query and document, hardly ever the same for two pairs."""
POLICY = ", or choose `duplicates=first` or `duplicates=last`"
"""What else can be done about a duplicate document."""
SEVERAL_RUNS = "; if these are several runs, name them in a column `run`"
"""What may be the cause, where rows have no lines of a file."""
_FEW = 1 << 16
"""So many cells are counted in any case."""
_FEW_ROWS = 1_000
"""Up to so many row numbers are quickly made a list."""
_CACHED = 1 << 16
"""So many rows fit the processor's cache: more are looked at in parts."""
_UNJUDGED = 1 << 22
"""More queries than any batch of a run has."""


@dataclass(frozen=True)
class KeyIndex:
    """Keys by their first bits: nearly all others are ruled out at the first look."""

    key: Keys
    taken: Bools
    """Whether a key has each prefix, and False for all greater ones: looked at first, as small."""
    slots: NDArray[np.int32]
    """For each prefix that is taken a key that has it."""
    shift: np.uint64
    crowded: Ints
    """The keys, in rising order, whose slot is taken by another."""

    @classmethod
    def of(cls, key: Keys) -> KeyIndex:
        """Return an index of these keys."""
        room = 32 if len(key) < 1 << 15 else 8
        bits = min(max((len(key) * room).bit_length(), 10), 24)
        shift = np.uint64(max(int(key.max()).bit_length() - bits, 0))
        taken, slots = np.zeros((1 << bits) + 1, dtype=np.bool_), np.empty(1 << bits, np.int32)
        number = np.arange(len(key), dtype=np.int32)
        parts = [slice(first, first + _CACHED) for first in range(0, len(key), _CACHED)]
        for part in parts:
            slot = _key_prefixes(key[part], shift)
            taken[slot], slots[slot] = True, number[part]
        lost = np.flatnonzero(
            np.concatenate([slots[_key_prefixes(key[p], shift)] != number[p] for p in parts])
        )
        return cls(key, taken, slots, shift, lost[np.argsort(key[lost])])

    def duplicate_places(self) -> Ints:
        """Return the places of all keys that occur more than once, which should be none."""
        lost = self.key[self.crowded]
        again = self.key[self.slots[_key_prefixes(lost, self.shift)]] == lost
        again[1:] |= lost[1:] == lost[:-1]
        return np.flatnonzero(np.isin(self.key, lost[again])) if again.any() else self.crowded[:0]

    def find_keys(self, key: Keys) -> tuple[Ints, Ints]:
        """Return which of these keys are in the index, and the place of each there."""
        slot = _key_prefixes(key, self.shift)
        rows = np.flatnonzero(self.taken.take(slot, mode="clip"))
        at, wanted = self.slots[slot[rows]].astype(np.int64), key[rows]
        same = self.key[at] == wanted
        if len(self.crowded):
            other = np.flatnonzero(~same)
            known = self.key[self.crowded]
            place = np.minimum(np.searchsorted(known, wanted[other]), len(known) - 1)
            fits = known[place] == wanted[other]
            at[other[fits]] = self.crowded[place[fits]]
            same[other[fits]] = True
        kept = np.flatnonzero(same)
        return rows[kept], at[kept]


def _key_prefixes(key: Keys, shift: np.uint64) -> Ints:
    """Return the first bits of each key, as numbers that can be indices without conversion."""
    return (key >> shift).view(np.int64)


def document_keys(
    doc: pl.Series, query: Ints, judged: int, seed: int, times: Ints | None = None
) -> Keys:
    """Return the keys of documents, from the number of the query of each and of judged queries.

    A key begins with the query, so that the documents of a query are looked up near each other.
    With ``times``, each query has so many documents, one query after the other.
    """
    bits = (judged + _UNJUDGED).bit_length()
    begin = query.astype(np.uint64) << np.uint64(64 - bits)
    key = begin if times is None else np.repeat(begin, times)
    for first in range(0, len(key), _CACHED):
        part = slice(first, first + _CACHED)
        key[part] |= doc[part].hash(seed).to_numpy() >> np.uint64(bits)
    return key


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
    source: str
    """The name of the file."""
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgments: Judgments, conventions: Conventions) -> JudgedDocuments:
        """Return the judgments with one grade for each document of a query."""
        if judgments.frame.is_empty():
            raise AlignmentError(f"{judgments.source.name}: there are no judgments")
        frame, warnings = _best_grades(judgments, conventions)
        names, query = _number_queries(frame["query"])
        index, seed = KeyIndex.of(document_keys(frame["doc"], query, len(names), 0)), 0
        while len(equal := index.duplicate_places()):
            if frame[equal].select("query", "doc").is_duplicated().any():
                table = replace(judgments, frame=frame)
                frame, warnings = drop_duplicate_judgments(
                    table, ["query", "doc"], conventions.duplicates
                )
                names, query = _number_queries(frame["query"])
            else:
                seed += 1
            index = KeyIndex.of(document_keys(frame["doc"], query, len(names), seed))
        grade = frame["grade"].to_numpy()
        sorted_grades = _sort_grades(query, grade, len(names))
        offsets = unit_offsets(np.bincount(query, minlength=len(names)))
        return cls(
            queries=tuple(names),
            number={name: n for n, name in enumerate(names)},
            pool=Hits(offsets, unit_ranks(offsets), sorted_grades),
            index=index,
            query=query,
            doc=frame["doc"],
            grade=grade,
            seed=seed,
            source=judgments.source.name,
            warnings=(*judgments.notes, *warnings),
        )

    def of_queries(self, queries: pl.Series) -> pl.DataFrame:
        """Return the documents that are judged for some queries: query and doc."""
        numbers = [self.number[name] for name in queries.unique() if name in self.number]
        rows = np.flatnonzero(np.isin(self.query, numbers))
        names = pl.Series(self.queries, dtype=pl.String)
        return pl.DataFrame(
            {
                "query": names.gather(row_numbers(self.query[rows])),
                "doc": self.doc.gather(row_numbers(rows)),
            }
        )

    def find(self, docs: pl.Series, key: Keys) -> tuple[Ints, Ints]:
        """Return which documents of a run are judged, and the rows of their judgments.

        Where key and document are equal, so is the query: its part of the key is unique.
        """
        rows, at = self.index.find_keys(key)
        doc = docs if len(rows) == len(docs) else docs[row_numbers(rows)]
        same = doc == self.doc[row_numbers(at)]
        if same.all():
            return rows, at
        exact = same.to_numpy()
        return rows[exact], at[exact]


def row_numbers(rows: Ints) -> pl.Series | list[int]:
    """Return the numbers of rows to gather from a series of Polars: few of them as a list.

    With an array Polars imports numpy.ma, which takes longer than a small file needs in all.
    """
    if len(rows) <= _FEW_ROWS:
        return rows.tolist()
    whole = pl.Series([rows.astype("<u4").tobytes()], dtype=pl.Binary)
    return whole.bin.reinterpret(dtype=pl.Array(pl.UInt32, len(rows))).reshape((len(rows),))


def _number_queries(queries: pl.Series) -> tuple[list[str], Ints]:
    """Return the distinct queries in bytewise order, and the number of each row's query."""
    starts = np.append(0, np.flatnonzero((queries[1:] != queries[:-1]).to_numpy()) + 1)
    begun = queries.gather(row_numbers(starts))
    names = begun.unique().sort()
    numbers = begun.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64)
    return names.to_list(), np.repeat(numbers, np.diff(np.append(starts, len(queries))))


def _sort_grades(query: Ints, grade: Floats, count: int) -> Floats:
    """Return the grades of each query in falling order: few integer grades are counted."""
    highest = float(grade.max())  # A float of Python becomes infinite without a warning.
    if count * (highest - float(grade.min()) + 1) <= max(len(grade), _FEW):
        below = (highest - grade).astype(np.int32)
        if (highest - below == grade).all():
            steps = int(below.max()) + 1
            cell = query * steps
            cell += below
            often = np.bincount(cell, minlength=count * steps)
            return np.repeat(np.tile(highest - np.arange(steps), count), often)
    return grade[np.lexsort((-grade, query))]


def _best_grades(
    judgments: Judgments, conventions: Conventions
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the best grade of each document over its subtopics, if there are any."""
    if "subtopic" not in judgments.frame.columns:
        return judgments.frame, ()
    keys = ["query", "doc", "subtopic"]
    frame, warnings = drop_duplicate_judgments(judgments, keys, conventions.duplicates)
    best = frame.group_by("query", "doc").agg(pl.col("grade").max())
    if best.height < frame.height:
        warnings += (
            f"{judgments.source.name}: the judgments have subtopics; a document that is judged for"
            " several counts with its best grade",
        )
    return best, warnings


def drop_duplicate_judgments(
    table: Table, keys: list[str], policy: str
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the judgments with one row for each key, and a note; raise an error by policy."""
    repeated = ~table.frame.select(keys).is_unique()
    if not repeated.any():
        return table.frame, ()
    if policy == "error":
        rows = repeated.arg_true().to_numpy()
        frame = table.frame[rows].select(keys)
        first = frame.row(0, named=True)
        same = (frame == pl.DataFrame([first] * frame.height, schema=frame.schema)).min_horizontal()
        one, two = (int(row) for row in rows[same.to_numpy()][:2])
        what = f"judgment of document {first['doc']} for query {first['query']}"
        raise AlignmentError(duplicate_error(table.source, what, one, two, POLICY))
    keep: Literal["first", "last"] = "first" if policy == "first" else "last"
    kept = table.frame.unique(keys, keep=keep, maintain_order=True)
    dropped = table.frame.height - kept.height
    note = quantity(dropped, "duplicate judgment is", "duplicate judgments are")
    return kept, (f"{table.source.name}: {note} left out",)


def similar_judged_id(judged: pl.DataFrame, run: Run) -> str:
    """Return a text on unjudged ids that differ from judged ones by zeros, case or spaces alone."""
    folded = pl.col("doc").str.to_lowercase().str.strip_chars().str.strip_chars_start("0")
    docs = pl.concat([judged["doc"], run.frame["doc"]]).to_frame()
    if docs.select((folded == pl.col("doc")).all()).item():  # the joins below are costly
        return ""
    near = (
        run.frame.with_row_index("row")
        .select("row", "query", "doc", folded=folded)
        .join(judged.select("query", judged="doc", folded=folded), on=["query", "folded"])
        .filter(pl.col("doc") != pl.col("judged"))
    )
    if near.is_empty():
        return ""
    near = near.join(judged, on=["query", "doc"], how="anti")
    if near.is_empty():
        return ""
    row = near.sort("row").row(0, named=True)
    return (
        f"{run.source.place(int(row['row']))}: the document '{row['doc']}' is unjudged, but"
        f" '{row['judged']}' is ({quantity(near.height, 'such id')}): ids differ by zeros, case or"
        " spaces alone"
    )
