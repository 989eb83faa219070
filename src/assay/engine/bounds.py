"""Bounds: the least and the greatest value that the missing judgments allow.

Every retrieved document without a judgment may have any grade from 0 to the best; documents that
were not retrieved keep what is known of them. Some measures tell their extremes themselves; others
lie between mixed views, if small cases agree that they do; the rest have their own limits. A bound
that some assignment reaches is exact; others are outer bounds.

A query that is undefined as judged, but has holes, is open: its bounds are those of the assignments
that define it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.names import Measure
from assay.engine.cases import MANY, MANY_OPEN, SEVERAL, Cases, cases
from assay.engine.extremes import Bounds, Extremes, certain
from assay.engine.filled import Factors
from assay.engine.local import Measured, measured
from assay.engine.mixed import MixedViews
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
from assay.evidence.holes import Holes
from assay.evidence.rankings import Rankings

SINGLY = 64
"""With more holes their numbers are not tried one by one."""


def bounds(rankings: Rankings, measure: Measure, grades: Floats | None = None) -> Bounds:
    """The bounds of each query's value.

    ``grades`` are further grades that a document may have, besides those of the pool.
    For a measure of which nothing better is known, they are the limits of the measure wherever a
    retrieved document is unjudged.
    """
    return Bounding(rankings, grades).bounds(measure)


class Bounding:
    """The bounds of several measures over the same rankings, which share the filled lists.

    Several runs over the same judgments may share their ``factors``.
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
        self._rankings, self._opened = rankings, opened
        self._length = length or int(rankings.retrieved.max(initial=1))
        self._opening: dict[bytes, Bounding] = {}
        self._factors = factors or Factors()
        known = rankings.pool.grades
        self._grades = known if grades is None else np.union1d(known, grades)
        self._kept: dict[tuple[int | None, Levels, bool], MixedViews] = {}

    def bounds(
        self, measure: Measure, now: Measured | None = None, no_relevant: str = "undefined"
    ) -> Bounds:
        """The bounds of each query's value; ``now`` if that is known already."""
        now = measured(self._rankings, measure, no_relevant) if now is None else now
        found = self._found(measure, now.values)
        chosen = np.flatnonzero(now.undefined & (self._count > 0))
        if len(chosen):
            found = found.joined_by(self._open(chosen)._found_open(measure), chosen, now.values)
        if not _leaves(measure, scale_of(self._grades, measure)):
            return found
        if measure.undefined is None and no_relevant == "zero":
            # What is undefined stands for 0 or for nothing, by the reason that it has.
            return found.without(self._count > 0, 0.0, certainly=False)
        leaving = self._leaving(measure, now.undefined)
        return found.without(leaving, measure.undefined, certainly=True)

    def _found(self, measure: Measure, now: Floats) -> Bounds:
        told = self._told(measure, now)
        if told is not None:
            return told
        way = mixed_way(measure, scale_of(self._grades, measure))
        if way is None or loses_by_a_grade(self._grades, measure):
            return self._limits(measure, now)
        return way(self, measure, now)

    def _leaving(self, measure: Measure, undefined: Bools) -> Bools:
        """Which queries have a value, but none with all holes at the best grade."""
        levels = levels_of(self._grades, measure)
        able = ~undefined & (self._count > 0)
        if levels is None or measure.selections or not able.any():
            return able & (levels is not None)
        return able & np.isnan(self._filled(measure, levels).full_values(measure))

    def _open(self, chosen: Ints) -> Bounding:
        """The queries that are undefined as judged, by themselves."""
        key = chosen.tobytes()
        if key not in self._opening:
            self._opening[key] = self._some(chosen, opened=True)
        return self._opening[key]

    def _some(self, chosen: Ints, *, opened: bool) -> Bounding:
        """Some of the queries, as if the longest list of all were still among them."""
        view = self._rankings.take(chosen)
        return Bounding(view, self._grades, opened=opened, length=self._length)

    def _found_open(self, measure: Measure) -> Bounds:
        """The bounds over the assignments that define these queries."""
        nothing = np.full(len(self._rankings.queries), np.nan)
        if levels_of(self._grades, measure) is None:
            return certain(nothing)
        scale = scale_of(self._grades, measure)
        for way in (Bounding._told, mixed_way(measure, scale)):
            found = way(self, measure, nothing) if way and _for_open(measure, scale, way) else None
            if found is not None:
                return found
        return self._limits(measure, nothing)

    def _limits(self, measure: Measure, now: Floats) -> Bounds:
        open_ones = (self._count > 0) & (self._opened | ~np.isnan(now))
        loses = loses_by_a_grade(self._grades, measure)
        limits = (-np.inf, np.inf) if loses else measure.definition.bounds
        low, high = (np.where(open_ones, limit, now) for limit in limits)
        return Bounds(low, high, ~open_ones, ~open_ones, ~open_ones)

    def _told(self, measure: Measure, now: Floats) -> Bounds | None:
        """The bounds that the measure declares itself, if it does."""
        formulas, levels = measure.definition.over_holes, levels_of(self._grades, measure)
        if not formulas or measure.selections:
            return None
        if levels is None or not self._count.any():
            return certain(now)
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
        extremes = Extremes(now, measure.definition.bounds, as_zero, self._opened)
        doubtful, sure = np.flatnonzero(self._count > 0), np.flatnonzero(self._count == 0)
        extremes.reach(sure, now[sure])
        for values in found[:2]:
            reached = np.broadcast_to(found[2] & (not open_end), values.shape)[doubtful]
            extremes.meet(doubtful, values[doubtful], reached)
        return extremes.bounds()

    def _in_blocks(self, measure: Measure, now: Floats) -> Bounds:
        """The bounds from lists and pools that need not agree, for blocks of numbers of holes."""
        return self._mixed(measure, now, singly=False)

    def _singly(self, measure: Measure, now: Floats) -> Bounds:
        """The same for each number of holes; the limits where there are too many of them."""
        few = np.flatnonzero(self._count <= SINGLY)
        if len(few) == len(self._count):
            return self._mixed(measure, now, singly=True)
        found = self._some(few, opened=self._opened)._mixed(measure, now[few], singly=True)
        return self._limits(measure, now).joined_by(found, few, now)

    def _mixed(self, measure: Measure, now: Floats, *, singly: bool) -> Bounds:
        levels = levels_of(self._grades, measure)
        if levels is None or not self._count.any():
            return certain(now)
        extremes = Extremes(now, measure.definition.bounds, True, self._opened)
        filled = self._filled(measure, levels, singly=singly)
        if ignores_pool(measure, scale_of(self._grades, measure)) and not self._opened:
            # Nothing can be lost by a judgment, so all holes at 0 and all at the best it is.
            filled.widen_by_all(extremes, measure)
        else:
            filled.widen(extremes, measure)
        return extremes.bounds()

    @cached_property
    def _count(self) -> Ints:
        return Holes(self._rankings).count

    def _filled(self, measure: Measure, levels: Levels, *, singly: bool = False) -> MixedViews:
        cutoff = setting(measure, "cutoff")
        key = cutoff, levels, singly
        if key not in self._kept:
            holes = Holes(self._rankings, cutoff)
            self._kept[key] = MixedViews(holes, levels, self._factors, self._length, singly=singly)
        return self._kept[key]


Way = Callable[[Bounding, Measure, Floats], Bounds | None]
"""A way to bounds, for values as they are now."""
MixedWay = Callable[[Bounding, Measure, Floats], Bounds]


def bounded(measure: Measure) -> bool:
    """Whether bounds hold for the measure: it ignores who was judged, and small cases agree."""
    scale = usual_scale(measure)
    if not _comparable(measure, scale):
        return False
    told = bool(measure.definition.over_holes) and _contained(measure, scale, Bounding._told)
    return told or mixed_way(measure, scale) is not None


@cache
def mixed_way(measure: Measure, scale: Scale) -> MixedWay | None:
    """The first way by mixed views that the small cases agree with; blocks cost less."""
    if not _comparable(measure, scale):
        return None
    ways: tuple[MixedWay, ...] = (Bounding._in_blocks, Bounding._singly)
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
def _for_open(measure: Measure, scale: Scale, way: Way) -> bool:
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
    bounding = Bounding(tried.view, tried.every.pool.grades, opened=opened)
    found = way(bounding, measure, np.full(len(now), np.nan) if opened else now)
    return found is not None and tried.within(measure, found.low, found.high, asked)


@cache
def _leaves(measure: Measure, scale: Scale) -> bool:
    """Whether some way to fill the holes leaves a query undefined that has a value now."""
    if measure.definition.view is not Rankings or measure.definition.aggregate == "whole":
        return False
    return cases(PROBES, "0123", scale).leaves(measure)
