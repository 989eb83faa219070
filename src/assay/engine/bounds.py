"""Bounds: the least and the greatest value that the missing judgments allow.

Every retrieved document without a judgment may have any grade from 0 to the best; documents that
were not retrieved keep what is known of them. Some measures tell their extremes themselves; others
lie between mixed views, if small cases agree that they do; the rest have their own limits. A bound
that some assignment reaches is exact; others are outer bounds.

A query that is undefined as judged, but has holes, is open: its bounds are those of the assignments
that define it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.names import Measure
from assay.engine.extremes import Bounds, certain_bounds
from assay.engine.local import Measurement, measure_view
from assay.engine.scales import levels_of, loses_by_a_grade, scale_of
from assay.engine.ways import Ways, holds_for_open, leaves, mixed_way
from assay.evidence.views.rankings import Rankings


def value_bounds(rankings: Rankings, measure: Measure, grades: Floats | None = None) -> Bounds:
    """The bounds of each query's value.

    ``grades`` are further grades that a document may have, besides those of the pool.
    For a measure of which nothing better is known, they are the limits of the measure wherever a
    retrieved document is unjudged.
    """
    return BoundsFinder(rankings, grades).bounds(measure)


class BoundsFinder(Ways):
    """The bounds of several measures over the same rankings, which share the filled lists.

    Several runs over the same judgments may share their ``factors``.
    """

    @cached_property
    def _opening(self) -> dict[bytes, BoundsFinder]:
        return {}

    def bounds(
        self, measure: Measure, now: Measurement | None = None, no_relevant: str = "undefined"
    ) -> Bounds:
        """The bounds of each query's value; ``now`` if that is known already."""
        now = measure_view(self._rankings, measure, no_relevant) if now is None else now
        # What stands for undefined values comes last, so that they are seen as such before.
        instead, measure = measure.undefined, replace(measure, undefined=None)
        found = self._found(measure, now.values)
        chosen = np.flatnonzero(now.undefined & (self.count > 0))
        if len(chosen):
            found = found.replace_for(self._open(chosen)._open_bounds(measure), chosen, now.values)
        if not leaves(measure, scale_of(self._grades, measure)):
            return found
        if instead is None and no_relevant == "zero":
            # What is undefined stands for 0 or for nothing, by the reason that it has.
            return found.allow_undefined(self.count > 0, 0.0, certainly=False)
        leaving = self._undefined_when_full(measure, now.undefined)
        return found.allow_undefined(leaving, instead, certainly=True)

    def _found(self, measure: Measure, now: Floats) -> Bounds:
        told = self.told(measure, now)
        if told is not None:
            return told
        way = mixed_way(measure, scale_of(self._grades, measure))
        if way is None or loses_by_a_grade(self._grades, measure):
            return self.limits(measure, now)
        return way(self, measure, now)

    def _undefined_when_full(self, measure: Measure, undefined: Bools) -> Bools:
        """Which queries have a value, but none with all holes at the best grade."""
        levels = levels_of(self._grades, measure)
        able = ~undefined & (self.count > 0)
        if levels is None or measure.selections or not able.any():
            return able & (levels is not None)
        return able & np.isnan(self.filled(measure, levels).full_values(measure))

    def _open(self, chosen: Ints) -> BoundsFinder:
        """The queries that are undefined as judged, by themselves."""
        key = chosen.tobytes()
        if key not in self._opening:
            self._opening[key] = self.some(chosen, opened=True)
        return self._opening[key]

    def _open_bounds(self, measure: Measure) -> Bounds:
        """The bounds over the assignments that define these queries."""
        nothing = np.full(len(self._rankings.queries), np.nan)
        if levels_of(self._grades, measure) is None:
            return certain_bounds(nothing)
        scale = scale_of(self._grades, measure)
        for way in (Ways.told, mixed_way(measure, scale)):
            found = (
                way(self, measure, nothing) if way and holds_for_open(measure, scale, way) else None
            )
            if found is not None:
                return found
        return self.limits(measure, nothing)
