"""The extremes of a discounted gain as a share of the ideal one, over grades of the unjudged.

Both sums can be taken level by level: a document of the third gain counts at the first, the second
and the third level, each time with the step from one gain to the next. At a level the ideal list
has the documents that reach it at the top, so its sum depends on their number alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add, mul

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.evidence.views.rankings import Rankings
from assay.measures.graded.gain import rank_discount
from assay.measures.rankings.precision_extremes import Place, UnjudgedRuns


@dataclass(frozen=True)
class GainLevels:
    """The grades that a document may have, and what each gains over the one before."""

    grades: Floats
    steps: Floats
    base: float
    cutoff: int | None
    ideal_cutoff: int | None


def gain_extremes(rankings: Rankings, levels: GainLevels) -> tuple[Floats, Floats]:
    """Return the lowest and the highest share.

    The share is linear in the gains over convex in them, so it is least where every hole has
    nothing or the best grade, and of as many best ones the lowest holes bring the least. Each
    further one brings more than the one before, and adds less to the ideal: there is one valley.
    """
    known = np.stack([rankings.relevant_count(grade) for grade in levels.grades]).astype(np.int64)
    count = rankings.retrieved - rankings.judged().count.astype(np.int64)
    length = int(rankings.retrieved.max(initial=0)) + int(known.max(initial=0)) + 1
    discount = np.append(0.0, rank_discount(np.arange(1, length + 1), "standard", levels.base))
    total = np.cumsum(discount)
    ideal = total if levels.ideal_cutoff is None else _truncate_sums(total, levels.ideal_cutoff)
    gained = _current_gains(rankings, levels, discount)
    low, high = np.full((2, len(count)), np.nan)
    for gaps in UnjudgedRuns.blocks(rankings, levels.cutoff):
        own = gaps.queries
        above = total[gaps.rank - 1] - gaps.before(discount[gaps.rank] * ~np.isnan(gaps.grade))
        shares = _Shares(gaps, levels.steps, total, ideal, known[:, own], gained[own], above)
        low[own], high[own] = shares.lowest(count[own]), shares.highest()
    return low, high


def _current_gains(rankings: Rankings, levels: GainLevels, discount: Floats) -> Floats:
    """Return what each list gains now."""
    found = rankings.relevant(float(levels.grades[0]), levels.cutoff)
    worth = np.cumsum(levels.steps)[np.searchsorted(levels.grades, found.grade, "right") - 1]
    return found.sum(worth * discount[found.rank])


def _truncate_sums(total: Floats, cutoff: int) -> Floats:
    """Return running sums to which nothing is added after the cutoff."""
    return total[np.minimum(np.arange(len(total)), cutoff)]


@dataclass(frozen=True)
class _Shares:
    gaps: UnjudgedRuns
    steps: Floats
    total: Floats
    """The discounts down to each rank, added up."""
    ideal: Floats
    """The same as far as the ideal list goes."""
    known: Ints
    """Level × query: the known documents that reach it."""
    gained: Floats
    """What is gained now."""
    above: Floats
    """The discounts of the holes above the end of each gap, added up."""

    def lowest(self, count: Ints) -> Floats:
        """Return the least share with all holes at the best grade from a rank on.

        Holes that are not seen have it first: they only add to the ideal.
        """
        best, known = self.steps.sum(), self.known + count
        last = self.above[:, -1]

        def share(place: Place, rank: Ints, above: Ints) -> Floats:
            """Return the value if so many documents above are relevant."""
            spread = self.gaps.spread
            below = spread(last, place) - self.above[place]
            if place is not ...:
                below += self.total[self.gaps.rank[place] - 1] - self.total[rank - 1]
            ideal = self._sum([self.ideal[spread(level, place) - above] for level in known])
            return ratio(spread(self.gained, place) + best * below, ideal)

        return np.fmin(self.gaps.lowest(share), self._current_share())

    def _current_share(self) -> Floats:
        return ratio(self.gained, self._sum(self.ideal[self.known]))

    def _sum(self, levels: Iterable[Floats]) -> Floats:
        """Return the sum over the levels, in order: a product of matrices has other bits."""
        return reduce(add, map(mul, self.steps, levels))

    def highest(self) -> Floats:
        """Return the highest share: each level has as many of the topmost unjudged ranks as pay.

        More holes pay at a lower level, where the ideal list has more before them. Within a gap
        they pay from some rank on or not at all, so it is its end or its beginning. From the best
        share with all holes at the best grade, each step goes to the best for the last one.
        """
        ideals = [self.ideal[level[:, None] + self.gaps.above] for level in self.known]
        same = self.gained[:, None] + self.steps.sum() * self.above
        share = np.fmax.reduce(ratio(same, self._sum(ideals)), axis=1)
        share = np.fmax(share, self._current_share())
        while True:
            paying = [
                self._gains_at_level(share, *each) for each in zip(ideals, self.known, strict=True)
            ]
            brought, ideal = (self._sum(each) for each in zip(*paying, strict=True))
            better = ratio(self.gained + brought, ideal)
            if not np.any(better > share + 1e-15):
                return share
            share = np.fmax(share, better)

    def _gains_at_level(self, share: Floats, ideal: Floats, known: Ints) -> tuple[Floats, Floats]:
        """Return what the unjudged ranks that pay at a level add, and the ideal sum then."""
        value = self.above - share[:, None] * ideal
        best = np.arange(len(value)), value.argmax(axis=1)
        nothing = self.ideal[known]
        pays = value[best] > -share * nothing
        return np.where(pays, self.above[best], 0.0), np.where(pays, ideal[best], nothing)
