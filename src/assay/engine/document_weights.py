"""Document weights: what each document adds to a measure at its rank.

P, R, DCG, nDCG, RBP and others declare ``sum_over_documents`` and ``fixed_weights``: the value is a
factor, which the pool and the length of the list give, times a sum over documents of a weight that
depends on grade and rank. Then ties and bounds need sums of weights instead of other rankings.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.names import Measure
from assay.engine.facts import facts_of
from assay.evidence.views.rankings import Hits, Rankings


@dataclass(frozen=True)
class Weights:
    """What a document of each grade adds at each rank, for a query whose factor is 1."""

    measure: Measure
    grades: Floats
    """Rising."""
    table: Floats
    """A row for each grade; the first column stands for rank 0."""
    total: Floats
    """The running sums of the rows."""

    def row(self, grade: Floats) -> Ints:
        """Return the row of each grade."""
        return np.searchsorted(self.grades, grade)

    def rows(self, hits: Hits) -> Ints:
        """The row of the grade of each hit."""
        return self.row(hits.grades)[hits.level]

    @cached_property
    def depth(self) -> int:
        """The last rank at which a document has a weight."""
        return int(np.flatnonzero(self.table.any(axis=0)).max(initial=0))

    def sums(self, hits: Hits) -> Floats:
        """Return the sum of the weights of each query's documents."""
        seen = hits.where((hits.rank <= self.depth) & (hits.grade >= 0))
        return seen.sum(self.table[self.rows(seen), seen.rank])

    def mean_sums(self, hits: Hits, first: Ints, last: Ints) -> Floats:
        """Return the mean sum where each document is anywhere from its first to its last rank."""
        keep = (first <= self.depth) & (hits.grade >= 0)
        seen, first, last = hits.where(keep), first[keep], last[keep]
        row = self.rows(seen)
        return seen.sum((self.total[row, last] - self.total[row, first - 1]) / (last - first + 1))

    def factor(self, rankings: Rankings) -> Floats:
        """Return the factor of each query: the value of one best document at rank 1."""
        size = len(rankings.queries)
        one = np.ones(size, dtype=np.int64)
        hits = Hits(np.arange(size + 1), one, np.full(size, self.grades[-1]))
        alone = replace(rankings, hits=hits, tie_first=one, tie_last=one, row=one)
        with np.errstate(all="ignore"):
            return self.measure(alone) / self.table[-1, 1]


def weights(measure: Measure, grades: Floats, length: int) -> Weights | None:
    """Return the weights of a measure up to that rank; None if it is not a sum of them."""
    every = np.unique(grades)
    known, facts = every[every >= 0], facts_of(measure, tuple(every.tolist()))
    if not len(known) or known[-1] <= 0 or not (facts.sum_over_documents and facts.fixed_weights):
        return None
    # Lengths by the power of two above, so that runs of different lengths share the weights.
    made = weight_table(measure, tuple(known.tolist()), 1 << max(length - 1, 1).bit_length())
    return made if np.isfinite(made.table).all() and made.table[-1, 1] > 0 else None


@cache
def weight_table(measure: Measure, grades: tuple[float, ...], length: int) -> Weights:
    """Return what one document of each grade brings at each rank, whatever the measure is."""
    levels = np.asarray(grades)
    size = len(levels) * length
    rank = np.tile(np.arange(1, length + 1), len(levels))
    one = np.arange(size + 1)
    view = Rankings(
        queries=("q",) * size,
        retrieved=np.full(size, length),
        hits=Hits(one, rank, np.repeat(levels, length)),
        pool=Hits(one, np.ones(size, dtype=np.int64), np.full(size, levels[-1])),
        missing=np.zeros(size, dtype=bool),
        tie_first=rank,
        tie_last=rank,
        row=rank,
    )
    with np.errstate(all="ignore"):
        table = np.pad(measure(view).reshape(len(levels), length), ((0, 0), (1, 0)))
    return Weights(measure, levels, table, np.cumsum(table, axis=1))
