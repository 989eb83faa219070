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
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.names import Measure
from assay.engine.local import aggregate, measured
from assay.evidence.drawing import rankings as drawn
from assay.evidence.holes import Fill, Holes
from assay.evidence.rankings import Rankings

SINGLE = 4
"""Up to so many relevant holes each number has a block of its own."""
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

    def summary(self, measure: Measure) -> tuple[float, float]:
        """The bounds of the summary value."""
        low, high = (aggregate(measure, each, each, None) for each in (self.low, self.high))
        return low, high


@dataclass(frozen=True)
class _Grades:
    """The grades that a hole may have, as far as a measure tells them apart."""

    least: float
    best: float


def bounds(rankings: Rankings, measure: Measure, grades: Floats | None = None) -> Bounds:
    """The bounds of each query's value.

    ``grades`` are the grades that a document may have, those of the pool unless they are given.
    For a measure of which nothing better is known, they are the limits of the measure wherever a
    retrieved document is unjudged.
    """
    return _bounds(rankings, measure, grades) if bounded(measure) else _limits(rankings, measure)


def _limits(rankings: Rankings, measure: Measure) -> Bounds:
    now = measured(rankings, measure).values
    open_ones = (Holes(rankings).count > 0) & ~np.isnan(now)
    low, high = (np.where(open_ones, limit, now) for limit in measure.definition.bounds)
    return Bounds(low, high, ~open_ones, ~open_ones, derived=False)


def _bounds(rankings: Rankings, measure: Measure, grades: Floats | None = None) -> Bounds:
    cutoff = dict(measure.settings).get("cutoff") if _takes(measure, "cutoff") else None
    holes = Holes(rankings, cutoff)
    levels = _levels(rankings, measure, grades)
    now = measured(rankings, measure).values
    values = _Reached(now, measure.definition.bounds)
    if levels is None or not holes.count.any():
        return values.bounds(now)
    for least, most in _blocks(int(holes.count.max())):
        query = np.flatnonzero(holes.count >= least)
        values.meet(measure, holes, query, least, np.minimum(most, holes.count[query]), levels)
    everything = _fill(holes, np.arange(len(now)), holes.count, levels.best)
    values.reach(np.arange(len(now)), _value(measure, holes.filled(everything)))
    return values.bounds(now)


class _Reached:
    """The extremes met so far, and the extremes that some assignment reaches."""

    def __init__(self, now: Floats, limits: tuple[float, float]) -> None:
        self.limits = limits
        self.low, self.high = now.copy(), now.copy()
        self.reached_low, self.reached_high = now.copy(), now.copy()

    def meet(
        self, measure: Measure, holes: Holes, query: Ints, least: int, most: Ints, levels: _Grades
    ) -> None:
        """Widen by the lists with at least and at most so many relevant holes."""
        few, all_holes = np.full(len(query), least), holes.count[query]
        seen = np.diff(holes.rank.offsets)[query]
        hidden = all_holes - seen
        better = Fill(query, few * 0, most, few, levels.best, levels.least)
        # The lowest holes are filled first; those below the cutoff show in the pool alone.
        worse = Fill(
            query, seen - np.maximum(few - hidden, 0), seen, most, levels.least, levels.best
        )
        values = np.stack([_value(measure, holes.filled(each)) for each in (better, worse)])
        self.low[query] = np.fmin(self.low[query], np.fmin(*values))
        self.high[query] = np.fmax(self.high[query], np.fmax(*values))
        if levels.least == levels.best:
            single = most == least
            for own in values:
                self.reach(query[single], own[single])

    def reach(self, query: Ints, values: Floats) -> None:
        """Note values that an assignment has."""
        self.reached_low[query] = np.fmin(self.reached_low[query], values)
        self.reached_high[query] = np.fmax(self.reached_high[query], values)

    def bounds(self, now: Floats) -> Bounds:
        """The extremes within the measure's own limits; undefined queries stay undefined."""
        known = ~np.isnan(now)
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


def _fill(holes: Holes, query: Ints, count: Ints, grade: float) -> Fill:
    return Fill(query, count * 0, count, count, grade, grade)


def _blocks(most: int) -> list[tuple[int, int]]:
    """Numbers of relevant holes: small ones singly, then in blocks that double."""
    ends = [*range(min(most, SINGLE) + 1)]
    while ends[-1] < most:
        ends.append(min(ends[-1] * 2, most))
    return [(0, 0), *((before + 1, end) for before, end in pairwise(ends))]


def _levels(rankings: Rankings, measure: Measure, grades: Floats | None) -> _Grades | None:
    """The least and the best grade above 0 that the measure tells apart; None if it sees none."""
    known = np.asarray(rankings.pool.grade if grades is None else grades, dtype=np.float64)
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
    found = _bounds(view, measure, grades)
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
