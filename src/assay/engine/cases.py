"""Small cases: rankings with a few holes, and every way to fill these.

What holds for a measure in all of them is taken to hold for it. They have the grades of the data:
a measure may tell grades apart by a table, or see none below a grade that it asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from assay.core.arrays import Bools, Floats, Ints, unit_offsets
from assay.core.names import Measure
from assay.engine.probes import SLACK
from assay.engine.scales import Scale, graded
from assay.evidence.views.rankings import Rankings

MANY = (
    "-????+???|-+--+",
    "?+?????+-+++|-",
    "?-??????|+-+++",
    "?++-???????|-",
    "-???+-???-??|++--",
    "??????+|",
    "+-??????|+",
)
"""Rankings with so many holes that their numbers are tried in blocks; all grades are the best."""
SEVERAL = ("3?1??-?2?-?|12", "??-1??-3??|3", "2??????|113")
"""The same with different grades."""
MANY_OPEN = ("??-?-???|", "-???--???|--", "???????|-")
"""Such rankings of which nothing relevant is known."""


@dataclass(frozen=True)
class Cases:
    """Rankings, each in every way to fill its holes, and where each one's ways begin."""

    view: Rankings
    every: Rankings
    starts: Ints

    def within(self, measure: Measure, low: Floats, high: Floats, asked: Bools) -> bool:
        """Whether the bounds of those that are asked for contain each value that is defined.

        No, if there is no such value: silence tells nothing.
        """
        values = measure(self.every)
        least = np.fmin.reduceat(values, self.starts)
        most = np.fmax.reduceat(values, self.starts)
        concerned = asked & ~np.isnan(least)
        inside = (least >= low - SLACK) & (most <= high + SLACK)
        return bool(concerned.any() and inside[concerned].all())

    def leaves(self, measure: Measure) -> bool:
        """Whether a ranking that has a value as it is can lose it by what is in the holes."""
        lost = np.logical_or.reduceat(np.isnan(measure(self.every)), self.starts)
        return bool(np.any(lost & ~np.isnan(measure(self.view))))


@cache
def cases(words: tuple[str, ...], marks: str, scale: Scale) -> Cases:
    """The words, and with each of the marks in their holes."""
    filled = [assignments(word, marks) for word in words]
    starts = unit_offsets(np.asarray([len(ways) for ways in filled]))[:-1]
    every = tuple(each for ways in filled for each in ways)
    return Cases(graded(words, scale), graded(every, scale), starts)


def assignments(word: str, grades: str = "0123") -> list[str]:
    """Every way to fill the holes of a drawn ranking with grades."""
    filled = []
    for chosen in product(grades, repeat=word.count("?")):
        marks = iter(chosen)
        filled.append("".join(next(marks) if mark == "?" else mark for mark in word))
    return filled
