"""Bounds: they contain the value of every assignment of grades to the holes, for every measure."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.catalogue import catalogue
from assay.core.names import Measure, declared_variants, measure
from assay.engine.bounds import BoundsFinder, has_bounds, value_bounds
from assay.engine.document_weights import Factors
from assay.engine.extremes import Bounds
from assay.evidence.views.rankings import Rankings
from assay.testing import assignments, rankings

MEASURES = [
    each
    for definition in catalogue().values()
    if definition.view is Rankings and definition.aggregate != "whole"
    for each in declared_variants(definition)
    if has_bounds(each) or each.definition.over_holes
]
GRADES = np.asarray([0.0, 1.0, 2.0, 3.0])


def _words(count: int, seed: int) -> list[str]:
    draw = np.random.default_rng(seed)
    words: list[str] = []
    while len(words) < count:
        listed = "".join(draw.choice(list("??-+23"), draw.integers(1, 8)))
        if 1 <= listed.count("?") <= 3:
            words.append(listed + "|" + "".join(draw.choice(list("-+23"), draw.integers(0, 4))))
    return words


WORDS = _words(80, seed=7)
FILLED = [assignments(word) for word in WORDS]


def _named(words: list[str]) -> Rankings:
    return rankings(**{f"q{n:06d}": word for n, word in enumerate(words)})


EVERY = _named([word for filled in FILLED for word in filled])
ENDS = np.cumsum([len(filled) for filled in FILLED])


def _hold(found: Bounds, place: int, known: np.ndarray, word: str) -> None:
    """The bounds of one ranking contain its values, and are reached where they say so."""
    assert found.low[place] - 1e-9 <= known.min(), word
    assert known.max() <= found.high[place] + 1e-9, word
    if found.low_exact[place]:
        assert known.min() == pytest.approx(found.low[place], abs=1e-9), word
    if found.high_exact[place]:
        assert known.max() == pytest.approx(found.high[place], abs=1e-9), word


@pytest.mark.parametrize("one", MEASURES, ids=str)
def test_bounds_contain_every_assignment(one: Measure) -> None:
    found = value_bounds(_named(WORDS), one, GRADES)
    for place, values in enumerate(np.split(one(EVERY), ENDS[:-1])):
        known = values[~np.isnan(values)]
        if np.isnan(found.low[place]) or not len(known):
            continue
        _hold(found, place, known, WORDS[place])


RANKED = [
    each
    for definition in catalogue().values()
    if definition.view is Rankings and definition.aggregate != "whole"
    for each in declared_variants(definition)
]
OPEN_WORDS = ["?", "-?", "?-|--", "??", "-?-?", "??--?|-", "?---?", "---?", "1?-?", "?1?|1", "???-"]
OPEN_FILLED = [assignments(word) for word in OPEN_WORDS]
OPEN_EVERY = [word for filled in OPEN_FILLED for word in filled]
OPEN_ENDS = np.cumsum([len(filled) for filled in OPEN_FILLED])


@pytest.mark.parametrize("one", RANKED, ids=str)
def test_bounds_of_undefined_queries_contain_what_would_define_them(one: Measure) -> None:
    view = rankings(corpus=30, **{f"q{n:02d}": word for n, word in enumerate(OPEN_WORDS)})
    every = rankings(corpus=30, **{f"q{n:06d}": word for n, word in enumerate(OPEN_EVERY)})
    found, now = value_bounds(view, one, GRADES), one(view)
    for place, values in enumerate(np.split(one(every), OPEN_ENDS[:-1])):
        known = values[~np.isnan(values)]
        if not np.isnan(now[place]) or not len(known):
            continue
        _hold(found, place, known, OPEN_WORDS[place])


def test_the_well_known_measures_have_bounds() -> None:
    names = "AP nDCG nDCG@10 P@10 R@10 RR RR@10 Rprec RBP DCG Q ERR(gmax=4)@10 Success@5 F@10"
    assert all(has_bounds(measure(name, "retrieval")) for name in names.split())


@pytest.mark.parametrize("name", ["AP", "nDCG", "P@3", "R@2", "RR", "Rprec", "nDCG@3", "F"])
def test_binary_bounds_of_few_holes_are_exact(name: str) -> None:
    word = "?+?-?|++"
    values = measure(name, "retrieval")(rankings(*assignments(word, "01")))
    found = value_bounds(rankings(word), measure(name, "retrieval"), np.asarray([0.0, 1.0]))
    assert found.kind == "exact"
    assert (found.low[0], found.high[0]) == pytest.approx((values.min(), values.max()))


def test_average_precision_can_fall_when_a_document_at_the_bottom_is_relevant() -> None:
    found = value_bounds(rankings("+-?"), measure("AP", "retrieval"), np.asarray([0.0, 1.0]))
    assert measure("AP", "retrieval")(rankings("+-?"))[0] == 1.0
    assert (found.low[0], found.high[0]) == pytest.approx(((1 + 2 / 3) / 2, 1.0))


def test_where_all_is_judged_there_is_no_doubt() -> None:
    for each in MEASURES:
        found = value_bounds(rankings("+-2|3"), each, GRADES)
        assert found.low[0] == found.high[0] or np.isnan(found.low[0])


def test_a_measure_that_looks_at_who_was_judged_has_its_limits_only() -> None:
    found = value_bounds(rankings("+?-+", "+-+-"), measure("RBP_residual"))
    assert found.kind == "limits"
    assert (found.low[0], found.high[0]) == (0.0, 1.0)
    assert found.low[1] == found.high[1]


def test_many_holes_are_bounded_from_outside() -> None:
    word = "+" + "?" * 60 + "-+|+++"
    found = value_bounds(rankings(word), measure("AP", "retrieval"), np.asarray([0.0, 1.0]))
    draw = np.random.default_rng(4)
    for _ in range(200):
        share = draw.random()
        marks = "".join("+" if draw.random() < share else "-" for _ in range(60))
        value = measure("AP", "retrieval")(rankings("+" + marks + "-+|+++"))[0]
        assert found.low[0] <= value <= found.high[0]


def test_shared_lists_give_the_same_bounds() -> None:
    view = _named(WORDS)
    together = BoundsFinder(view, GRADES)
    for each in MEASURES[::7]:
        shared, own = together.bounds(each), value_bounds(view, each, GRADES)
        for name in ("low", "high", "low_exact", "high_exact", "derived"):
            assert np.array_equal(getattr(shared, name), getattr(own, name), equal_nan=True), name


@pytest.mark.slow
def test_later_truth_lies_within_the_bounds() -> None:
    """Judge a random part of a full truth; the value under the full truth is never outside."""
    draw = np.random.default_rng(11)
    for _ in range(100):
        truth = draw.choice(list("---+23"), 40)
        seen = draw.random(40) < draw.uniform(0.2, 0.9)
        word = "".join(np.where(seen, truth, "?"))
        for name in ("AP", "nDCG", "nDCG@10", "P@10", "RR", "R@20", "Rprec", "RBP"):
            found = value_bounds(rankings(word + "|+2"), measure(name, "retrieval"), GRADES)
            value = measure(name, "retrieval")(rankings("".join(truth) + "|+2"))[0]
            assert found.low[0] - 1e-9 <= value <= found.high[0] + 1e-9


@pytest.mark.parametrize("name", ["AP", "AP@20", "RR", "nDCG", "nDCG@20", "R@30", "P@10", "RBP"])
def test_bounds_of_long_lists_contain_drawn_assignments(name: str) -> None:
    draw = np.random.default_rng(3)
    one, word = measure(name, "retrieval"), "".join(draw.choice(list("????-+23"), 60))
    found = value_bounds(rankings(word + "|" + "+23-" * 6), one, GRADES)
    chances = ([1, 0, 0, 0], [0, 0, 0, 1], [0.25] * 4, [0.8, 0.1, 0.05, 0.05])
    for number in range(80):
        marks = iter(draw.choice(list("0123"), 60, p=chances[number % 4]))
        filled = "".join(next(marks) if mark == "?" else mark for mark in word)
        value = one(rankings(filled + "|" + "+23-" * 6))[0]
        assert found.low[0] - 1e-9 <= value <= found.high[0] + 1e-9


@pytest.mark.parametrize("name", ["AP", "AP(rel=2)", "AP@20", "GMAP", "RR", "RR@5"])
def test_declared_extremes_are_those_of_the_best_number_of_relevant_holes(name: str) -> None:
    draw = np.random.default_rng(4)
    one, word = measure(name, "retrieval"), "".join(draw.choice(list("???-+3"), 40))
    holes, tried = word.count("?"), []
    for number in range(holes + 1):
        for marks in ("3" * number + "0" * (holes - number), "0" * (holes - number) + "3" * number):
            each = iter(marks)
            tried.append("".join(next(each) if m == "?" else m for m in word) + "|+-3")
    values = one(rankings(*tried))
    found = value_bounds(rankings(word + "|+-3"), one, GRADES)
    assert (found.low[0], found.high[0]) == pytest.approx((values.min(), values.max()))
    assert found.kind == "exact"


@pytest.mark.parametrize("name", ["F", "nCG@3", "F(rel=2)@2"])
def test_factors_are_kept_only_for_the_same_pools(name: str) -> None:
    shared, one = Factors(), measure(name, "retrieval")
    for word in ("?+?-|3", "?+?-|33", "?+?-?|33", "?+?-|3"):
        view = rankings(word)
        alone, kept = (BoundsFinder(view, GRADES, each).bounds(one) for each in (Factors(), shared))
        assert (alone.low, alone.high) == (kept.low, kept.high)


@pytest.mark.parametrize("name", ["fallout", "fallout(rel=2)", "generality", "ACC"])
def test_bounds_of_what_needs_the_size_of_the_collection(name: str) -> None:
    one = measure(name, "retrieval")
    for word in WORDS[:40]:
        values = one(rankings(*assignments(word), corpus=30))
        found = value_bounds(rankings(word, corpus=30), one, GRADES)
        assert (found.low[0], found.high[0]) == pytest.approx((values.min(), values.max()))
        assert found.kind == "exact"


OTHERS = ["bpref", "infAP", "G", "P+", "P-measure", "Rndcg", "PairAccuracy", "BPM(max_rel=3)@9"]


@pytest.mark.parametrize("name", [*OTHERS, "Compat", "NumRel"])
def test_bounds_are_better_than_the_limits_of_the_measure(name: str) -> None:
    found = value_bounds(rankings("+2-+?-+--?-|+3--"), measure(name, "retrieval"), GRADES)
    assert found.derived
    assert found.low[0] > 0
    assert found.high[0] < 1 or name == "NumRel"


@pytest.mark.parametrize("name", [*OTHERS, "AP(denominator=found)", "Compat@20"])
def test_other_bounds_of_long_lists_contain_drawn_assignments(name: str) -> None:
    draw = np.random.default_rng(6)
    one = measure(name, "retrieval")
    for _ in range(4):
        word, rest = "".join(draw.choice(list("???--+23"), 40)), "|" + "+23--" * 3
        found = value_bounds(rankings(word + rest), one, GRADES)
        for number in range(60):
            share = (0.02, 0.2, 0.5, 0.95)[number % 4]
            marks = iter(draw.choice(list("0123"), 40, p=[1 - share, *([share / 3] * 3)]))
            filled = "".join(next(marks) if mark == "?" else mark for mark in word)
            value = one(rankings(filled + rest))[0]
            assert found.low[0] - 1e-9 <= value <= found.high[0] + 1e-9
