"""Bounds: the least and the greatest value that the missing judgments allow.

Every retrieved document without a judgment may have any grade from 0 to the best; documents that
were not retrieved keep what is known of them. Some measures declare their extremes; others lie
between mixed views, if their facts say so; the rest have their own limits. A bound that some
assignment reaches is exact; others are outer bounds.

A query that is undefined as judged, but has holes, is open: its bounds are those of the assignments
that define it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.facts import Facts
from assay.core.names import Measure
from assay.engine.document_weights import Factors
from assay.engine.extremes import Bounds, Extremes, certain_bounds
from assay.engine.local import Measurement, measure_view
from assay.engine.measure_facts import Levels, facts_of, levels_of, loses_by_a_grade, setting
from assay.engine.mixed_views import MixedViews
from assay.evidence.unjudged.unjudged_documents import Holes
from assay.evidence.views.rankings import Hits, Rankings

SINGLY = 64
"""With more holes their numbers are not tried one by one."""
LENGTH = 1024
"""Weights are made for lists of at least this length: shorter neighbors share their bits."""
Numbers = Literal["in blocks", "one by one"]
"""How numbers of relevant holes are tried in mixed views."""


def value_bounds(rankings: Rankings, measure: Measure, grades: Floats | None = None) -> Bounds:
    """Return the bounds of each query's value.

    ``grades`` are further grades that a document may have, besides those of the pool.
    For a measure of which nothing better is known, they are the limits of the measure wherever a
    retrieved document is unjudged.
    """
    return BoundsFinder(rankings, grades).bounds(measure)


def has_bounds(measure: Measure) -> bool:
    """Return whether better grades never lower the measure, or its extremes are declared."""
    one, two = np.ones(1, dtype=np.int64), np.asarray([0, 2])
    grade = max(float(setting(measure, "rel") or 1), 1.0)
    known = Hits(two, np.asarray([1, 2]), np.full(2, grade))
    view = Rankings(("q",), 3 * one, known, known, one < 1, corpus=9)
    bounding = BoundsFinder(view)
    facts = bounding.facts(measure)
    comparable = measure.definition.better == "higher" and facts.unjudged_as_zero
    return comparable and (
        bounding.declared_bounds(measure, measure(view)) is not None
        or _numbers(measure, facts) is not None
    )


def _numbers(measure: Measure, facts: Facts) -> Numbers | None:
    """Return how mixed views bound the measure; None if they do not."""
    definition = measure.definition
    if definition.better != "higher" or definition.aggregate == "whole":
        return None
    if not facts.unjudged_as_zero or not facts.rises_with_grades:
        return None
    return "in blocks" if facts.falls_with_pool else "one by one"


class BoundsFinder:
    """The bounds of several measures over the same rankings, which share the filled lists.

    Several runs over the same judgments may share their ``factors``. ``opened``: the queries are
    undefined as judged, and their bounds are over the assignments that define them.
    """

    def __init__(
        self,
        rankings: Rankings,
        grades: Floats | None = None,
        factors: Factors | None = None,
        *,
        opened: bool = False,
        length: int | None = None,
    ) -> None:
        self._rankings, self._undefined_now = rankings, opened
        self._length = length or max(int(rankings.retrieved.max(initial=1)), LENGTH)
        self._factors = factors or Factors()
        known = rankings.pool.grades
        self._grades = known if grades is None else np.union1d(known, grades)
        self._views: dict[tuple[int | None, Levels, Numbers], MixedViews] = {}
        self._undefined_parts: dict[bytes, BoundsFinder] = {}

    def bounds(
        self, measure: Measure, now: Measurement | None = None, no_relevant: str = "undefined"
    ) -> Bounds:
        """Return the bounds of each query's value; ``now`` if that is known already."""
        now = measure_view(self._rankings, measure, no_relevant) if now is None else now
        # What stands for undefined values comes last, so that they are seen as such before.
        instead, measure = measure.undefined, replace(measure, undefined=None)
        found = self._bounds_of_defined(measure, now.values)
        chosen = np.flatnonzero(now.undefined & (self.count > 0))
        if len(chosen):
            opened = self._undefined_part(chosen)._bounds_of_open(measure)
            found = found.replace_for(opened, chosen, now.values)
        if not self.facts(measure).judgments_undefine:
            return found
        if instead is None and no_relevant == "zero":
            # What is undefined stands for 0 or for nothing, by the reason that it has.
            return found.allow_undefined(self.count > 0, 0.0, certainly=False)
        leaving = self._undefined_when_full(measure, now.undefined)
        return found.allow_undefined(leaving, instead, certainly=True)

    def facts(self, measure: Measure) -> Facts:
        """Return the facts that hold for the measure with the grades of these rankings."""
        return facts_of(measure, self._judged_grades)

    @cached_property
    def _judged_grades(self) -> tuple[float, ...]:
        return tuple(self._grades.tolist())

    @cached_property
    def count(self) -> Ints:
        """How many holes each query has."""
        return Holes(self._rankings).count

    def declared_bounds(self, measure: Measure, now: Floats) -> Bounds | None:
        """Return the bounds from the extremes that the measure declares, if it does."""
        formulas = measure.definition.over_holes
        if not formulas or measure.selections:
            return None
        if not self.count.any() or levels_of(self._grades, measure) is None:
            return certain_bounds(now)
        # To a measure for which grade 0 is relevant, no assignment leaves a hole as it is.
        rel = setting(measure, "rel")
        zero_counts = rel is not None and rel <= 0
        if zero_counts and self._undefined_now:
            return None
        # A bound may divide by 0 where a query has nothing relevant: it is undefined there.
        with np.errstate(all="ignore"):
            positive = self._grades[self._grades > 0]
            found = formulas[0](self._rankings, positive, *measure.arguments)
        if found is None:
            return None
        as_zero = bool(self.facts(measure).unjudged_as_zero)
        extremes = Extremes(now, measure.definition.bounds, as_zero, self._undefined_now)
        doubtful, sure = np.flatnonzero(self.count > 0), np.flatnonzero(self.count == 0)
        extremes.reach(sure, now[sure])
        for values in found[:2]:
            reached = np.broadcast_to(found[2] & (not zero_counts), values.shape)[doubtful]
            extremes.meet(doubtful, values[doubtful], reached)
        return extremes.bounds()

    def _bounds_of_defined(self, measure: Measure, now: Floats) -> Bounds:
        declared = self.declared_bounds(measure, now)
        if declared is not None:
            return declared
        numbers = _numbers(measure, self.facts(measure))
        if numbers is None or loses_by_a_grade(self._grades, measure):
            return self._limits(measure, now)
        return self.mixed_bounds(measure, now, numbers)

    def _undefined_part(self, chosen: Ints) -> BoundsFinder:
        """Return the bounding of the queries that are undefined as judged."""
        key = chosen.tobytes()
        if key not in self._undefined_parts:
            self._undefined_parts[key] = self._part(chosen, opened=True)
        return self._undefined_parts[key]

    def _part(self, chosen: Ints, *, opened: bool) -> BoundsFinder:
        """Return that of some queries, as if the longest list of all were still among them."""
        view = self._rankings.take(chosen)
        return BoundsFinder(view, self._grades, opened=opened, length=self._length)

    def _bounds_of_open(self, measure: Measure) -> Bounds:
        """Return the bounds over the assignments that define these queries."""
        nothing = np.full(len(self._rankings.queries), np.nan)
        if levels_of(self._grades, measure) is None:
            return certain_bounds(nothing)
        return self._bounds_of_defined(measure, nothing)

    def _limits(self, measure: Measure, now: Floats) -> Bounds:
        """Return the limits of the measure, wherever there are holes."""
        open_ones = (self.count > 0) & (self._undefined_now | ~np.isnan(now))
        loses = loses_by_a_grade(self._grades, measure)
        limits = (-np.inf, np.inf) if loses else measure.definition.bounds
        low, high = (np.where(open_ones, limit, now) for limit in limits)
        return Bounds(low, high, ~open_ones, ~open_ones, ~open_ones)

    def mixed_bounds(self, measure: Measure, now: Floats, numbers: Numbers) -> Bounds:
        """Return the bounds from lists and pools that need not agree.

        Where too many numbers of holes would be tried one by one, they are the measure's limits.
        """
        few = np.flatnonzero(self.count <= SINGLY)
        if numbers == "one by one" and len(few) < len(self.count):
            part = self._part(few, opened=self._undefined_now).mixed_bounds(
                measure, now[few], numbers
            )
            return self._limits(measure, now).replace_for(part, few, now)
        levels = levels_of(self._grades, measure)
        if levels is None or not self.count.any():
            return certain_bounds(now)
        extremes = Extremes(now, measure.definition.bounds, True, self._undefined_now)
        views = self._mixed_views(measure, levels, numbers)
        if self.facts(measure).ignores_pool and not self._undefined_now:
            # Nothing can be lost by a judgment, so all holes at 0 and all at the best it is.
            views.widen_by_all(extremes, measure)
        else:
            views.widen(extremes, measure)
        return extremes.bounds()

    def _mixed_views(self, measure: Measure, levels: Levels, numbers: Numbers) -> MixedViews:
        """Return the mixed views for a measure, which others of its cutoff and levels share."""
        cutoff = setting(measure, "cutoff")
        key = cutoff, levels, numbers
        if key not in self._views:
            holes, singly = Holes(self._rankings, cutoff), numbers == "one by one"
            self._views[key] = MixedViews(holes, levels, self._factors, self._length, singly=singly)
        return self._views[key]

    def _undefined_when_full(self, measure: Measure, undefined: Bools) -> Bools:
        """Return which queries have a value, but none with all holes at the best grade."""
        levels = levels_of(self._grades, measure)
        able = ~undefined & (self.count > 0)
        if levels is None or measure.selections or not able.any():
            return able & (levels is not None)
        views = self._mixed_views(measure, levels, "in blocks")
        return able & np.isnan(views.full_values(measure))
