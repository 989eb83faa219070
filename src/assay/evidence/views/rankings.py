"""Rankings: the ranks of the judged documents of each query.

Sparse: a ranking measure can depend only on the length of the list, the ranks and grades of the
judged documents in it, and the grades of all judged documents. Unjudged documents cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import (
    Bools,
    Floats,
    Ints,
    segment_scan,
    sum_at,
    unit_numbers,
    unit_offsets,
    unit_ranks,
    unit_rows,
)
from assay.core.errors import AlignmentError
from assay.core.frozen_dataclass import dataclass, field, replace
from assay.evidence.views.view import View, bytewise_order, refuse_split_query, repeat_units


@dataclass(frozen=True)
class Hits:
    """Some documents of each query's list: their ranks, rising within a query, and grades."""

    offsets: Ints
    rank: Ints
    grade: Floats
    _at_least: dict[float, Floats] = field(default_factory=dict, init=False, repr=False)
    """Counts by grade are kept: most measures ask for them, and all runs have the same pool."""

    @property
    def count(self) -> Floats:
        """How many there are, for each query."""
        return np.diff(self.offsets).astype(np.float64)

    @cached_property
    def place(self) -> Ints:
        """The place of each among the hits of its query, from 1."""
        return unit_ranks(self.offsets)

    @property
    def precision(self) -> Floats:
        """The precision at each, where these are the relevant documents."""
        return self.place / self.rank

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

    def sum(self, values: NDArray[np.generic]) -> Floats:
        """Return the sum of the values within each query."""
        return sum_at(self.query, values, len(self.offsets) - 1)

    def running(self, flags: Bools) -> Ints:
        """Return how many of the flagged ones have been met, up to and with each."""
        met = np.concatenate(([0], np.cumsum(flags, dtype=np.int64)))
        return met[1:] - met[self.offsets[:-1]][self.query]

    def total(self, values: NDArray[np.generic]) -> Floats:
        """Return the running sum of the values, up to and with each."""
        return segment_scan(np.add, values, self.offsets)

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

    def take(self, index: Ints) -> tuple[Hits, Ints]:
        """Return the hits of some queries, in that order, and which they are."""
        counts = np.diff(self.offsets)[index]
        rows = unit_rows(self.offsets[index], counts)
        return Hits(unit_offsets(counts), self.rank[rows], self.grade[rows]), rows


PER_HIT = ("tie_first", "tie_last", "row")
"""The fields of rankings with an entry for each hit."""


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
    """Whether a negative grade is a judgment for ``assessed``, or means pooled but unjudged."""
    _relevant: dict[float, Hits] = field(default_factory=dict, init=False, repr=False)
    """The relevant documents by the least grade that counts: most measures ask for them."""

    @property
    def units(self) -> tuple[str, ...]:
        """The queries, in bytewise order."""
        return self.queries

    def assessed(self, cutoff: int | None = None) -> Hits:
        """Return the judged documents within the cutoff, with negative grades if these count."""
        if not self.negatives_judged:
            return self.judged(cutoff)
        return self.hits if cutoff is None else self.hits.where(self.hits.rank <= cutoff)

    def judged(self, cutoff: int | None = None) -> Hits:
        """Return the judged documents within the cutoff; negative grades are unjudged."""
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
        if cutoff is None:
            return self.retrieved.astype(np.float64)
        return np.full(len(self.queries), float(cutoff))

    def select(self, choice: str) -> Self:
        """``judged_only``: the condensed lists, from which unjudged documents are taken out."""
        if choice != "judged_only":
            return super().select(choice)
        kept = self.only(self.hits.grade >= 0)
        count = kept.hits.count
        return replace(
            kept.untied(replace(kept.hits, rank=kept.hits.place)),
            retrieved=count.astype(np.int64),
            missing=self.missing | (self.zero_if_empty & (count == 0)),
        )

    def ideal(self) -> Self:
        """Return every judged document retrieved, best grade first, and nothing else."""
        best = self.best()
        return replace(
            self.untied(best),
            retrieved=best.count.astype(np.int64),
            missing=np.zeros_like(self.missing),
            row=np.zeros(len(best.rank), np.int64),
        )

    def untied(self, hits: Hits) -> Self:
        """Return the rankings with other hits, none of which is tied."""
        return replace(self, hits=hits, tie_first=hits.rank, tie_last=hits.rank)

    def take(self, chosen: Sequence[int] | Ints) -> Self:
        """Return some of the queries, in that order, perhaps repeatedly."""
        index = np.asarray(chosen, dtype=np.int64)
        hits, rows = self.hits.take(index)
        return replace(
            self.with_hits(hits, rows),
            queries=tuple(self.queries[i] for i in index.tolist()),
            retrieved=self.retrieved[index],
            missing=self.missing[index],
            pool=self.pool.take(index)[0],
        )

    def only(self, keep: Bools) -> Self:
        """Return only those hits; the others count as unjudged."""
        return self.with_hits(self.hits.where(keep), keep)

    def with_hits(self, hits: Hits, rows: Ints | Bools) -> Self:
        """Return the rankings with other hits, which are at these rows of the present ones."""
        changes: dict[str, Any] = {name: getattr(self, name)[rows] for name in PER_HIT}
        return replace(self, hits=hits, **changes)

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
        joined = self.join((other,))
        return joined.take(bytewise_order(joined.queries))

    def join(self, others: Sequence[Self]) -> Self:
        """Return the queries of all, those of one after those of another."""
        views = (self, *others)

        def column(name: str) -> Any:
            """Return a field of all in one array."""
            return np.concatenate([attrgetter(name)(view) for view in views])

        def documents(name: str) -> Hits:
            """Return the hits or the pools of all."""
            counts = np.concatenate([np.diff(getattr(view, name).offsets) for view in views])
            return Hits(unit_offsets(counts), column(f"{name}.rank"), column(f"{name}.grade"))

        queries = tuple(chain.from_iterable(view.queries for view in views))
        columns: dict[str, Any] = {
            name: column(name) for name in ("retrieved", "missing", *PER_HIT)
        }
        joined = replace(self, queries=queries, **columns)
        return replace(joined, hits=documents("hits"), pool=documents("pool"))
