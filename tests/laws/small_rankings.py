"""Small rankings on which the declared facts of ranking measures are checked.

``SmallLists``: every list of a few documents, unjudged ones among them, beside some pools, also
around the measure's cutoff. ``Assignments``: rankings with holes, and every way to fill these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

import numpy as np

from assay.core.arrays import Floats, Ints, unit_offsets
from assay.core.names import Measure
from assay.evidence.views.rankings import Hits, Rankings
from assay.testing import assignments, rankings

CORPUS = 60
LONGEST = 4


@dataclass(frozen=True)
class SmallLists:
    """Every list of a few documents, behind a number of unjudged ones."""

    lists: Floats
    """A row for each list; NaN for an unjudged document, ∞ behind the end."""
    ahead: int
    rest: tuple[float, ...]
    """The grades of judged documents that were not retrieved."""

    @cached_property
    def view(self) -> Rankings:
        """Return the lists as rankings."""
        size = len(self.lists)
        judged = np.isfinite(self.lists)
        rank = np.nonzero(judged)[1] + 1 + self.ahead
        rest = np.tile(np.asarray(self.rest, dtype=np.float64), (size, 1))
        pool = -np.sort(-np.column_stack((np.where(judged, self.lists, np.nan), rest)), axis=1)
        known = ~np.isnan(pool)
        return Rankings(
            queries=("q",) * size,
            retrieved=np.count_nonzero(~np.isinf(self.lists), axis=1) + self.ahead,
            hits=Hits(unit_offsets(judged.sum(axis=1)), rank, self.lists[judged]),
            pool=Hits(unit_offsets(known.sum(axis=1)), np.nonzero(known)[1] + 1, pool[known]),
            missing=np.zeros(size, dtype=bool),
            tie_first=rank,
            tie_last=rank,
            row=rank,
            corpus=CORPUS,
        )

    def with_useless(self, grade: float) -> SmallLists:
        """Return the same with this grade for all documents of grade 0 or less."""
        lists = np.where(self.lists <= 0, grade, self.lists)
        return replace(self, lists=lists, rest=tuple(each for each in self.rest if each > 0))

    def swaps(self) -> list[tuple[Ints, SmallLists]]:
        """Return the lists in which a better document stands right below, and those swapped."""
        worth, found = np.where(np.isnan(self.lists), -np.inf, self.lists), []
        for place in range(self.lists.shape[1] - 1):
            better_below = worth[:, place] < worth[:, place + 1]
            rows = np.flatnonzero(better_below & ~np.isinf(self.lists[:, place + 1]))
            swapped = self.lists[rows].copy()
            swapped[:, [place, place + 1]] = swapped[:, [place + 1, place]]
            found.append((rows, replace(self, lists=swapped)))
        return found


@cache
def small_lists(grades: tuple[float, ...], cutoff: int | None) -> tuple[SmallLists, ...]:
    """Return all small lists with these grades, also around a cutoff."""
    best = grades[-1]
    rests = ((), (best,), tuple(grades), (best,) * 4)
    found = [SmallLists(_lists(grades, LONGEST), 0, rest) for rest in rests]
    if cutoff is not None and cutoff > 2:
        found += [SmallLists(_lists(grades, 3), cutoff - 2, rest) for rest in rests]
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


HOLES = ("?+?-|+", "2??1|3", "-?3?0|", "+??|", "??+1|2-", "?1-2?|33", "+-+?|", "?-?+?|", "+?3|3")
"""Rankings with a few holes."""
OPEN = ("?-?|", "-?|-", "??--?|", "?|", "-?-?|--", "1?-?|1", "??|2", "-??|", "2-??|")
"""Rankings of which nothing relevant is known, to a measure that asks for grades above these."""
MANY = (
    *("-????+???|-+--+", "?+?????+-+++|-", "?-??????|+-+++", "?++-???????|-"),
    *("-???+-???-??|++--", "??????+|", "+-??????|+", "??-?-???|", "-???--???|--", "???????|-"),
)
"""Rankings with so many holes that their numbers are tried in blocks."""
SEVERAL = ("3?1??-?2?-?|12", "??-1??-3??|3", "2??????|113", "?-?3??|3", "?-33?|3", "?3???|3")
"""The same with different grades."""


@dataclass(frozen=True)
class Assignments:
    """Rankings with holes, and each of them in every way to fill the holes."""

    view: Rankings
    filled: Rankings
    starts: Ints
    """Where the ways to fill each ranking begin."""

    def extremes(self, measure: Measure) -> tuple[Floats, Floats]:
        """Return the least and the greatest value of each ranking, where it is defined."""
        values = measure(self.filled)
        return np.fmin.reduceat(values, self.starts), np.fmax.reduceat(values, self.starts)


@cache
def all_assignments(grades: tuple[float, float, float]) -> tuple[Assignments, ...]:
    """Return the rankings above with these grades for 1 (or +), 2 and 3."""
    best = (grades[-1],) * 3
    return (
        _assignments((*HOLES, *OPEN), "0123", grades),
        _assignments(MANY, "01", best),
        _assignments(SEVERAL, "013", grades),
    )


def _assignments(words: Sequence[str], marks: str, grades: tuple[float, ...]) -> Assignments:
    filled = [assignments(word, marks) for word in words]
    starts = unit_offsets(np.asarray([len(ways) for ways in filled]))[:-1]
    every = [word for ways in filled for word in ways]
    return Assignments(_drawn(words, grades), _drawn(every, grades), starts)


def _drawn(words: Sequence[str], grades: tuple[float, ...]) -> Rankings:
    view = rankings(corpus=CORPUS, **{f"{number:05d}": word for number, word in enumerate(words)})
    scale = np.asarray((0.0, *grades))
    hits, pool = (
        replace(each, grade=scale[each.grade.astype(np.int64)]) for each in (view.hits, view.pool)
    )
    return replace(view, hits=hits, pool=pool)
