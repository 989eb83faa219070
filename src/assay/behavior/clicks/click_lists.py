"""The result lists of a log as arrays, equal lists with equal clicks counted once.

The order of the lists depends on their content alone, so that models do not depend on the order of
the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints, sum_at

BLOCK = 5000
"""The most lists that are handled together: their arrays stay in the cache of a processor.

Blocks are handled one after the other. Operations on arrays of that size take microseconds, and
threads would wait for each other for longer than that.
"""
KEPT = 4_000_000
"""The numbers of an array, 32 MB, as large as glibc takes as an example of what to keep."""
Codes = NDArray[np.int32] | NDArray[np.intp]
PairPart: TypeAlias = tuple[int, Floats]
"""The number of the first pair of a block, and a sum for it and those that follow."""


def keep_freed_memory() -> None:
    """Let the C library keep the memory of freed arrays, for the arrays of the next block.

    By default glibc returns that of larger arrays to the system, and the pages of the next array
    are new ones: in a small log that takes twice as long as the computation. It keeps arrays of up
    to the size of the largest one that was freed. Elsewhere this has no effect.
    """
    np.empty(KEPT)


@dataclass(frozen=True)
class ClickLists:
    """Lists of results as one column each, longest first, and a row for each position.

    A pair is a query and a document. Below the end of a list the arrays have any pair, no clicks.
    """

    pairs: pl.DataFrame
    """query and doc of each pair, sorted."""
    pair: Codes
    """The pair at each position: positions × lists."""
    click: Bools
    count: Floats
    """How often each list occurs."""
    length: Ints
    rank: Codes | None = field(default=None, repr=False)
    """The rank of each position, where lists have gaps; otherwise the position plus 1."""
    session: Ints | None = field(default=None, repr=False)
    """The number of the session of each list, where lists of different sessions are kept apart."""

    @property
    def depth(self) -> int:
        """The number of positions of the longest list."""
        return len(self.pair)

    @cached_property
    def highest_rank(self) -> int:
        """The highest rank of a document."""
        if self.rank is None:
            return self.depth
        return max(int(self.rank[r, :n].max()) for r, n in enumerate(self.active[:-1]) if n)

    @cached_property
    def active(self) -> list[int]:
        """The number of lists that have each position, and 0 at the end."""
        positions = np.arange(self.depth + 1)
        return [int(n) for n in (self.length[None, :] > positions[:, None]).sum(axis=1)]

    def ranks(self, position: int, lists: int) -> int | Codes:
        """Return the rank, from 0, of a position: one number, or one for each list with gaps."""
        return position if self.rank is None else self.rank[position, :lists] - 1

    @cached_property
    def blocks(self) -> list[tuple[slice, ClickLists]]:
        """Parts of the lists, small enough for the cache of a processor, and where they are.

        Their pairs are of the type of an index: others are converted each time they are used.
        """
        total = self.count.size
        size = max(1, -(-total // max(1, -(-total // BLOCK))))  # all of about the same size
        places = [slice(first, first + size) for first in range(0, total, size)]
        return [(place, self.part(place)._indexed()) for place in places]

    def _indexed(self) -> ClickLists:
        """Return the lists with pairs of the type of an index."""
        return replace(self, pair=np.ascontiguousarray(self.pair, dtype=np.intp))

    def part(self, chosen: slice | Bools) -> ClickLists:
        """Return some of the lists."""
        length = self.length[chosen]
        depth = int(length.max(initial=0))
        rank = None if self.rank is None else self.rank[:depth, chosen]
        return replace(
            self,
            pair=self.pair[:depth, chosen],
            click=self.click[:depth, chosen],
            count=self.count[chosen],
            length=length,
            rank=rank,
            session=None if self.session is None else self.session[chosen],
        )

    @cached_property
    def shown(self) -> Bools:
        """Whether a list has each position."""
        return np.arange(self.depth)[:, None] < self.length[None, :]

    def sum_blocks(self, function: Callable[[ClickLists], PairPart]) -> Floats:
        """Return the sums of all pairs, from a function of each block."""
        return self.join_parts(function(part) for _, part in self.blocks)

    def join_parts(self, parts: Iterable[PairPart]) -> Floats:
        """Return the sums of all pairs from those of blocks."""
        total = np.zeros(self.pairs.height)
        for first, sums in parts:
            total[first : first + len(sums)] += sums
        return total

    def pair_part(self, values: Floats) -> PairPart:
        """Return the sums over impressions of the pairs of a block, with the counts of the lists.

        Lists are ordered by their pairs, so that those of a block are close to each other: the sums
        stay in the cache, however many pairs the log has.
        """
        first = self._first
        weights = values if self._single else values * self.count
        if self.is_full:
            return first, sum_at((self.pair - first).ravel(), weights.ravel(), 0)
        return first, sum_at(self.pair[self.shown] - first, weights[self.shown], 0)

    def clicked_part(self, values: Floats) -> PairPart:
        """Return the sums over clicked impressions of the pairs of a block."""
        place, pair, count = self._clicked
        return self._first, sum_at(pair, values.ravel()[place] * count, 0)

    @cached_property
    def is_full(self) -> bool:
        """Whether all lists have the same length."""
        return bool((self.length == self.depth).all())

    @cached_property
    def _single(self) -> bool:
        return bool((self.count == 1).all())

    @cached_property
    def weight(self) -> Floats:
        """How often each list occurs, and 0 below its end: positions × lists, or for all."""
        return self.count if self.is_full else self.count * self.shown

    @cached_property
    def _first(self) -> int:
        """The first of all pairs."""
        pair = self.pair if self.is_full else self.pair[self.shown]
        return int(pair.min(initial=self.pairs.height))

    @cached_property
    def _clicked(self) -> tuple[Ints, Ints, Floats]:
        """The place, pair (counted from the first one) and count of each click."""
        place = np.flatnonzero(self.click & self.shown)
        pair = self.pair.ravel()[place].astype(np.int64) - self._first
        return place, pair, self.count[place % self.count.size]

    @cached_property
    def impressions(self) -> Floats:
        """How often each pair was shown."""
        return self.sum_blocks(lambda part: part.pair_part(np.ones(part.pair.shape)))

    @cached_property
    def clicks(self) -> Floats:
        """How often each pair was clicked."""
        return self.sum_blocks(lambda part: part.clicked_part(np.ones(part.pair.shape)))

    @cached_property
    def clicks_above_last(self) -> Floats:
        """How often each pair was clicked with a further result below it."""
        return self.sum_blocks(lambda part: part.clicked_part(part._followed.astype(np.float64)))

    @property
    def _followed(self) -> Bools:
        """Whether a list has a further result below each position."""
        return np.arange(1, self.depth + 1)[:, None] < self.length[None, :]

    @cached_property
    def pair_query(self) -> Ints:
        """The number of the query of each pair."""
        return self.pairs["query"].rle_id().to_numpy().astype(np.int64)
