"""Gaps: the stretches of unjudged documents between judged ones.

What unjudged documents could do to a number can often be told from the ends of these stretches,
of which there are as many as judged documents, however long the lists are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import CELLS_AT_ONCE, Floats, Ints, offsets_of, unit_of
from assay.evidence.rankings import Rankings

CELLS_AT_HAND = 1 << 15
"""How many cells a processor keeps near at hand: with more, a few operations take longer."""
Number = TypeVar("Number", bound=np.generic)
Place: TypeAlias = EllipsisType | tuple[Ints, Ints]
"""All ends of gaps, or a row and a column for each of some."""


@dataclass(frozen=True)
class Gaps:
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
    def blocks(cls, rankings: Rankings, cutoff: int | None) -> Iterator[Gaps]:
        """All queries, some at a time; nothing is seen below a cutoff."""
        seen = rankings.retrieved if cutoff is None else np.minimum(rankings.retrieved, cutoff)
        hits = rankings.judged(cutoff)
        counts = np.diff(hits.offsets)
        widest, longest = int(counts.max(initial=0)) + 1, int(seen.max(initial=1))
        step = max(1, min(CELLS_AT_HAND // widest, CELLS_AT_ONCE // max(longest, 1)))
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
        """The sum of what stands before each column."""
        result = np.zeros(values.shape)
        np.cumsum(values[:, :-1], axis=1, out=result[:, 1:])
        return result

    def lowest(self, value: Callable[[Place, Ints, Ints], Floats]) -> Floats:
        """The least value of something with one valley from the first hole to the last.

        ``value`` is given the ends of gaps, ranks in these gaps or at their ends, and how many
        holes stand above each. The valley is near the least of the ends; where the value is
        undefined at the end of all holes, it is least with the lowest one.
        """
        ends = value(..., self.rank, self.above)
        low: Floats = np.fmin.reduce(ends, axis=1)
        least = np.take_along_axis(self.above, ends.argmin(axis=1)[:, None], axis=1)
        # Judged documents that follow each other end gaps with the same holes above.
        column = np.stack(((self.above < least).sum(axis=1), (self.above <= least).sum(axis=1)), 1)
        column = np.minimum(column, ends.shape[1] - 1).ravel()
        row = np.repeat(np.arange(len(low)), 2)
        end = self.rank[row, column]
        size = end - 1 - np.where(column > 0, self.rank[row, column - 1], 0)
        offsets = offsets_of(np.maximum(size, 0))
        gap = unit_of(offsets)
        down = np.arange(offsets[-1]) - offsets[gap] + 1
        place = row[gap], column[gap]
        np.fmin.at(low, place[0], value(place, end[gap] - down, self.above[place] - down))
        return low

    def spread(self, values: NDArray[Number], place: Place) -> NDArray[Number]:
        """A value of each query at the place."""
        return values[:, None] if place is ... else values[place[0]]
