"""Linear measures with holes filled: sums of weights in place of the rankings themselves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from assay.core.arrays import Floats, Ints, segment_cumsum
from assay.core.names import Measure
from assay.engine.linear_weights import RankWeights, linear_weights
from assay.evidence.unjudged.unjudged_documents import Fill, Holes
from assay.evidence.views.rankings import Rankings


class QueryFactors:
    """The factors of queries with so many documents more in their pools, kept from run to run."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._kept: dict[tuple[Measure, float, int], Floats] = {}
        self._counts = b""
        self._filled: dict[float, Rankings] = {}
        self._all: dict[tuple[Measure, float], Floats] = {}

    def of(self, made: RankWeights, holes: Holes, fill: Fill) -> Floats:
        """The factor of each unit of the fill."""
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
                self._kept[key] = made.factor(holes.empty_lists_with(_add_documents(fill, every)))
            result[own] = self._kept[key][fill.query[own]]
        return result

    def _factors_when_known(self, made: RankWeights, holes: Holes, fill: Fill) -> Floats:
        """The factors where all holes are known, which every run has its own of."""
        key = made.measure, fill.known_grade
        if fill.known_grade not in self._filled:
            self._filled[fill.known_grade] = holes.empty_lists_with(
                _add_documents(fill, holes.count)
            )
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


def _add_documents(fill: Fill, known: Ints) -> Fill:
    """Every query once, with so many documents more."""
    everyone = np.arange(len(known))
    return replace(fill, query=everyone, first=everyone, last=everyone, known=known)


@dataclass
class FilledLinearMeasure:
    """The values of one linear measure for whatever is put into the holes."""

    holes: Holes
    weights: RankWeights
    factors: QueryFactors
    _running: dict[float, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls, measure: Measure, holes: Holes, grades: Floats, factors: QueryFactors, length: int
    ) -> FilledLinearMeasure | None:
        """None for a measure that is not linear; ``length``: that of the longest list."""
        known = np.append(holes.rankings.pool.grades, grades)
        made = linear_weights(measure, known, length)
        return None if made is None else cls(holes, made, factors)

    def values(self, fill: Fill) -> Floats:
        """The value of each unit of the fill."""
        now = self.weights.sums(self.holes.bare.hits)[fill.query]
        gained = self._first_weights(fill.query, fill.last, fill.grade)
        gained -= self._first_weights(fill.query, fill.first, fill.grade)
        return self.factors.of(self.weights, self.holes, fill) * (now + gained)

    def values_at_grade(self, grade: float) -> Floats:
        """The value of each query with all holes at that grade, and the pool as it is."""
        own, row = self.holes.rankings, int(self.weights.row(np.asarray(grade)))
        judged = own.judged(self.weights.depth)
        gained = self.weights.total[row, own.retrieved] - judged.sum(
            self.weights.table[row, judged.rank]
        )
        now = self.weights.sums(self.holes.bare.hits)
        return self.weights.factor(self.holes.bare) * (now + gained)

    def _first_weights(self, query: Ints, count: Ints, grade: float) -> Floats:
        """The weights of the first holes of a query, added up."""
        ranks = self.holes.rank
        if grade not in self._running:
            row = int(self.weights.row(np.asarray(grade)))
            sums = segment_cumsum(self.weights.table[row, ranks.rank], ranks.offsets)
            self._running[grade] = np.append(sums, 0.0)
        start = ranks.offsets[query]
        seen = np.minimum(count, ranks.offsets[query + 1] - start)
        return np.where(seen > 0, self._running[grade][start + seen - 1], 0.0)
