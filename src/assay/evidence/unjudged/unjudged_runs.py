"""Unjudged documents rank by rank: as a matrix, and as runs between judged documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints, row_blocks
from assay.evidence.views.rankings import Rankings


@dataclass(frozen=True)
class RankMatrix:
    """Some queries, a row each, and a column for each rank."""

    queries: slice
    relevant: Bools
    others: Bools
    """Judged, and not relevant."""
    holes: Bools
    grades: Floats
    """0 where nothing is known."""

    @classmethod
    def blocks(cls, rankings: Rankings, rel: float, cutoff: int | None) -> Iterator[RankMatrix]:
        """Return all queries, as many at a time as memory has room for."""
        longest = int(rankings.retrieved.max(initial=0))
        width = longest if cutoff is None else min(longest, cutoff)
        hits, start = rankings.hits, 0
        for size in row_blocks(len(rankings.queries), max(width, 1)):
            own = slice(start, start + size)
            rows = slice(int(hits.offsets[start]), int(hits.offsets[start + size]))
            rank, grade = hits.rank[rows], hits.grade[rows]
            seen = (rank <= width) & (grade >= 0)
            place = hits.query[rows][seen] - start, rank[seen] - 1
            holes = np.arange(width) < rankings.retrieved[own, None]
            holes[place] = False
            relevant = np.zeros((size, width), dtype=bool)
            relevant[place] = grade[seen] >= rel
            others = np.zeros((size, width), dtype=bool)
            others[place] = grade[seen] < rel
            grades = np.zeros((size, width))
            grades[place] = grade[seen]
            yield cls(own, relevant, others, holes, grades)
            start += size


MAX_CELLS = 1 << 15
"""How many cells fit into the cache of a processor: with more, some operations are slower."""
Number = TypeVar("Number", bound=np.generic)
Place: TypeAlias = EllipsisType | tuple[Ints, Ints]
"""All ends of gaps, or a row and a column for each of some."""
Value: TypeAlias = Callable[[Place, Ints, Ints], Floats]
"""From the ends of gaps, ranks in these gaps or at their ends, and the holes above each."""
STEPS = 8
"""So many steps are made through a gap at a time."""


@dataclass(frozen=True)
class UnjudgedRuns:
    """Some queries, a row each; a column for each judged document, at which a gap ends.

    The last column is the end of the list, and so are others where a query has fewer.
    """

    queries: slice
    rank: Ints
    """That of the judged document; at the end the rank after the last."""
    grade: Floats
    """NaN at the end."""
    above: Ints
    """How many unjudged documents stand above."""

    @classmethod
    def blocks(cls, rankings: Rankings, cutoff: int | None) -> Iterator[UnjudgedRuns]:
        """Return all queries, some at a time; nothing is seen below a cutoff."""
        seen = rankings.retrieved if cutoff is None else np.minimum(rankings.retrieved, cutoff)
        hits = rankings.judged(cutoff)
        counts = np.diff(hits.offsets)
        step = max(1, MAX_CELLS // (int(counts.max(initial=0)) + 1))
        for start in range(0, len(seen), step):
            own = slice(start, min(start + step, len(seen)))
            entries = slice(int(hits.offsets[own.start]), int(hits.offsets[own.stop]))
            column = np.arange(counts[own].max(initial=0) + 1)
            judged = column < counts[own, None]
            rank = np.repeat(seen[own, None] + 1, len(column), axis=1)
            rank[judged] = hits.rank[entries]
            grade = np.full(rank.shape, np.nan)
            grade[judged] = hits.grade[entries]
            yield cls(own, rank, grade, rank - 1 - np.minimum(column, counts[own, None]))

    def before(self, values: NDArray[np.generic]) -> Floats:
        """Return the sum of the values before each column."""
        result = np.zeros(values.shape)
        np.cumsum(values[:, :-1], axis=1, out=result[:, 1:])
        return result

    def lowest(self, value: Value) -> Floats:
        """Return the least value of something with one valley from the first hole to the last.

        The valley is near the least of the ends; where the value is undefined at the end of all
        holes, it is least with the lowest one.
        """
        ends = value(..., self.rank, self.above)
        low: Floats = np.fmin.reduce(ends, axis=1)
        least = np.take_along_axis(self.above, ends.argmin(axis=1)[:, None], axis=1)
        # Judged documents that follow each other end gaps with the same holes above.
        column = np.stack(((self.above < least).sum(axis=1), (self.above <= least).sum(axis=1)), 1)
        column = np.minimum(column, ends.shape[1] - 1).ravel()
        row = np.repeat(np.arange(len(low)), 2)
        first = np.where(column > 0, self.rank[row, column - 1], 0) + 1
        last = self.rank[row, column] - 1
        inside = np.flatnonzero(first <= last)
        self._descend(value, low, row[inside], column[inside], first[inside], last[inside])
        return low

    def _descend(
        self, value: Value, low: Floats, row: Ints, column: Ints, first: Ints, last: Ints
    ) -> None:
        """Widen by the least value within gaps: at some ranks, then around the least of these."""
        while len(row):
            step = (last - first) // STEPS + 1
            rank = np.minimum(first[:, None] + step[:, None] * np.arange(STEPS + 1), last[:, None])
            place = np.repeat(row, STEPS + 1), np.repeat(column, STEPS + 1)
            above = (self.above[row, column] - self.rank[row, column])[:, None] + rank
            values = value(place, rank.ravel(), above.ravel()).reshape(rank.shape)
            least = values.argmin(axis=1)
            each = np.arange(len(row))
            np.fmin.at(low, row, values[each, least])
            first, last = (
                rank[each, np.maximum(least - 1, 0)],
                rank[each, np.minimum(least + 1, STEPS)],
            )
            wide = np.flatnonzero(step > 1)
            row, column, first, last = row[wide], column[wide], first[wide], last[wide]

    def spread(self, values: NDArray[Number], place: Place) -> NDArray[Number]:
        """Return a value of each query at the place."""
        return values[:, None] if place is ... else values[place[0]]
