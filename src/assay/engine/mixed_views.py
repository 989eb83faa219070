"""Mixed views: lists and pools that need not agree, between which the values of a measure lie.

A measure that rises with the grades in the list and falls with what else is known lies between the
better list beside the smaller pool, and the worse list beside the larger pool. That is done for
each number of relevant holes, with the grades at the top for the upper and at the bottom for the
lower bound. Large numbers go in blocks, unless they are tried singly: some measures do not fall
with what else is known, since it says how deep they look.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from assay.core.arrays import Bools, Floats, take_units
from assay.core.names import Measure
from assay.engine.document_weights import Factors, FilledSum
from assay.engine.extremes import Extremes
from assay.engine.measure_facts import Levels
from assay.evidence.unjudged.unjudged_documents import Fill, Holes, hole_counts
from assay.evidence.views.rankings import Rankings


class MixedViews:
    """The lists and pools between which the values lie, for every block of numbers of holes."""

    def __init__(
        self, holes: Holes, levels: Levels, factors: Factors, length: int, *, singly: bool = False
    ) -> None:
        self._holes, self._levels, self._factors = holes, levels, factors
        self._length, self._singly = length, singly

    def _line(self, measure: Measure) -> FilledSum | None:
        return FilledSum.of(measure, self._holes, self._levels.both, self._factors, self._length)

    @cached_property
    def _fills(self) -> list[tuple[Fill, Bools]]:
        """The fills for the upper and the lower bounds, and which of them are consistent."""
        holes, levels = self._holes, self._levels
        listed = hole_counts(int(holes.count.max(initial=0)), singly=self._singly)
        blocks = np.asarray(listed, dtype=np.int64).reshape(-1, 2)
        block, query = np.nonzero(blocks[:, :1] <= holes.count[None, :])
        few, most = blocks[block, 0], np.minimum(blocks[block, 1], holes.count[query])
        seen = np.diff(holes.rank.offsets)[query]
        hidden = holes.count[query] - seen
        # The lowest holes are filled first; those below the cutoff show in the pool alone.
        lowest = seen - np.maximum(few - hidden, 0)
        # A list that can get no better, or is no worse yet, has its extreme in another block.
        upper = np.flatnonzero(few <= seen)
        lower = np.flatnonzero((most >= hidden) | (most == holes.count[query]))
        better = Fill(query, few * 0, most, few, levels.best, levels.least)
        worse = Fill(query, lowest, seen, most, levels.least, levels.best)
        reached = (few == most) & (levels.least == levels.best)
        return [
            (take_units(better, upper), reached[upper]),
            (take_units(worse, lower), reached[lower]),
        ]

    @cached_property
    def _all(self) -> Fill:
        """Every hole at the best grade."""
        everyone, count = np.arange(len(self._holes.count)), self._holes.count
        return Fill(everyone, everyone * 0, count, count, self._levels.best, self._levels.best)

    @cached_property
    def _mixed(self) -> list[Rankings]:
        return [self._holes.fill_grades(fill) for fill, _ in self._fills]

    @cached_property
    def _full(self) -> Rankings:
        return self._holes.fill_grades(self._all)

    @cached_property
    def _full_lists(self) -> Rankings:
        return self._holes.full(self._levels.best)

    def widen(self, extremes: Extremes, measure: Measure) -> None:
        """Widen the extremes by the values of these lists."""
        line = self._line(measure)
        for place, (fill, reached) in enumerate(self._fills):
            values = line.values(fill) if line else _value_or_nan(measure, self._mixed[place])
            extremes.meet(fill.query, values, reached)
        values = line.values(self._all) if line else _value_or_nan(measure, self._full)
        extremes.reach(self._all.query, values)

    def full_values(self, measure: Measure) -> Floats:
        """Return the values where every hole has the best grade."""
        return _value_or_nan(measure, self._full)

    def widen_by_all(self, extremes: Extremes, measure: Measure) -> None:
        """Widen by the values with every hole at the best grade, if the pool does not matter."""
        line = self._line(measure)
        values = (
            line.all_at(self._levels.best) if line else _value_or_nan(measure, self._full_lists)
        )
        extremes.meet(self._all.query, values, self._all.query >= 0)


def _value_or_nan(measure: Measure, view: Rankings) -> Floats:
    """Return the values of a view whose list and pool need not agree; it may divide by 0."""
    with np.errstate(all="ignore"):
        return measure(view)
