"""Rankings: for each query, where its judged documents stand in the list.

Sparse: a ranking measure can depend only on the length of the list, the ranks and grades of the
judged documents in it, and the grades of all judged documents. Unjudged documents cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import (
    Bools,
    Floats,
    Ints,
    segment_cumsum,
    segment_scan,
    sum_at,
    unit_numbers,
    unit_offsets,
    unit_ranks,
)
from assay.core.errors import AlignmentError
from assay.evidence.views.query_records import bytewise_order, refuse_split_query, repeat_units
from assay.evidence.views.view import View


@dataclass(frozen=True)
class Hits:
    """Some documents of each query's list: their ranks, rising within a query, and grades."""

    offsets: Ints
    rank: Ints
    grade: Floats

    @property
    def count(self) -> Floats:
        """How many there are, for each query."""
        return np.diff(self.offsets).astype(np.float64)

    @cached_property
    def place(self) -> Ints:
        """The place of each among the hits of its query, from 1."""
        return unit_ranks(self.offsets)

    @cached_property
    def query(self) -> Ints:
        """The number of the query to which each belongs."""
        return unit_numbers(self.offsets)

    @cached_property
    def grades(self) -> Floats:
        """The grades that occur, rising."""
        return np.unique(self.grade)

    @cached_property
    def level(self) -> Ints:
        """The place of the grade of each among those that occur, from 0."""
        return np.searchsorted(self.grades, self.grade)

    def at_least(self, grade: float) -> Floats:
        """How many have at least that grade, for each query."""
        if grade not in self._at_least:
            count = self.where(self.grade >= grade).count
            count.flags.writeable = False
            self._at_least[grade] = count
        return self._at_least[grade]

    @cached_property
    def _at_least(self) -> dict[float, Floats]:
        """Kept, since most measures ask for them, and all runs have the same pool."""
        return {}

    def sum(self, values: NDArray[np.generic]) -> Floats:
        """The sum of the values within each query."""
        return sum_at(self.query, values, len(self.offsets) - 1)

    def running(self, flags: Bools) -> Ints:
        """How many of the flagged ones have been met, up to and with each."""
        met = np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))
        return met[1:] - met[self.offsets[:-1]][self.query]

    def total(self, values: NDArray[np.generic]) -> Floats:
        """The running sum of the values, up to and with each."""
        return segment_cumsum(values, self.offsets)

    def highest(self, values: Floats) -> Floats:
        """The largest value within each query; 0 where there is none."""
        result = np.zeros(len(self.offsets) - 1)
        np.maximum.at(result, self.query, values)
        return result

    def highest_after(self, values: Floats) -> Floats:
        """The largest value from each hit to the end of its query."""
        backwards = self.offsets[-1] - self.offsets[::-1]
        return segment_scan(np.maximum, values[::-1], backwards)[::-1]

    def at(self, totals: Floats, query: Ints, rank: NDArray[np.generic]) -> Floats:
        """The running sum that has been reached by a rank, for pairs of a query and a rank."""
        depth = np.minimum(rank, self.rank.max(initial=0)).astype(np.int64)
        span = self.rank.max(initial=0) + 1
        reached = np.searchsorted(self.query * span + self.rank, query * span + depth, "right")
        before = np.concatenate(([0.0], totals))[reached]
        return np.where(reached > self.offsets[query], before, 0.0)

    def where(self, keep: Bools) -> Hits:
        """Only those hits."""
        if keep.all():
            return self
        rows = np.flatnonzero(keep)
        return Hits(np.searchsorted(rows, self.offsets), self.rank[rows], self.grade[rows])

    def first(self, empty: float) -> Floats:
        """The rank of the first hit of each query; ``empty`` where there is none."""
        starts = self.offsets[:-1]
        found = np.diff(self.offsets) > 0
        result = np.full(len(starts), empty)
        result[found] = self.rank[starts[found]]
        return result


@dataclass(frozen=True)
class Rankings(View):
    """The rankings of one system for many queries, as far as measures can see them."""

    task: ClassVar[str] = "retrieval"
    unit_kind: ClassVar[str] = "query"
    selections: ClassVar[tuple[str, ...]] = ("judged_only",)

    queries: tuple[str, ...]
    retrieved: Ints
    """The length of each query's list."""
    hits: Hits
    """The documents in the lists that have a grade."""
    pool: Hits
    """All judged documents of each query, best grade first, ranked as an ideal list has them."""
    missing: Bools
    """Queries that the run does not answer at all."""
    tie_first: Ints = field(repr=False, default_factory=lambda: np.empty(0, np.int64))
    """For each hit the first rank of the documents with the same score."""
    tie_last: Ints = field(repr=False, default_factory=lambda: np.empty(0, np.int64))
    row: Ints = field(repr=False, default_factory=lambda: np.empty(0, np.int64))
    """For each hit the row of the run from which it came."""
    corpus: int | None = None
    """How many documents the collection has, where that is known."""
    recall_levels: str = "exact"
    zero_if_empty: bool = False
    """Whether an empty list counts as no answer, so that what it leaves undefined is 0."""
    negatives_judged: bool = False
    """Whether a negative grade is a judgment for ``assessed``, or means pooled but not judged."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries, in bytewise order."""
        return self.queries

    def assessed(self, cutoff: int | None = None) -> Hits:
        """Return the judged documents within the cutoff, with negative grades if these count."""
        if not self.negatives_judged:
            return self.judged(cutoff)
        return self.hits if cutoff is None else self.hits.where(self.hits.rank <= cutoff)

    def raise_negatives(self) -> Self:
        """Return the rankings with grade 0 for negative grades, if these are judgments."""
        if not self.negatives_judged or not (self.pool.grade < 0).any():
            return self
        hits, pool = (
            replace(each, grade=np.maximum(each.grade, 0.0)) for each in (self.hits, self.pool)
        )
        return replace(self, hits=hits, pool=pool)

    def reverse_ties(self) -> Self:
        """Return the rankings with documents of equal score in the opposite order."""
        rank = self.tie_first + self.tie_last - self.hits.rank
        order = np.lexsort((rank, self.hits.query))
        return replace(
            self,
            hits=Hits(self.hits.offsets, rank[order], self.hits.grade[order]),
            tie_first=self.tie_first[order],
            tie_last=self.tie_last[order],
            row=self.row[order],
        )

    def judged(self, cutoff: int | None = None) -> Hits:
        """The judged documents within the cutoff; negative grades are pooled but not judged."""
        found = self.hits.where(self.hits.grade >= 0)
        return found if cutoff is None else found.where(found.rank <= cutoff)

    def relevant(self, rel: float = 1, cutoff: int | None = None) -> Hits:
        """The documents of at least that grade within the cutoff."""
        found = self._relevant.get(rel)
        if found is None:
            found = self._relevant[rel] = self.hits.where(self.hits.grade >= rel)
        return found if cutoff is None else found.where(found.rank <= cutoff)

    def relevant_count(self, rel: float = 1) -> Floats:
        """How many documents of at least that grade are known, retrieved or not."""
        return self.pool.at_least(rel)

    @cached_property
    def _relevant(self) -> dict[float, Hits]:
        """The relevant documents by the least grade that counts: most measures ask for them."""
        return {}

    @cached_property
    def useful(self) -> Hits:
        """The pool without documents that have no grade above 0."""
        known = self.pool.where(self.pool.grade > 0)
        return replace(known, rank=known.place)

    def best(self, cutoff: int | None = None) -> Hits:
        """The list that an ideal system would give: all judged documents, best grade first."""
        known = self.pool.grade >= 0
        return self.pool.where(known if cutoff is None else known & (self.pool.rank <= cutoff))

    def depth(self, cutoff: int | None = None) -> Floats:
        """How many documents are looked at: the cutoff, or the whole list."""
        return (
            self.retrieved.astype(np.float64)
            if cutoff is None
            else np.full(len(self.queries), float(cutoff))
        )

    def select(self, choice: str) -> Self:
        """``judged_only``: the condensed lists, from which unjudged documents are taken out."""
        if choice != "judged_only":
            return super().select(choice)
        keep = self.hits.grade >= 0
        judged = self.hits.where(keep)
        condensed = replace(judged, rank=judged.place)
        return replace(
            self,
            retrieved=judged.count.astype(np.int64),
            missing=self.missing | (self.zero_if_empty & (judged.count == 0)),
            hits=condensed,
            tie_first=condensed.rank,
            tie_last=condensed.rank,
            row=self.row[keep],
        )

    def ideal(self) -> Self:
        """Every judged document retrieved, best grade first, and nothing else."""
        best = self.best()
        return replace(
            self,
            retrieved=best.count.astype(np.int64),
            hits=best,
            missing=np.zeros_like(self.missing),
            tie_first=best.rank,
            tie_last=best.rank,
            row=np.zeros(len(best.rank), np.int64),
        )

    def take(self, chosen: Sequence[int] | Ints) -> Self:
        """Some of the queries, in that order, perhaps repeatedly."""
        index = np.asarray(chosen, dtype=np.int64)
        hit_rows, hit_offsets = _take(self.hits.offsets, index)
        pool_rows, pool_offsets = _take(self.pool.offsets, index)
        return replace(
            self,
            queries=tuple(self.queries[i] for i in index.tolist()),
            retrieved=self.retrieved[index],
            missing=self.missing[index],
            hits=Hits(hit_offsets, self.hits.rank[hit_rows], self.hits.grade[hit_rows]),
            pool=Hits(pool_offsets, self.pool.rank[pool_rows], self.pool.grade[pool_rows]),
            tie_first=self.tie_first[hit_rows],
            tie_last=self.tie_last[hit_rows],
            row=self.row[hit_rows],
        )

    def only(self, keep: Bools) -> Self:
        """Only those hits; the others are as if they were not judged."""
        return replace(
            self,
            hits=self.hits.where(keep),
            tie_first=self.tie_first[keep],
            tie_last=self.tie_last[keep],
            row=self.row[keep],
        )

    def reweight(self, counts: Floats) -> Self:
        """Each query as often as its count says."""
        return self.take(repeat_units(counts))

    def __add__(self, other: Self) -> Self:
        """The union of two parts that share no query, in bytewise order of the queries."""
        refuse_split_query(self.queries, other.queries)
        for name in ("corpus", "recall_levels", "zero_if_empty", "negatives_judged"):
            if (own := getattr(self, name)) != (given := getattr(other, name)):
                raise AlignmentError(
                    f"two parts differ in {name} ({own} and {given}): measure both alike"
                )
        joined = replace(
            self,
            queries=self.queries + other.queries,
            retrieved=np.concatenate((self.retrieved, other.retrieved)),
            missing=np.concatenate((self.missing, other.missing)),
            hits=_join(self.hits, other.hits),
            pool=_join(self.pool, other.pool),
            tie_first=np.concatenate((self.tie_first, other.tie_first)),
            tie_last=np.concatenate((self.tie_last, other.tie_last)),
            row=np.concatenate((self.row, other.row)),
        )
        return joined.take(bytewise_order(joined.queries))


def _take(offsets: Ints, index: Ints) -> tuple[Ints, Ints]:
    counts = np.diff(offsets)[index]
    chosen = unit_offsets(counts)
    return np.repeat(offsets[index] - chosen[:-1], counts) + np.arange(chosen[-1]), chosen


def _join(first: Hits, second: Hits) -> Hits:
    return Hits(
        np.concatenate((first.offsets, second.offsets[1:] + first.offsets[-1])),
        np.concatenate((first.rank, second.rank)),
        np.concatenate((first.grade, second.grade)),
    )
