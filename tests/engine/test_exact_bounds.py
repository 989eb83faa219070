"""Bounds that are exact, however many holes there are."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from assay.core.names import measure
from assay.engine.bounds import value_bounds
from assay.testing import assignments, rankings

GRADES = np.arange(4.0)
GRADED = [
    "nDCG",
    "nDCG@3",
    "nDCG@6",
    "nDCG(gain=exp)",
    "nDCG(gain=binary)@5",
    "nDCG(gain={1:0.2,2:0.5,3:0.9})",
    "nDCG(ideal_depth=whole)@4",
    "nDCG(base=10)",
]


def _word(draw: np.random.Generator, marks: str, length: int, rest: int) -> str:
    listed = "".join(draw.choice(list(marks), length))
    return listed + "|" + "".join(draw.choice(list("-+23"), rest))


BINARY = [
    "R",
    "R@4",
    "R(rel=2)@3",
    "AP",
    "AP@4",
    "AP(denominator=found)",
    "AP(denominator=found)@4",
    "AP(denominator=reachable)@4",
    "PairAccuracy",
    "PairAccuracy(rel=2)@4",
]


@pytest.mark.parametrize("name", [*GRADED, *BINARY])
def test_no_assignment_is_beyond_and_one_reaches(name: str) -> None:
    draw, one = np.random.default_rng(5), measure(name, "retrieval")
    for _ in range(25):
        word = _word(draw, "???-+23", int(draw.integers(3, 10)), int(draw.integers(0, 5)))
        if not 1 <= word.count("?") <= 5:
            continue
        values, found = one(rankings(*assignments(word))), value_bounds(rankings(word), one, GRADES)
        if np.isnan(values).all():
            continue
        ends = np.nanmin(values), np.nanmax(values)
        assert (found.low[0], found.high[0]) == pytest.approx(ends, abs=1e-12), word
        assert found.kind == "exact"


def _falling(word: str, top: bool) -> list[str]:
    """Every way to fill the holes in which the grades fall from the top, or rise to the bottom."""
    filled = []
    for chosen in combinations_with_replacement("3210", word.count("?")):
        marks = iter(chosen if top else chosen[::-1])
        filled.append("".join(next(marks) if mark == "?" else mark for mark in word))
    return filled


@pytest.mark.parametrize("name", GRADED)
@pytest.mark.parametrize("marks", ["??-+23", "????????-3", "?"])
def test_bounds_of_long_lists_are_those_of_sorted_grades(name: str, marks: str) -> None:
    draw, one = np.random.default_rng(8), measure(name, "retrieval")
    for length in (6, 11, 17):
        word = _word(draw, marks, length, 5)
        both = [one(rankings(*_falling(word, top))) for top in (False, True)]
        found = value_bounds(rankings(word), one, GRADES)
        assert found.low[0] == pytest.approx(np.nanmin(both[0]), abs=1e-12), word
        assert found.high[0] == pytest.approx(np.nanmax(both[1]), abs=1e-12), word


@pytest.mark.parametrize("name", ["AP", "AP@120", "nDCG", "nDCG@120", "nDCG(gain=exp)"])
@pytest.mark.parametrize("listed", ["+{}-+{}+", "{}2{}", "3-{}--{}-+", "-{}++++++++++{}2-3"])
def test_the_valley_of_wide_gaps_is_found(name: str, listed: str) -> None:
    one, word = measure(name, "retrieval"), listed.format("?" * 150, "?" * 70)
    tried = []
    for best in range(221):
        marks = iter("0" * (220 - best) + "3" * best)
        tried.append("".join(next(marks) if mark == "?" else mark for mark in word) + "|+23")
    values = one(rankings(**{f"q{n:03d}": each for n, each in enumerate(tried)}))
    found = value_bounds(rankings(word + "|+23"), one, GRADES)
    assert found.low[0] == pytest.approx(values.min(), abs=1e-12)


@pytest.mark.parametrize("name", ["BPM(max_rel=3)@8", "BPM(max_rel=3,T=2,min_rel=1)@6"])
def test_the_gain_of_a_player_is_bounded_closely(name: str) -> None:
    draw, one, wider = np.random.default_rng(6), measure(name, "retrieval"), []
    for _ in range(40):
        word = _word(draw, "???-+23", int(draw.integers(3, 10)), 0)
        if not 1 <= word.count("?") <= 5:
            continue
        values, found = one(rankings(*assignments(word))), value_bounds(rankings(word), one, GRADES)
        assert found.low[0] <= values.min() + 1e-12, word
        assert found.high[0] >= values.max() - 1e-12, word
        wider.append(np.ptp([found.low[0], found.high[0]]) - np.ptp(values))
    assert np.mean(wider) < 0.02


def test_what_is_judged_throughout_is_certain_beside_what_is_not() -> None:
    view = rankings("+-2|3", "+?2|3")
    for name in ("bpref", "P+", "Rndcg", "BPM(max_rel=3)@8", "PairAccuracy", "G", "Compat"):
        one = measure(name, "retrieval")
        found = value_bounds(view, one, GRADES)
        assert found.low[0] == found.high[0] == one(view)[0]
        assert found.low_exact[0]
        assert found.high_exact[0]


@pytest.mark.parametrize(
    "name", ["AP", "AP@8", "infAP", "nDCG", "nDCG@8", "R@8", "bpref", "GMbpref", "Rprec", "RR", "Q"]
)
def test_bounds_of_a_query_do_not_depend_on_its_neighbours(name: str) -> None:
    draw, one = np.random.default_rng(9), measure(name, "retrieval")
    words = [_word(draw, "????-+3", length, 3) for length in (2, 30, 9, 50, 1)]
    words += ["?--?" * 5 + "|--", "-?" * 20]
    together = value_bounds(rankings(*words), one, GRADES)
    for place, word in enumerate(words):
        alone = value_bounds(rankings(word), one, GRADES)
        assert np.array_equal(
            [alone.low[0], alone.high[0]],
            [together.low[place], together.high[place]],
            equal_nan=True,
        )
