"""The groups of tied documents that hold certain documents, for measures with closed forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, sum_at
from assay.evidence.views.rankings import Rankings


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
    """How many of them stand in the groups above."""
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
