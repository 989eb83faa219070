"""Ways to bounds, and small cases that tell which of them hold for a measure.

A measure may tell its extremes itself. Others lie between mixed views: lists and pools that need
not agree. For the rest there are the limits of the measure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.names import Measure
from assay.engine.cases import MANY, MANY_OPEN, SEVERAL, Cases, cases
from assay.engine.extremes import Bounds, Extremes, certain_bounds
from assay.engine.filled_rankings import QueryFactors
from assay.engine.mixed_views import MixedViews
from assay.engine.probes import OPEN, PROBES, ignores_judging, ignores_pool
from assay.engine.scales import (
    Levels,
    Scale,
    levels_of,
    loses_by_a_grade,
    scale_of,
    setting,
    usual_scale,
)
from assay.evidence.unjudged.unjudged_documents import Holes
from assay.evidence.views.rankings import Rankings

SINGLY = 64
"""With more holes their numbers are not tried one by one."""
LENGTH = 1024
"""Weights are made for lists of at least this length: shorter neighbours share their bits."""


class Ways:
    """What the holes of some rankings allow, found in different ways.

    ``opened``: of queries that are undefined as judged, over the assignments that define them.
    """

    def __init__(
        self,
        rankings: Rankings,
        grades: Floats | None = None,
        factors: QueryFactors | None = None,
        *,
        opened: bool = False,
        length: int | None = None,
    ) -> None:
        self._rankings, self._open_file = rankings, opened
        self._length = length or max(int(rankings.retrieved.max(initial=1)), LENGTH)
        self._factors = factors or QueryFactors()
        known = rankings.pool.grades
        self._grades = known if grades is None else np.union1d(known, grades)
        self._kept: dict[tuple[int | None, Levels, bool], MixedViews] = {}

    def some(self, chosen: Ints, *, opened: bool) -> Self:
        """Some of the queries, as if the longest list of all were still among them."""
        view = self._rankings.take(chosen)
        return type(self)(view, self._grades, opened=opened, length=self._length)

    def limits(self, measure: Measure, now: Floats) -> Bounds:
        """The limits of the measure, wherever there are holes."""
        open_ones = (self.count > 0) & (self._open_file | ~np.isnan(now))
        loses = loses_by_a_grade(self._grades, measure)
        limits = (-np.inf, np.inf) if loses else measure.definition.bounds
        low, high = (np.where(open_ones, limit, now) for limit in limits)
        return Bounds(low, high, ~open_ones, ~open_ones, ~open_ones)

    def told(self, measure: Measure, now: Floats) -> Bounds | None:
        """The bounds that the measure declares itself, if it does."""
        formulas, levels = measure.definition.over_holes, levels_of(self._grades, measure)
        if not formulas or measure.selections:
            return None
        if levels is None or not self.count.any():
            return certain_bounds(now)
        # A bound may divide by 0 where a query has nothing relevant: it is undefined there.
        with np.errstate(all="ignore"):
            given = dict(measure.arguments)
            found = formulas[0](self._rankings, self._grades[self._grades > 0], **given)
        if found is None:
            return None
        # To a measure for which grade 0 is relevant, no assignment leaves a hole as it is.
        rel = setting(measure, "rel")
        open_end = rel is not None and rel <= 0
        as_zero = ignores_judging(measure, scale_of(self._grades, measure))
        extremes = Extremes(now, measure.definition.bounds, as_zero, self._open_file)
        doubtful, sure = np.flatnonzero(self.count > 0), np.flatnonzero(self.count == 0)
        extremes.reach(sure, now[sure])
        for values in found[:2]:
            reached = np.broadcast_to(found[2] & (not open_end), values.shape)[doubtful]
            extremes.meet(doubtful, values[doubtful], reached)
        return extremes.bounds()

    def in_blocks(self, measure: Measure, now: Floats) -> Bounds:
        """The bounds from lists and pools that need not agree, for blocks of numbers of holes."""
        return self._mixed(measure, now, singly=False)

    def singly(self, measure: Measure, now: Floats) -> Bounds:
        """The same for each number of holes; the limits where there are too many of them."""
        few = np.flatnonzero(self.count <= SINGLY)
        if len(few) == len(self.count):
            return self._mixed(measure, now, singly=True)
        found = self.some(few, opened=self._open_file)._mixed(measure, now[few], singly=True)
        return self.limits(measure, now).replace_for(found, few, now)

    def _mixed(self, measure: Measure, now: Floats, *, singly: bool) -> Bounds:
        levels = levels_of(self._grades, measure)
        if levels is None or not self.count.any():
            return certain_bounds(now)
        extremes = Extremes(now, measure.definition.bounds, True, self._open_file)
        filled = self.filled(measure, levels, singly=singly)
        if ignores_pool(measure, scale_of(self._grades, measure)) and not self._open_file:
            # Nothing can be lost by a judgment, so all holes at 0 and all at the best it is.
            filled.widen_by_all(extremes, measure)
        else:
            filled.widen(extremes, measure)
        return extremes.bounds()

    @cached_property
    def count(self) -> Ints:
        """How many holes each query has."""
        return Holes(self._rankings).count

    def filled(self, measure: Measure, levels: Levels, *, singly: bool = False) -> MixedViews:
        """The mixed views for a measure, which others of its cutoff and levels share."""
        cutoff = setting(measure, "cutoff")
        key = cutoff, levels, singly
        if key not in self._kept:
            holes = Holes(self._rankings, cutoff)
            self._kept[key] = MixedViews(holes, levels, self._factors, self._length, singly=singly)
        return self._kept[key]


Way = Callable[[Ways, Measure, Floats], Bounds | None]
"""A way to bounds, for values as they are now."""
MixedWay = Callable[[Ways, Measure, Floats], Bounds]
"""A way that always has bounds."""


def bounded(measure: Measure) -> bool:
    """Whether bounds hold for the measure: it ignores who was judged, and small cases agree."""
    scale = usual_scale(measure)
    if not _comparable(measure, scale):
        return False
    told = bool(measure.definition.over_holes) and _contained(measure, scale, Ways.told)
    return told or mixed_way(measure, scale) is not None


@cache
def mixed_way(measure: Measure, scale: Scale) -> MixedWay | None:
    """The first way by mixed views that the small cases agree with; blocks cost less."""
    if not _comparable(measure, scale):
        return None
    ways: tuple[MixedWay, ...] = (Ways.in_blocks, Ways.singly)
    return next((way for way in ways if _contained(measure, scale, way)), None)


def _comparable(measure: Measure, scale: Scale) -> bool:
    """Whether unjudged documents are as those of grade 0, and better ones never to be avoided."""
    if measure.definition.view is not Rankings or measure.definition.aggregate == "whole":
        return False
    if measure.definition.better != "higher" or measure.selections:
        return False
    return ignores_judging(measure, scale)


def _contained(measure: Measure, scale: Scale, way: Way) -> bool:
    """Whether the bounds of the small rankings hold for every way to fill the holes."""
    return all(
        _holds(measure, way, each)
        for each in (cases(PROBES, "0123", scale), *_of_blocks(measure, scale, MANY))
    )


@cache
def holds_for_open(measure: Measure, scale: Scale, way: Way) -> bool:
    """Whether a way to bounds holds for small rankings of which nothing relevant is known."""
    known = (cases(OPEN, "0123", scale), *_of_blocks(measure, scale, MANY_OPEN)[:1])
    return all(_holds(measure, way, each, opened=True) for each in known)


def _of_blocks(measure: Measure, scale: Scale, words: tuple[str, ...]) -> tuple[Cases, ...]:
    """Cases with many holes: these words with the best grade alone, and some with others."""
    levels = levels_of(np.asarray(scale), measure)
    best = levels.best if levels else scale[-1]
    return cases(words, "01", (best, best, best)), cases(SEVERAL, "013", scale)


def _holds(measure: Measure, way: Way, tried: Cases, *, opened: bool = False) -> bool:
    now = measure(tried.view)
    asked = np.isnan(now) == opened
    ways = Ways(tried.view, tried.every.pool.grades, opened=opened)
    found = way(ways, measure, np.full(len(now), np.nan) if opened else now)
    return found is not None and tried.within(measure, found.low, found.high, asked)


@cache
def leaves(measure: Measure, scale: Scale) -> bool:
    """Whether some way to fill the holes leaves a query undefined that has a value now."""
    if measure.definition.view is not Rankings or measure.definition.aggregate == "whole":
        return False
    return cases(PROBES, "0123", scale).leaves(measure)
