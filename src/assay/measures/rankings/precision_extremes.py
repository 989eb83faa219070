"""Runs of unjudged documents, and the extremes of a mean of precisions over their grades."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints, ratio
from assay.evidence.views.rankings import Rankings

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
    """How many unjudged documents are ranked above."""

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


@dataclass(frozen=True)
class Divisor:
    """By what a sum of precisions is divided: the documents that count, up to a limit."""

    known: Floats
    """How many count now."""
    count: Floats
    """How many holes would count if they were relevant; those that are not seen among them."""
    most: float = np.inf

    @classmethod
    def relevant(cls, rankings: Rankings, rel: float, most: float = np.inf) -> Divisor:
        """Return all relevant documents."""
        holes = rankings.retrieved - rankings.judged().count
        return cls(rankings.relevant_count(rel), holes, most)

    @classmethod
    def relevant_retrieved(cls, rankings: Rankings, rel: float, cutoff: int | None) -> Divisor:
        """Return the relevant documents that are seen."""
        seen = np.minimum(rankings.depth(), rankings.depth(cutoff))
        return cls(rankings.relevant(rel, cutoff).count, seen - rankings.judged(cutoff).count)

    def part(self, own: slice) -> Divisor:
        """Return the divisor of some of the queries."""
        return Divisor(self.known[own], self.count[own], self.most)

    def with_first(self, holes: Ints) -> Floats:
        """Return the divisor if that many unjudged documents are relevant, a row for each query."""
        return np.minimum(self.known[:, None] + holes, self.most)


def precision_extremes(
    rankings: Rankings,
    rel: float,
    divisor: Divisor,
    cutoff: int | None = None,
    precision: Callable[[Floats], tuple[Floats, Floats]] = lambda rank: (1 / rank, 1 / rank),
) -> tuple[Floats, Floats]:
    """Return the lowest and highest mean of precisions that rise with relevant documents above.

    ``precision`` is for each rank what a relevant document has there by itself, and what each
    relevant one above adds, by default 1/rank; both fall with the rank. If relevance moves from a
    hole to a higher one, all between gain, and what it adds higher up is no less: so of m relevant
    holes the topmost give the most and the lowest the least.

    Each further hole from the bottom adds more than the one before, and no more to the divisor:
    the mean has one valley. From the top that is so within a gap, where nothing that is not
    relevant comes between, if what a hole has there with all above it relevant rises with the rank,
    from the second rank on: there the mean is greatest at an end.
    """
    low, high = np.full((2, len(rankings.queries)), np.nan)
    ranks = np.arange(1.0, rankings.retrieved.max(initial=0) + 2)
    table = _Table(*(np.append(0.0, each) for each in precision(ranks)))
    for gaps in UnjudgedRuns.blocks(rankings, cutoff):
        own = gaps.queries
        sums = _Sums.of(gaps, rel, table)
        low[own] = sums.lowest(divisor.part(own))
        high[own] = sums.highest(divisor.part(own))
    return low, high


class _Table:
    """By rank: what a relevant document has by itself, what each above it adds, and sums."""

    def __init__(self, alone: Floats, more: Floats) -> None:
        self.alone, self.more = alone, more
        self.best = alone + np.maximum(np.arange(len(alone)) - 1, 0) * more
        """With all above it relevant."""
        self.more_to, self.best_to = np.cumsum(more), np.cumsum(self.best)


@dataclass(frozen=True)
class _Sums:
    """The gain from relevant documents ranked above the end of each gap."""

    gaps: UnjudgedRuns
    table: _Table
    others: Floats
    """How many of the judged ones above are not relevant."""
    now: Floats
    """Of those that are known, with no hole relevant."""
    full: Floats
    """Of those and all holes, with every hole relevant."""
    more_found: Floats
    """What one more above all of them would add to those that are known."""
    more_either: Floats
    """And to these and all holes."""

    @classmethod
    def of(cls, gaps: UnjudgedRuns, rel: float, table: _Table) -> _Sums:
        """Return the sums over the gaps of each query."""
        rank, before = gaps.rank, gaps.before
        relevant, other = (
            each.astype(np.float64) for each in (gaps.grade >= rel, gaps.grade < rel)
        )
        found, more = before(relevant), table.more[rank]
        others = rank - 1 - gaps.above - found
        more_either = table.more_to[rank - 1] - before(other * more)
        # Each that is not relevant takes away itself, and what it would add to all below.
        lost = before(other * (table.best[rank] - more_either)) + others * more_either
        return cls(
            gaps,
            table,
            others,
            before(relevant * (table.alone[rank] + found * more)),
            table.best_to[rank - 1] - lost,
            before(relevant * more),
            more_either,
        )

    def highest(self, divisor: Divisor) -> Floats:
        """Return the highest mean if the unjudged documents above a gap's end are relevant."""
        rest, above = self.more_found[:, -1:] - self.more_found, self.gaps.above
        top = self.full + self.now[:, -1:] - self.now + above * rest
        high = np.fmax.reduce(ratio(top, divisor.with_first(above)), axis=1)
        first = self.table.alone[1] + self.now[:, -1] + self.more_found[:, -1]
        one = ratio(first, np.minimum(divisor.known + 1, divisor.most))
        high = np.fmax(high, np.where(self.gaps.rank[:, 0] > 1, one, np.nan))
        return np.fmax(high, self._current_sums(divisor))

    def _current_sums(self, divisor: Divisor) -> Floats:
        return ratio(self.now[:, -1], np.minimum(divisor.known, divisor.most))

    def lowest(self, divisor: Divisor) -> Floats:
        """Return the least mean with all holes relevant from a rank on.

        Holes that it does not see are relevant first: they only add to the divisor.
        """
        table, full, more = self.table, self.full, self.more_either
        all_full, all_more, total = full[:, -1], more[:, -1], divisor.known + divisor.count

        def mean(place: Place, rank: Ints, above: Ints) -> Floats:
            """Return the value if so many documents above are relevant."""
            spread, last = self.gaps.spread, self.gaps.rank[place] - 1
            more_below = spread(all_more, place) - more[place]
            bottom = self.now[place] + spread(all_full, place) - full[place]
            if place is not ...:
                more_here = table.more_to[last] - table.more_to[rank - 1]
                best_here = table.best_to[last] - table.best_to[rank - 1]
                more_below, bottom = (
                    more_below + more_here,
                    bottom + best_here - self.others[place] * more_here,
                )
            divided = np.minimum(spread(total, place) - above, divisor.most)
            return ratio(bottom - above * more_below, divided)

        return np.fmin(self.gaps.lowest(mean), self._current_sums(divisor))
