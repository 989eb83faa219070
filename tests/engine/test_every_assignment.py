"""Bounds against every assignment: many holes, grades worth less than others, high thresholds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.core.catalogue import catalogue
from assay.core.names import Measure, declared_variants, measure
from assay.engine.bounds import BoundsFinder
from assay.evidence.views.rankings import Rankings
from assay.testing import assignments, rankings

RANKED = [
    each
    for definition in catalogue().values()
    if definition.view is Rankings and definition.aggregate != "whole"
    for each in declared_variants(definition)
]


class Enumerated:
    """Rankings, and the values of every way to fill their holes with some of the grades."""

    def __init__(self, words: list[str], marks: str, grades: list[float]) -> None:
        self.words, self.grades = words, np.asarray(grades, dtype=np.float64)
        filled = [assignments(word, marks) for word in words]
        self.view = self._drawn(words)
        self.every = self._drawn([each for ways in filled for each in ways])
        self.starts = np.cumsum([0, *(len(ways) for ways in filled[:-1])])

    def _drawn(self, words: list[str]) -> Rankings:
        view = rankings(corpus=60, **{f"q{n:06d}": word for n, word in enumerate(words)})
        hits, pool = (
            replace(each, grade=self.grades[each.grade.astype(np.int64)])
            for each in (view.hits, view.pool)
        )
        return replace(view, hits=hits, pool=pool)

    def check(self, one: Measure) -> None:
        found, values = BoundsFinder(self.view, self.grades).bounds(one), one(self.every)
        least, most = (each.reduceat(values, self.starts) for each in (np.fmin, np.fmax))
        known = ~np.isnan(least)
        inside = (found.low <= least + 1e-9) & (found.high >= most - 1e-9)
        assert not self._where(known & ~inside)
        reached = np.abs(found.low - least) <= 1e-9
        assert not self._where(known & found.low_exact & ~reached)
        reached = np.abs(found.high - most) <= 1e-9
        assert not self._where(known & found.high_exact & ~reached)

    def _where(self, flags: np.ndarray) -> list[str]:
        return [self.words[place] for place in np.flatnonzero(flags)]


def _words(seed: int, marks: str, rest: str, holes: range, count: int) -> list[str]:
    draw = np.random.default_rng(seed)
    words: list[str] = []
    while len(words) < count:
        listed = "".join(draw.choice(list(marks), draw.integers(holes.start, holes.stop + 3)))
        if listed.count("?") in holes:
            words.append(listed + "|" + "".join(draw.choice(list(rest), draw.integers(0, 6))))
    return words


MANY = Enumerated(
    [
        "-???+-???-??|++--",
        "-????+???|-+--+",
        "?+?????+-+++|-",
        "?++-???????|-",
        "?-??-????|--",
        *_words(1, "???-+", "-+", range(6, 9), 5),
    ],
    "01",
    [0, 1],
)
GRADED = ["????-3|", "?-?1?|1-", *_words(2, "???-+23", "-+23", range(1, 5), 12)]
SCALES = {
    "0 to 3": Enumerated(GRADED, "0123", [0, 1, 2, 3]),
    "1 3 4": Enumerated(GRADED, "0123", [0, 1, 3, 4]),
    "halves": Enumerated(GRADED, "0123", [0, 0.5, 1, 2]),
    "4 to 6": Enumerated(GRADED, "0123", [0, 2, 4, 6]),
}


@pytest.mark.parametrize("one", RANKED, ids=str)
def test_many_holes(one: Measure) -> None:
    MANY.check(one)


@pytest.mark.parametrize("scale", ["1 3 4", "halves"])
@pytest.mark.parametrize(
    "name",
    [
        "nDCG(gain={1:10,2:20,3:30})",
        "nDCG(gain={1:0.2,2:0.5,3:0.9})@3",
        "nDCG(gain={1:-1,2:2,3:3})",
        "DCG(gain={1:10,2:20,3:30})@4",
        "CG(gain={1:3,2:0,3:1})",
        "nCG(gain={1:3,2:2,3:1})@3",
        "Q(gain={1:3,2:2,3:1})",
        "ERR(gmax={1:0.2,2:0.5,3:0.7})@4",
        "nERR(gmax={1:0.5,2:0.2,3:0.4})",
        "RBP(gmax={1:0.5,2:0.2,3:0.9})",
    ],
)
def test_tables_that_do_not_rise_with_the_grades(name: str, scale: str) -> None:
    SCALES[scale].check(measure(name, "retrieval"))


def _with_rel(name: str, rel: int) -> str:
    head, at, cutoff = name.partition("@")
    return f"{head}(rel={rel}){at}{cutoff}"


@pytest.mark.parametrize("name", ["AP", "R@3", "RR", "RR@2", "Rprec", "PairAccuracy", "infAP"])
def test_no_bound_is_called_exact_that_holes_of_grade_0_would_have(name: str) -> None:
    SCALES["0 to 3"].check(measure(_with_rel(name, 0), "retrieval"))


@pytest.mark.parametrize("rel", [3, 4, 5])
@pytest.mark.parametrize(
    "name", ["AP", "AP@3", "RR", "RR@2", "R@3", "Rprec", "bpref", "infAP", "F"]
)
def test_high_thresholds(name: str, rel: int) -> None:
    SCALES["4 to 6"].check(measure(_with_rel(name, rel), "retrieval"))


@pytest.mark.parametrize("name", ["Rprec", "BEP", "Rprec_mult@0.5", "Rprec(rel=2)"])
def test_precision_at_a_depth_that_judgments_move_has_exact_bounds(name: str) -> None:
    found = BoundsFinder(MANY.view, np.asarray([0.0, 2.0])).bounds(measure(name, "retrieval"))
    assert found.kind == "exact"


def test_more_holes_than_are_tried_singly_leave_the_limits() -> None:
    view = rankings("+" + "?" * 70 + "|+", "+?-|+")
    found = BoundsFinder(view, np.asarray([0.0, 1.0])).bounds(measure("E", "retrieval"))
    assert (found.low[0], found.high[0], found.kind) == (0.0, 1.0, "limits")
    assert found.low[1] > 0
    assert found.derived.tolist() == [False, True]
