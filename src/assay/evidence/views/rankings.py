"""Rankings: for each query, where its judged documents stand in the list.

Sparse: a ranking measure can depend only on the length of the list, the ranks and grades of the
judged documents in it, and the grades of all judged documents. Unjudged documents cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, Self, TypeVar

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
from assay.evidence.views.view import View, bytewise_order, refuse_split_query, repeat_units

AnyRankings = TypeVar("AnyRankings", bound="Rankings")


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
        """Return how many have at least that grade, for each query."""
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
        """Return the sum of the values within each query."""
        return sum_at(self.query, values, len(self.offsets) - 1)

    def running(self, flags: Bools) -> Ints:
        """Return how many of the flagged ones have been met, up to and with each."""
        met = np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))
        return met[1:] - met[self.offsets[:-1]][self.query]

    def total(self, values: NDArray[np.generic]) -> Floats:
        """Return the running sum of the values, up to and with each."""
        return segment_cumsum(values, self.offsets)

    def highest(self, values: Floats) -> Floats:
        """Return the largest value within each query; 0 where there is none."""
        result = np.zeros(len(self.offsets) - 1)
        np.maximum.at(result, self.query, values)
        return result

    def highest_after(self, values: Floats) -> Floats:
        """Return the largest value from each hit to the end of its query."""
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
        """Return only those hits."""
        if keep.all():
            return self
        rows = np.flatnonzero(keep)
        return Hits(np.searchsorted(rows, self.offsets), self.rank[rows], self.grade[rows])

    def first(self, empty: float) -> Floats:
        """Return the rank of the first hit of each query; ``empty`` where there is none."""
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
        """Return the judged documents within the cutoff; negative grades are not judged."""
        found = self.hits.where(self.hits.grade >= 0)
        return found if cutoff is None else found.where(found.rank <= cutoff)

    def relevant(self, rel: float = 1, cutoff: int | None = None) -> Hits:
        """Return the documents of at least that grade within the cutoff."""
        found = self._relevant.get(rel)
        if found is None:
            found = self._relevant[rel] = self.hits.where(self.hits.grade >= rel)
        return found if cutoff is None else found.where(found.rank <= cutoff)

    def relevant_count(self, rel: float = 1) -> Floats:
        """Return how many documents of at least that grade are known, retrieved or not."""
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
        """Return how many documents are looked at: the cutoff, or the whole list."""
        return (
            self.retrieved.astype(np.float64)
            if cutoff is None
            else np.full(len(self.queries), float(cutoff))
        )

    def select(self, choice: str) -> Self:
        """``judged_only``: the condensed lists, from which unjudged documents are taken out."""
        if choice != "judged_only":
            return super().select(choice)
        kept = self.only(self.hits.grade >= 0)
        rank = kept.hits.place
        return replace(
            kept,
            retrieved=kept.hits.count.astype(np.int64),
            missing=self.missing | (self.zero_if_empty & (kept.hits.count == 0)),
            hits=replace(kept.hits, rank=rank),
            tie_first=rank,
            tie_last=rank,
        )

    def ideal(self) -> Self:
        """Return every judged document retrieved, best grade first, and nothing else."""
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
        """Return some of the queries, in that order, perhaps repeatedly."""
        index = np.asarray(chosen, dtype=np.int64)
        hits, rows = _take(self.hits, index)
        return replace(
            self,
            queries=tuple(self.queries[i] for i in index.tolist()),
            retrieved=self.retrieved[index],
            missing=self.missing[index],
            hits=hits,
            pool=_take(self.pool, index)[0],
            tie_first=self.tie_first[rows],
            tie_last=self.tie_last[rows],
            row=self.row[rows],
        )

    def only(self, keep: Bools) -> Self:
        """Return only those hits; the others are as if they were not judged."""
        return replace(
            self,
            hits=self.hits.where(keep),
            tie_first=self.tie_first[keep],
            tie_last=self.tie_last[keep],
            row=self.row[keep],
        )

    def reweight(self, counts: Floats) -> Self:
        """Return each query as often as its count says."""
        return self.take(repeat_units(counts))

    def __add__(self, other: Self) -> Self:
        """Return the union of two parts that share no query, in bytewise order of the queries."""
        refuse_split_query(self.queries, other.queries)
        for name in ("corpus", "recall_levels", "zero_if_empty", "negatives_judged"):
            if (own := getattr(self, name)) != (given := getattr(other, name)):
                raise AlignmentError(
                    f"two parts differ in {name} ({own} and {given}): measure both alike"
                )
        joined = join_rankings((self, other))
        return joined.take(bytewise_order(joined.queries))


def _take(hits: Hits, index: Ints) -> tuple[Hits, Ints]:
    """Return the hits of some queries, and which they are."""
    counts = np.diff(hits.offsets)[index]
    offsets = unit_offsets(counts)
    rows = np.repeat(hits.offsets[index] - offsets[:-1], counts) + np.arange(offsets[-1])
    return Hits(offsets, hits.rank[rows], hits.grade[rows]), rows


def join_rankings(views: Sequence[AnyRankings]) -> AnyRankings:
    """Return the queries of all views, those of one after those of another."""

    def join(name: str) -> Any:
        return np.concatenate([attrgetter(name)(view) for view in views])

    hits, pool = (
        Hits(
            unit_offsets(np.concatenate([np.diff(getattr(view, name).offsets) for view in views])),
            join(f"{name}.rank"),
            join(f"{name}.grade"),
        )
        for name in ("hits", "pool")
    )
    fields = ("retrieved", "missing", "tie_first", "tie_last", "row")
    return replace(
        views[0],
        queries=tuple(chain.from_iterable(view.queries for view in views)),
        hits=hits,
        pool=pool,
        **{name: join(name) for name in fields},
    )
