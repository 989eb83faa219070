"""Manners: how a measure deals with the orders of tied documents, told by all small lists.

It is not declared. The measure is asked for every list of up to four documents, beside several
pools, and with a cutoff once more around that rank; what holds for all of them is taken for a law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

import numpy as np

from assay.core.arrays import Floats, sum_at, unit_offsets
from assay.core.names import Measure
from assay.engine.probes import SLACK
from assay.evidence.views.rankings import Hits, Rankings

LONGEST = 4
MOST_GRADES = 5


@dataclass(frozen=True)
class SmallCases:
    """Every list of a few documents, unjudged ones among them, behind a number of unjudged ones."""

    lists: Floats
    """A row for each list; NaN for an unjudged document, ∞ behind the end."""
    ahead: int
    rest: tuple[float, ...]
    """What is judged besides, and was not retrieved."""

    @cached_property
    def view(self) -> Rankings:
        """The lists as rankings."""
        size = len(self.lists)
        judged = np.isfinite(self.lists)
        rank = np.nonzero(judged)[1] + 1 + self.ahead
        known = np.column_stack((np.where(judged, self.lists, np.nan), _rows(self.rest, size)))
        pool = -np.sort(-known, axis=1)
        kept = ~np.isnan(pool)
        return Rankings(
            queries=("q",) * size,
            retrieved=np.count_nonzero(~np.isinf(self.lists), axis=1) + self.ahead,
            hits=Hits(unit_offsets(judged.sum(axis=1)), rank, self.lists[judged]),
            pool=Hits(unit_offsets(kept.sum(axis=1)), np.nonzero(kept)[1] + 1, pool[kept]),
            missing=np.zeros(size, dtype=bool),
            tie_first=rank,
            tie_last=rank,
            row=rank,
        )

    def changed(self, useless: float) -> SmallCases:
        """The same with another thing in the place of all documents of grade 0 or less."""
        lists = np.where(self.lists <= 0, useless, self.lists)
        return replace(self, lists=lists, rest=tuple(grade for grade in self.rest if grade > 0))


def _rows(values: Sequence[float], count: int) -> Floats:
    return np.tile(np.asarray(values, dtype=np.float64), (count, 1))


@cache
def _cases(grades: tuple[float, ...], cutoff: int | None) -> tuple[SmallCases, ...]:
    best = grades[-1]
    rests = ((), (best,), tuple(grades), (best,) * 4)
    found = [SmallCases(_lists(grades, LONGEST), 0, rest) for rest in rests]
    if cutoff is not None and cutoff > 2:
        found += [SmallCases(_lists(grades, 3), cutoff - 2, rest) for rest in rests[:3]]
    return tuple(found)


@cache
def _lists(grades: tuple[float, ...], longest: int) -> Floats:
    marks = (np.nan, *grades)
    few = tuple(dict.fromkeys((*marks[:2], marks[-1])))
    # Of the longest there would be many: unjudged, worst and best must do.
    rows = [
        (*each, *[np.inf] * (longest - length))
        for length in range(1, longest + 1)
        for each in product(marks if length < LONGEST else few, repeat=length)
    ]
    return np.asarray(rows)


def small_cases(measure: Measure, grades: Floats) -> tuple[SmallCases, ...]:
    """The cases that tell of a measure, where these grades occur."""
    settings = dict(measure.settings)
    at = measure.definition.at
    depth = settings.get(at.name) if at and at.kind.word == "depth" else None
    return _cases(_telling(grades, settings.get("rel")), depth if isinstance(depth, int) else None)


def _telling(grades: Floats, rel: object) -> tuple[float, ...]:
    """A few of the grades: the ends, those beside the least relevant one, and some between."""
    known = np.unique(grades)
    if len(known) <= MOST_GRADES:
        return tuple(known.tolist())
    place = np.searchsorted(known, float(rel) if isinstance(rel, int | float) else 1.0)
    chosen = {0, len(known) // 2, len(known) - 1, max(place - 1, 0), min(place, len(known) - 1)}
    return tuple(known[sorted(chosen)].tolist())


def same(values: Floats, others: Floats) -> bool:
    """Whether these are the same numbers; silence on all of them says nothing."""
    agreed = np.allclose(values, others, rtol=0, atol=SLACK, equal_nan=True)
    return bool(agreed and not np.isnan(values).all())


@dataclass(frozen=True)
class Manner:
    """How a measure deals with the orders of tied documents."""

    bare: bool = False
    """Whether it sees relevant documents alone."""
    sorted: bool = False
    """Whether ties sorted by grade have its extremes."""
    adds_up: bool = False
    """Whether each document brings its part by itself."""


@cache
def manner_of(measure: Measure, grades: tuple[float, ...]) -> Manner:
    """That of a measure where these grades occur; nothing is known of a condensed list."""
    if measure.selections:
        return Manner()
    cases = small_cases(measure, np.asarray(grades))
    bare = ignores_useless(measure, cases)
    return Manner(bare, bare and rises_with_order(measure, cases), adds_up(measure, cases))


def ignores_useless(measure: Measure, cases: Sequence[SmallCases]) -> bool:
    """Whether documents of grade 0 or less and unjudged ones are the same to the measure."""
    values = _values(measure, cases)
    return all(
        same(values, _values(measure, [case.changed(mark) for case in cases]))
        for mark in (np.nan, 0.0)
    )


def adds_up(measure: Measure, cases: Sequence[SmallCases]) -> bool:
    """Whether the value is the sum of what each document brings at its rank, by itself."""
    views = [case.view for case in cases]
    sums = [sum_at(view.hits.query, measure(_alone(view)), len(view.queries)) for view in views]
    values = _values(measure, cases)
    return same(values, np.where(np.isnan(values), np.nan, np.concatenate(sums)))


def _alone(view: Rankings) -> Rankings:
    """Each document as the only one that was retrieved at its rank."""
    hits = Hits(np.arange(len(view.hits.rank) + 1), view.hits.rank, view.hits.grade)
    taken = view.take(view.hits.query)
    return replace(taken, hits=hits, tie_first=hits.rank, tie_last=hits.rank, row=hits.rank)


def rises_with_order(measure: Measure, cases: Sequence[SmallCases]) -> bool:
    """Whether a better document that changes places with the one above it never does harm.

    Then ties sorted by grade have the extreme values: every order comes of such steps.
    """
    steps = np.concatenate([change for case in cases for change in _changes(measure, case)])
    # Where only one of two orders is defined, the step is not a number, and not a law either.
    return len(steps) > 0 and bool(np.all(steps >= -SLACK) or np.all(steps <= SLACK))


def _changes(measure: Measure, case: SmallCases) -> list[Floats]:
    """How the value changes when neighbours change places, those of the lower grade above."""
    values = measure(case.view)
    worth = np.where(np.isnan(case.lists), -np.inf, case.lists)
    found = []
    for place in range(case.lists.shape[1] - 1):
        above, below = worth[:, place], worth[:, place + 1]
        rows = np.flatnonzero((above < below) & ~np.isinf(case.lists[:, place + 1]))
        swapped = case.lists[rows].copy()
        swapped[:, [place, place + 1]] = swapped[:, [place + 1, place]]
        after = measure(replace(case, lists=swapped).view)
        undefined = np.isnan(values[rows]) & np.isnan(after)
        found.append((after - values[rows])[~undefined])
    return found


def _values(measure: Measure, cases: Sequence[SmallCases]) -> Floats:
    return np.concatenate([measure(case.view) for case in cases])
