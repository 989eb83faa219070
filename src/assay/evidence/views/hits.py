"""Hits: some documents of each query's ranking, with their ranks and grades."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
    unit_ranks,
)


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
