"""Bounds: the least and the greatest value that the missing judgments allow.

Every retrieved document without a judgment may have any grade from 0 to the best; documents that
were not retrieved keep what is known of them. A measure that rises with the grades in the list and
falls with what else is known lies between two mixed views: the better list beside the smaller
pool, and the worse list beside the larger pool. That is done for each number of relevant holes
(large numbers in blocks), with the grades at the top for the upper and at the bottom for the lower
bound. A bound that some assignment reaches is exact; others are outer bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.names import Measure
from assay.engine.filled import Factors, FilledLine
from assay.engine.local import Measured, aggregate, measured
from assay.evidence.drawing import rankings as drawn
from assay.evidence.holes import Fill, Holes, numbers_of_holes
from assay.evidence.rankings import Rankings

_SLACK = 1e-12


@dataclass(frozen=True)
class Bounds:
    """For each query the bounds of its value, and whether an assignment reaches them."""

    low: Floats
    high: Floats
    low_exact: Bools
    high_exact: Bools
    derived: bool = True
    """Whether the bounds follow from the ranking; if not, they are the limits of the measure."""

    @property
    def kind(self) -> str:
        """What the bounds are: ``exact``, ``outer``, or the measure's own ``limits``."""
        if bool(np.all(self.low_exact & self.high_exact)):
            return "exact"
        return "outer" if self.derived else "limits"

    def summary(self, measure: Measure, now: Measured) -> tuple[float, float]:
        """The bounds of the summary value; what is undefined is as it is ``now``.

        A micro average weighs queries by their denominators, which grow with what is judged, so all
        that is known of it is that it lies among the values of the queries.
        """
        if measure.pooled:
            return float(np.fmin.reduce(self.low)), float(np.fmax.reduce(self.high))
        low, high = (np.where(np.isnan(each), now.values, each) for each in (self.low, self.high))
        support = now.view.support
        return aggregate(measure, low, low, support), aggregate(measure, high, high, support)


@dataclass(frozen=True)
class _Grades:
    """The grades that a hole may have, as far as a measure tells them apart."""

    least: float
    best: float

    @property
    def both(self) -> Floats:
        """As an array."""
        return np.asarray([self.least, self.best])


def bounds(rankings: Rankings, measure: Measure, grades: Floats | None = None) -> Bounds:
    """The bounds of each query's value.

    ``grades`` are the grades that a document may have, those of the pool unless they are given.
    For a measure of which nothing better is known, they are the limits of the measure wherever a
    retrieved document is unjudged.
    """
    return Bounding(rankings, grades).bounds(measure)


class Bounding:
    """The bounds of several measures over the same rankings, which share the filled lists.

    Several runs over the same judgments may share their ``factors``.
    """

    def __init__(
        self, rankings: Rankings, grades: Floats | None = None, factors: Factors | None = None
    ) -> None:
        self._rankings = rankings
        self._factors = factors or Factors()
        known = rankings.pool.grade if grades is None else grades
        self._grades = np.unique(np.asarray(known, dtype=np.float64))
        self._kept: dict[tuple[int | None, _Grades], _Filled] = {}

    def bounds(self, measure: Measure, now: Floats | None = None) -> Bounds:
        """The bounds of each query's value; ``now`` if that is known already."""
        now = measured(self._rankings, measure).values if now is None else now
        told = self._told(measure, now)
        if told is not None:
            return told
        return self._mixed(measure, now) if bounded(measure) else self._limits(measure, now)

    def derived(self, measure: Measure) -> Bounds:
        """The bounds that follow from the ranking, if the measure is one for which they do."""
        now = measured(self._rankings, measure).values
        return self._told(measure, now) or self._mixed(measure, now)

    def _limits(self, measure: Measure, now: Floats) -> Bounds:
        open_ones = (self._count > 0) & ~np.isnan(now)
        low, high = (np.where(open_ones, limit, now) for limit in measure.definition.bounds)
        return Bounds(low, high, ~open_ones, ~open_ones, derived=False)

    def _told(self, measure: Measure, now: Floats) -> Bounds | None:
        """The bounds that the measure declares itself, if it does."""
        formulas, levels = measure.definition.over_holes, _levels(self._grades, measure)
        if not formulas or measure.selections:
            return None
        if levels is None or not self._count.any():
            return _certain(now)
        # A bound may divide by 0 where a query has nothing relevant: it is undefined there.
        with np.errstate(all="ignore"):
            given = dict(measure.arguments)
            found = formulas[0](self._rankings, levels.least, levels.best, **given)
        if found is None:
            return None
        extremes = _Extremes(now, measure.definition.bounds, ignores_judging(measure))
        for values in found[:2]:
            extremes.meet(self._everyone, values, np.broadcast_to(found[2], values.shape))
        return extremes.bounds()

    def _mixed(self, measure: Measure, now: Floats) -> Bounds:
        """The bounds from lists and pools that need not agree."""
        levels = _levels(self._grades, measure)
        if levels is None or not self._count.any():
            return _certain(now)
        extremes = _Extremes(now, measure.definition.bounds, as_zero=True)
        cutoff = dict(measure.settings).get("cutoff") if _takes(measure, "cutoff") else None
        filled = self._filled(cutoff, levels)
        if ignores_pool(measure):
            # Nothing can be lost by a judgment, so all holes at 0 and all at the best it is.
            filled.widen_by_all(extremes, measure)
        else:
            filled.widen(extremes, measure)
        return extremes.bounds()

    @cached_property
    def _count(self) -> Ints:
        return Holes(self._rankings).count

    @cached_property
    def _everyone(self) -> Ints:
        return np.arange(len(self._rankings.queries))

    def _filled(self, cutoff: int | None, levels: _Grades) -> _Filled:
        key = cutoff, levels
        if key not in self._kept:
            self._kept[key] = _Filled(Holes(self._rankings, cutoff), levels, self._factors)
        return self._kept[key]


def _certain(now: Floats) -> Bounds:
    """The bounds of values that nothing can change."""
    always = np.ones(len(now), dtype=bool)
    return Bounds(now, now, always, always)


class _Filled:
    """The lists and pools between which the values lie, for every block of numbers of holes."""

    def __init__(self, holes: Holes, levels: _Grades, factors: Factors) -> None:
        self._holes, self._levels, self._factors = holes, levels, factors

    def _line(self, measure: Measure) -> FilledLine | None:
        return FilledLine.of(measure, self._holes, self._levels.both, self._factors)

    @cached_property
    def _fills(self) -> list[tuple[Fill, Bools]]:
        """What is filled for the upper and for the lower bounds, and which of it can be so."""
        holes, levels = self._holes, self._levels
        listed = numbers_of_holes(int(holes.count.max(initial=0)))
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
        better = Fill(query, few * 0, most, few, levels.best, levels.least).take(upper)
        worse = Fill(query, lowest, seen, most, levels.least, levels.best).take(lower)
        reached = (few == most) & (levels.least == levels.best)
        return [(better, reached[upper]), (worse, reached[lower])]

    @cached_property
    def _all(self) -> Fill:
        """Every hole at the best grade."""
        everyone, count = np.arange(len(self._holes.count)), self._holes.count
        return Fill(everyone, everyone * 0, count, count, self._levels.best, self._levels.best)

    @cached_property
    def _mixed(self) -> list[Rankings]:
        return [self._holes.filled(fill) for fill, _ in self._fills]

    @cached_property
    def _full(self) -> Rankings:
        return self._holes.filled(self._all)

    def widen(self, extremes: _Extremes, measure: Measure) -> None:
        """Note the values of these lists."""
        line = self._line(measure)
        for place, (fill, reached) in enumerate(self._fills):
            values = line.values(fill) if line else _value(measure, self._mixed[place])
            extremes.meet(fill.query, values, reached)
        values = line.values(self._all) if line else _value(measure, self._full)
        extremes.reach(self._all.query, values)

    def widen_by_all(self, extremes: _Extremes, measure: Measure) -> None:
        """Note the values where every hole has the best grade, for who sees the list alone."""
        line = self._line(measure)
        values = line.all_at(self._levels.best) if line else _value(measure, self._full)
        extremes.meet(self._all.query, values, self._all.query >= 0)


class _Extremes:
    """The extremes met so far, and the extremes that some assignment reaches."""

    def __init__(self, now: Floats, limits: tuple[float, float], as_zero: bool) -> None:
        self.now, self.limits = now, limits
        self.low, self.high = now.copy(), now.copy()
        # The value now is that of grade 0 everywhere, unless the measure sees who was judged.
        first = now if as_zero else np.full_like(now, np.nan)
        self.reached_low, self.reached_high = first.copy(), first.copy()

    def meet(self, query: Ints, values: Floats, reached: Bools) -> None:
        """Widen by values, some of which an assignment reaches."""
        np.fmin.at(self.low, query, values)
        np.fmax.at(self.high, query, values)
        self.reach(query[reached], values[reached])

    def reach(self, query: Ints, values: Floats) -> None:
        """Note values that an assignment has."""
        np.fmin.at(self.reached_low, query, values)
        np.fmax.at(self.reached_high, query, values)

    def bounds(self) -> Bounds:
        """The extremes within the measure's own limits; undefined queries stay undefined."""
        known = ~np.isnan(self.now)
        low = np.where(known, np.maximum(self.low, self.limits[0]), np.nan)
        high = np.where(known, np.minimum(self.high, self.limits[1]), np.nan)
        return Bounds(
            low,
            high,
            ~known | (np.abs(low - self.reached_low) <= _SLACK),
            ~known | (np.abs(high - self.reached_high) <= _SLACK),
        )


def _value(measure: Measure, view: Rankings) -> Floats:
    """The values of a view whose list and pool need not agree: a formula may then divide by 0."""
    with np.errstate(all="ignore"):
        return measure(view)


def _levels(known: Floats, measure: Measure) -> _Grades | None:
    """The least and the best grade above 0 that the measure tells apart; None if it sees none."""
    positive = known[known > 0]
    if _takes(measure, "rel") and not any(_takes(measure, name) for name in ("gain", "gmax")):
        rel = float(dict(measure.settings).get("rel", _default(measure, "rel")))
        enough = positive[positive >= rel]
        return _Grades(enough.max(), enough.max()) if len(enough) else None
    return _Grades(positive.min(), positive.max()) if len(positive) else None


def _takes(measure: Measure, parameter: str) -> bool:
    return any(each.name == parameter for each in measure.definition.parameters)


def _default(measure: Measure, parameter: str) -> Any:
    return next(each.default for each in measure.definition.parameters if each.name == parameter)


@cache
def bounded(measure: Measure) -> bool:
    """Whether bounds hold for the measure: it ignores who was judged, and small cases agree."""
    if measure.definition.view is not Rankings or measure.definition.aggregate == "whole":
        return False
    if measure.definition.better != "higher" or measure.selections:
        return False
    return ignores_judging(measure) and all(_contained(measure, word) for word in _PROBES)


@cache
def ignores_pool(measure: Measure) -> bool:
    """Whether only the list matters to the measure, not what else is known to be relevant."""
    more = [word + "+3" * 6 for word in _PROBES if set(word) & set("+123")]
    few = [word for word in _PROBES if set(word) & set("+123")]
    values, others = measure(drawn(*few)), measure(drawn(*more))
    return bool(np.allclose(values, others, rtol=0, atol=_SLACK, equal_nan=True))


@cache
def ignores_judging(measure: Measure) -> bool:
    """Whether documents of grade 0 and unjudged ones are the same to the measure."""
    return all(_same(measure, word) for word in _PROBES)


_PROBES = ("?+?-|+", "2??1|3", "-?3?0|", "+??|", "??+1|2-", "?1-2?|33", "+-+?|", "?-?+?|", "+?3|3")


def _same(measure: Measure, word: str) -> bool:
    either = (drawn(word), drawn(word.replace("?", "-")), drawn(word.replace("-", "?")))
    values = [measure(each)[0] for each in either]
    return bool(np.allclose(values, values[0], rtol=0, atol=_SLACK, equal_nan=True))


def _contained(measure: Measure, word: str) -> bool:
    view, grades = drawn(word), np.asarray([0.0, 1.0, 2.0, 3.0])
    found = Bounding(view, grades).derived(measure)
    values = measure(drawn(*assignments(word)))
    if np.isnan(found.low[0]) or np.isnan(values).all():
        return True
    inside = (values >= found.low[0] - _SLACK) & (values <= found.high[0] + _SLACK)
    return bool(np.all(inside | np.isnan(values)))


def assignments(word: str, grades: str = "0123") -> list[str]:
    """Every way to fill the holes of a drawn ranking with grades."""
    filled = []
    for chosen in product(grades, repeat=word.count("?")):
        marks = iter(chosen)
        filled.append("".join(next(marks) if mark == "?" else mark for mark in word))
    return filled
