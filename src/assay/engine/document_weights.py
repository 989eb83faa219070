"""The weight of each document in a sum, with known and with filled-in grades."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np

from assay.core.arrays import Floats, Ints, segment_scan
from assay.core.names import Measure
from assay.engine.measure_facts import facts_of
from assay.evidence.unjudged.unjudged_documents import Fill, Holes
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
        """Return the row of the grade of each hit."""
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


@dataclass
class Factors:
    """The factors of queries with so many documents more in their pools, kept from run to run."""

    _seen: tuple[object, ...] = ()
    _kept: dict[tuple[Measure, float, int], Floats] = field(default_factory=dict)
    _counts: bytes = b""
    _filled: dict[float, Rankings] = field(default_factory=dict)
    _all: dict[tuple[Measure, float], Floats] = field(default_factory=dict)

    def of(self, made: Weights, holes: Holes, fill: Fill) -> Floats:
        """Return the factor of each unit of the fill."""
        self._clear_if_changed(holes)
        everything = fill.known == holes.count[fill.query]
        result = np.empty(len(fill.query))
        if everything.any():
            result[everything] = self._factors_when_known(made, holes, fill)[fill.query[everything]]
        known = np.where(everything, -1, fill.known)
        for number in np.flatnonzero(np.bincount(known + 1)[1:]).tolist():
            own = known == number
            key = made.measure, fill.known_grade, number
            if key not in self._kept:
                every = np.full(len(holes.count), number)
                self._kept[key] = made.factor(holes.empty_lists_with(_with(fill, every)))
            result[own] = self._kept[key][fill.query[own]]
        return result

    def _factors_when_known(self, made: Weights, holes: Holes, fill: Fill) -> Floats:
        """Return the factors where all holes are known, which differ between runs."""
        key = made.measure, fill.known_grade
        if fill.known_grade not in self._filled:
            self._filled[fill.known_grade] = holes.empty_lists_with(_with(fill, holes.count))
        if key not in self._all:
            self._all[key] = made.factor(self._filled[fill.known_grade])
        return self._all[key]

    def _clear_if_changed(self, holes: Holes) -> None:
        """Clear the factors if the pools or the lengths of lists differ."""
        own = holes.rankings
        now = (own.queries, own.retrieved.tobytes(), own.pool.grade.tobytes())
        if now != self._seen:
            self._seen, self._kept, self._counts = now, {}, b""
        if (counts := holes.count.tobytes()) != self._counts:
            self._counts, self._filled, self._all = counts, {}, {}


def _with(fill: Fill, known: Ints) -> Fill:
    """Return every query once, with that many more documents in the pool."""
    everyone = np.arange(len(known))
    return replace(fill, query=everyone, first=everyone, last=everyone, known=known)


@dataclass
class FilledSum:
    """The values of one weighted sum for any grades in the holes."""

    holes: Holes
    weights: Weights
    factors: Factors
    _running: dict[float, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls, measure: Measure, holes: Holes, grades: Floats, factors: Factors, length: int
    ) -> FilledSum | None:
        """Return None for a measure that is not a weighted sum; ``length``: of the longest list."""
        known = np.append(holes.rankings.pool.grades, grades)
        made = weights(measure, known, length)
        return None if made is None else cls(holes, made, factors)

    def values(self, fill: Fill) -> Floats:
        """Return the value of each unit of the fill."""
        now = self.weights.sums(self.holes.bare.hits)[fill.query]
        gained = self._of_first(fill.query, fill.last, fill.grade)
        gained -= self._of_first(fill.query, fill.first, fill.grade)
        return self.factors.of(self.weights, self.holes, fill) * (now + gained)

    def all_at(self, grade: float) -> Floats:
        """Return the value of each query with all holes at that grade, and the pool as it is."""
        own, row = self.holes.rankings, int(self.weights.row(np.asarray(grade)))
        judged = own.judged(self.weights.depth)
        gained = self.weights.total[row, own.retrieved] - judged.sum(
            self.weights.table[row, judged.rank]
        )
        now = self.weights.sums(self.holes.bare.hits)
        return self.weights.factor(self.holes.bare) * (now + gained)

    def _of_first(self, query: Ints, count: Ints, grade: float) -> Floats:
        """Return the sum of the weights of the first holes of a query."""
        ranks = self.holes.rank
        if grade not in self._running:
            row = int(self.weights.row(np.asarray(grade)))
            sums = segment_scan(np.add, self.weights.table[row, ranks.rank], ranks.offsets)
            self._running[grade] = np.append(sums, 0.0)
        start = ranks.offsets[query]
        seen = np.minimum(count, ranks.offsets[query + 1] - start)
        return np.where(seen > 0, self._running[grade][start + seen - 1], 0.0)
