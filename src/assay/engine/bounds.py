"""Bounds: the least and the greatest value that the missing judgments allow.

Every retrieved document without a judgment may have any grade from 0 to the best; documents that
were not retrieved keep what is known of them. Some measures tell their extremes themselves; others
lie between mixed views, if small cases agree that they do; the rest have their own limits. A bound
that some assignment reaches is exact; others are outer bounds.

A query that is undefined as judged, but has holes, is open: its bounds are those of the assignments
that define it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import product

import numpy as np

from assay.core.arrays import Floats, Ints, offsets_of
from assay.core.names import Measure
from assay.engine.extremes import Bounds, Extremes, certain
from assay.engine.filled import Factors
from assay.engine.local import Measured, measured
from assay.engine.mixed import Levels, MixedViews, levels_of, takes
from assay.engine.probes import OPEN, PROBES, SLACK, ignores_judging, ignores_pool
from assay.evidence.drawing import rankings as drawn
from assay.evidence.holes import Holes
from assay.evidence.rankings import Rankings


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
    ) -> None:
        self._rankings, self._opened = rankings, opened
        self._opening: dict[bytes, Bounding] = {}
        self._factors = factors or Factors()
        known = rankings.pool.grades
        self._grades = known if grades is None else np.union1d(known, grades)
        self._kept: dict[tuple[int | None, Levels], MixedViews] = {}

    def bounds(self, measure: Measure, now: Measured | None = None) -> Bounds:
        """The bounds of each query's value; ``now`` if that is known already."""
        now = measured(self._rankings, measure) if now is None else now
        found = self._found(measure, now.values)
        chosen = np.flatnonzero(now.undefined & (self._count > 0))
        if not len(chosen):
            return found
        return found.joined_by(self._open(chosen)._found_open(measure), chosen, now.values)

    def derived(self, measure: Measure) -> Bounds:
        """The bounds that follow from the ranking, if the measure is one for which they do."""
        now = measured(self._rankings, measure).values
        return self._told(measure, now) or self._mixed(measure, now)

    def _found(self, measure: Measure, now: Floats) -> Bounds:
        told = self._told(measure, now)
        if told is not None:
            return told
        return self._mixed(measure, now) if bounded(measure) else self._limits(measure, now)

    def _open(self, chosen: Ints) -> Bounding:
        """The queries that are undefined as judged, by themselves."""
        key = chosen.tobytes()
        if key not in self._opening:
            view = self._rankings.take(chosen)
            self._opening[key] = Bounding(view, self._grades, opened=True)
        return self._opening[key]

    def _found_open(self, measure: Measure) -> Bounds:
        """The bounds over the assignments that define these queries."""
        nothing = np.full(len(self._rankings.queries), np.nan)
        if levels_of(self._grades, measure) is None:
            return certain(nothing)
        for way in (Bounding._told, Bounding._mixed):
            found = way(self, measure, nothing) if _holds_for_open(measure, way) else None
            if found is not None:
                return found
        return self._limits(measure, nothing)

    def _limits(self, measure: Measure, now: Floats) -> Bounds:
        open_ones = (self._count > 0) & (self._opened | ~np.isnan(now))
        low, high = (np.where(open_ones, limit, now) for limit in measure.definition.bounds)
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
        limits, as_zero = measure.definition.bounds, ignores_judging(measure)
        extremes = Extremes(now, limits, as_zero, self._opened)
        doubtful, sure = np.flatnonzero(self._count > 0), np.flatnonzero(self._count == 0)
        extremes.reach(sure, now[sure])
        for values in found[:2]:
            reached = np.broadcast_to(found[2], values.shape)[doubtful]
            extremes.meet(doubtful, values[doubtful], reached)
        return extremes.bounds()

    def _mixed(self, measure: Measure, now: Floats) -> Bounds:
        """The bounds from lists and pools that need not agree."""
        levels = levels_of(self._grades, measure)
        if levels is None or not self._count.any():
            return certain(now)
        extremes = Extremes(now, measure.definition.bounds, True, self._opened)
        cutoff = dict(measure.settings).get("cutoff") if takes(measure, "cutoff") else None
        filled = self._filled(cutoff, levels)
        if ignores_pool(measure) and not self._opened:
            # Nothing can be lost by a judgment, so all holes at 0 and all at the best it is.
            filled.widen_by_all(extremes, measure)
        else:
            filled.widen(extremes, measure)
        return extremes.bounds()

    @cached_property
    def _count(self) -> Ints:
        return Holes(self._rankings).count

    def _filled(self, cutoff: int | None, levels: Levels) -> MixedViews:
        key = cutoff, levels
        if key not in self._kept:
            self._kept[key] = MixedViews(Holes(self._rankings, cutoff), levels, self._factors)
        return self._kept[key]


@cache
def bounded(measure: Measure) -> bool:
    """Whether bounds hold for the measure: it ignores who was judged, and small cases agree."""
    if measure.definition.view is not Rankings or measure.definition.aggregate == "whole":
        return False
    if measure.definition.better != "higher" or measure.selections:
        return False
    return ignores_judging(measure) and _contained(measure)


@cache
def _cases(words: tuple[str, ...]) -> tuple[Rankings, Rankings, Ints]:
    """Small rankings, each in every way to fill its holes, and where each one's ways begin."""
    filled = [assignments(word) for word in words]
    starts = offsets_of(np.asarray([len(ways) for ways in filled]))[:-1]
    return _in_order(words), _in_order([each for ways in filled for each in ways]), starts


def _in_order(words: Sequence[str]) -> Rankings:
    """Drawn rankings under names that keep their order."""
    return drawn(corpus=None, **{f"{number:04d}": word for number, word in enumerate(words)})


def _contained(measure: Measure) -> bool:
    """Whether the bounds of the small rankings hold for every way to fill the holes."""
    view, every, starts = _cases(PROBES)
    found = Bounding(view, np.arange(4.0)).derived(measure)
    values = measure(every)
    # A value or a bound that is undefined contradicts nothing.
    least = np.fmin.reduceat(values, starts)
    most = np.fmax.reduceat(values, starts)
    return not bool(np.any((least < found.low - SLACK) | (most > found.high + SLACK)))


@cache
def _holds_for_open(measure: Measure, way: Callable[..., Bounds | None]) -> bool:
    """Whether a way to bounds holds for small rankings of which nothing relevant is known."""
    if way is Bounding._mixed and not bounded(measure):
        return False
    view, every, starts = _cases(OPEN)
    undefined = np.isnan(measure(view))
    found = way(Bounding(view, np.arange(4.0), opened=True), measure, np.full(len(OPEN), np.nan))
    if found is None or not undefined.any():
        return False
    values = measure(every)
    least, most = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    inside = (least >= found.low - SLACK) & (most <= found.high + SLACK)
    return bool(np.all(inside | np.isnan(least) | ~undefined))


def assignments(word: str, grades: str = "0123") -> list[str]:
    """Every way to fill the holes of a drawn ranking with grades."""
    filled = []
    for chosen in product(grades, repeat=word.count("?")):
        marks = iter(chosen)
        filled.append("".join(next(marks) if mark == "?" else mark for mark in word))
    return filled
