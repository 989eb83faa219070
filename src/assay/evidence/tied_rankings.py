"""Ties: documents of equal score, their groups, and the rankings that other orders would give.

The rule by which a run is ordered is in ``alignment/run_order.py`` (``TIE_RULES``).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, sum_at
from assay.evidence.views.rankings import Hits, Rankings


@dataclass(frozen=True)
class TieGroups:
    """A row for each group of documents of one score that holds some of the chosen ones."""

    queries: int
    query: Ints
    first: Ints
    """The first rank of the group."""
    last: Ints
    count: Ints
    """How many of the chosen documents are in it."""
    before: Ints
    """How many of them are in the groups above."""
    start: Ints
    """Where the chosen documents of the group begin among all of them."""

    @classmethod
    def of(cls, rankings: Rankings, keep: Bools) -> TieGroups:
        """Return the groups of these hits; a document without equals is a group by itself."""
        hits = rankings.hits.where(keep)
        first, last = rankings.tie_first[keep], rankings.tie_last[keep]
        new = np.ones(len(first), dtype=bool)
        new[1:] = (np.diff(first) != 0) | (np.diff(hits.query) != 0)
        start = np.flatnonzero(new)
        query = hits.query[start]
        return cls(
            len(rankings.queries),
            query,
            first[start],
            last[start],
            np.diff(np.append(start, len(first))),
            start - hits.offsets[:-1][query],
            start,
        )

    @property
    def size(self) -> Ints:
        """How many documents share the score, chosen or not."""
        return self.last - self.first + 1

    def within(self, cutoff: int | None) -> Ints:
        """The last rank of the group that can be seen; the one before the first if none can."""
        seen = self.last if cutoff is None else np.minimum(self.last, cutoff)
        return np.maximum(seen, self.first - 1)

    def sum(self, values: Floats) -> Floats:
        """Return the sum of the values of each query's groups."""
        return sum_at(self.query, values, self.queries)


@dataclass(frozen=True)
class TiedRankings:
    """Rankings with the groups of tied documents in which some document is judged."""

    rankings: Rankings

    @cached_property
    def size(self) -> Ints:
        """For each hit how many documents share its score."""
        return self.rankings.tie_last - self.rankings.tie_first + 1

    @cached_property
    def tied_queries(self) -> Bools:
        """The queries in which a judged document is tied with another."""
        query = self.rankings.hits.query
        return np.bincount(query[self.size > 1], minlength=len(self.rankings.queries)) > 0

    def best(self) -> Rankings:
        """Return the order with tied documents by falling grade, those of grade 0 last."""
        return self._order_ties(-1)

    def worst(self) -> Rankings:
        """Return the order with tied documents of grade 0 first, and the best grade last."""
        return self._order_ties(1)

    @cached_property
    def _groups(self) -> tuple[Ints, Ints]:
        """For each hit the number of its group among all, and for each group where it begins."""
        query, first = self.rankings.hits.query, self.rankings.tie_first
        begins = np.ones(len(first), dtype=bool)
        begins[1:] = (first[1:] != first[:-1]) | (query[1:] != query[:-1])
        return np.cumsum(begins) - 1, np.flatnonzero(begins)

    def _order_ties(self, direction: int) -> Rankings:
        group, begin = self._groups
        grade, order = self.rankings.hits.grade, np.arange(len(group))
        count = np.diff(np.append(begin, len(order)))[group]
        several = np.flatnonzero(count > 1)
        order[several] = several[np.lexsort((direction * grade[several], group[several]))]
        place = np.arange(len(order)) - begin[group]
        # The useful ones are at the front of the best order and at the back of the worst.
        useful = grade[order] > 0
        ahead = useful if direction < 0 else ~useful
        # Hits of one group are consecutive, so those in another order have the same ranks to share.
        from_start = self.rankings.tie_first + place
        rank = np.where(ahead, from_start, self.rankings.tie_last - (count - 1 - place))
        return self.rankings.untied(replace(self.rankings.hits, rank=rank, grade=grade[order]))

    def with_ranks(self, queries: Sequence[int], rows: Sequence[Ints]) -> Rankings:
        """Return these queries, possibly repeated, each with its hits at the ranks of its row."""
        taken = self.rankings.take(queries)
        rank = np.concatenate(rows) if len(rows) else np.empty(0, np.int64)
        order = np.lexsort((rank, taken.hits.query))
        return taken.untied(Hits(taken.hits.offsets, rank[order], taken.hits.grade[order]))

    def orders(self, query: int, most: int) -> list[Ints] | None:
        """Return the ranks of a query's hits in each distinct order; None if too many."""
        groups, count = [], 1
        for group in self._groups_of(query):
            groups.append(group)
            count *= _count_orders(group[1], group[2])
            if count > most:
                return None
        single = [
            [(hits, first + where) for where in _distinct_orders(grades, size)]
            for hits, grades, size, first in groups
        ]
        return [self._ranks(query, chosen) for chosen in product(*single)]

    def rotated_orders(self, query: int, most: int) -> tuple[list[Ints], Floats] | None:
        """Return orders and weights that give the mean of any sum over documents; None if too many.

        Groups of one size are turned round step by step, the others left as they are, so that each
        document stands once at each rank of its group.
        """
        span = self._span(query)
        start, first = self.rankings.hits.rank[span], self.rankings.tie_first[span]
        sizes = np.unique(self.size[span])
        if sizes.sum() > most:
            return None
        rows, weights = [start], [1.0 - len(sizes)]
        for size in sizes.tolist():
            own = self.size[span] == size
            for step in range(size):
                rows.append(np.where(own, first + (start - first + step) % size, start))
                weights.append(1 / size)
        return rows, np.asarray(weights)

    def random_orders(self, query: int, count: int, seed: int) -> list[Ints]:
        """Return random orders, the same for a query whichever other queries there are."""
        span = self._span(query)
        first, last = self.rankings.tie_first[span], self.rankings.tie_last[span]
        name = self.rankings.queries[query]
        source = np.random.default_rng([seed, zlib.crc32(name.encode())])
        ranks = np.arange(1, int(last.max(initial=0)) + 1)
        group = np.searchsorted(np.unique(first), ranks, side="right")
        within = self.rankings.hits.rank[span] - 1
        # Numbers below 1 after the group's own shuffle the ranks within each group.
        mixed = np.argsort(group + source.random((count, len(ranks))), axis=1)
        return list(mixed[:, within] + 1)

    def _span(self, query: int) -> slice:
        offsets = self.rankings.hits.offsets
        return slice(int(offsets[query]), int(offsets[query + 1]))

    def _groups_of(self, query: int) -> Iterator[tuple[Ints, tuple[float, ...], int, int]]:
        """Return the tied groups of a query: its hits, their grades, its size, its first rank."""
        span = self._span(query)
        first, size = self.rankings.tie_first[span], self.size[span]
        grade = self.rankings.hits.grade[span]
        for start in np.unique(first[size > 1]).tolist():
            hits = np.flatnonzero(first == start)
            yield hits, tuple(grade[hits].tolist()), int(size[hits[0]]), start

    def _ranks(self, query: int, moved: Sequence[tuple[Ints, Ints]]) -> Ints:
        ranks = self.rankings.hits.rank[self._span(query)].copy()
        for hits, where in moved:
            ranks[hits] = where
        return ranks


def _count_orders(grades: tuple[float, ...], size: int) -> int:
    """Return the number of distinct orders of a group."""
    total = math.perm(size, len(grades))
    for grade in set(grades):
        total //= math.factorial(grades.count(grade))
    return total


def _distinct_orders(grades: tuple[float, ...], size: int) -> list[Ints]:
    """Return the places, from 0, of documents with these grades in each distinct order."""
    found: dict[tuple[tuple[float, int], ...], Ints] = {}
    _place_documents(grades, (), size, found)
    return list(found.values())


def _place_documents(
    grades: tuple[float, ...],
    taken: tuple[int, ...],
    size: int,
    found: dict[tuple[tuple[float, int], ...], Ints],
) -> None:
    if len(taken) == len(grades):
        key = tuple(sorted(zip(grades, taken, strict=True)))
        found.setdefault(key, np.asarray(taken, dtype=np.int64))
        return
    mine = grades[len(taken)]
    # Equal grades are placed in rising order, so that no order is met twice.
    before = [place for place, grade in zip(taken, grades, strict=False) if grade == mine]
    for place in range(max(before, default=-1) + 1, size):
        if place not in taken:
            _place_documents(grades, (*taken, place), size, found)
