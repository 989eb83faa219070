"""Values of weighted sums with holes filled, from sums of weights instead of rankings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from assay.core.arrays import Floats, Ints, segment_cumsum
from assay.core.names import Measure
from assay.engine.document_weights import Weights, weights
from assay.evidence.unjudged.unjudged_documents import Fill, Holes
from assay.evidence.views.rankings import Rankings


class Factors:
    """The factors of queries with so many documents more in their pools, kept from run to run."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._kept: dict[tuple[Measure, float, int], Floats] = {}
        self._counts = b""
        self._filled: dict[float, Rankings] = {}
        self._all: dict[tuple[Measure, float], Floats] = {}

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
        """Factors hold for the same pools and lengths of lists only."""
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
            sums = segment_cumsum(self.weights.table[row, ranks.rank], ranks.offsets)
            self._running[grade] = np.append(sums, 0.0)
        start = ranks.offsets[query]
        seen = np.minimum(count, ranks.offsets[query + 1] - start)
        return np.where(seen > 0, self._running[grade][start + seen - 1], 0.0)
