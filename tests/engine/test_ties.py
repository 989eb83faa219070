"""Ties: every order of small groups is gone through by brute force."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from assay.core.catalogue import catalogue
from assay.core.conventions import profile
from assay.core.names import Measure, declared_variants, measure
from assay.engine.local import measure_view
from assay.engine.measure_facts import facts_of
from assay.engine.tie_values import TieAnalysis
from assay.evidence.alignment.align import align
from assay.evidence.tied_rankings import TiedRankings
from assay.evidence.views.rankings import Rankings
from assay.formats import containers

MEASURES = [
    each
    for definition in catalogue().values()
    if definition.view is Rankings and definition.aggregate != "whole"
    for each in declared_variants(definition)
]


def _view(grades: dict[str, dict[str, float]], scores: dict[str, dict[str, float]]) -> Rankings:
    judged, run = containers.to_judgments(grades), containers.to_run(scores)
    return align(judged, run, profile("assay")).rankings


def _case(seed: int) -> tuple[dict[str, float], dict[str, float]]:
    draw = np.random.default_rng(seed)
    docs = [f"d{n}" for n in range(5)]
    scores = {doc: float(draw.integers(0, 3)) for doc in docs}
    grades: dict[str, float] = {
        doc: int(draw.integers(0, 4)) for doc in docs if draw.random() < 0.7
    }
    return grades | {"x": 2}, scores


def _orders(scores: dict[str, float]) -> list[tuple[str, ...]]:
    return [
        order
        for order in permutations(sorted(scores))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]


ALL_GRADES = {"2": {"a": 0, "b": 1, "c": 2, "d": 3}}
"""What is known of a measure hangs on the grades that occur: so it is found out once."""
ANSWERED = {"2": {"a": 1.0}}
CASES = []
for number in range(8):
    own, given = _case(number)
    orders = _orders(given)
    names = [f"{n:04d}" for n in range(len(orders))]
    CASES.append(
        (
            _view({"1": own} | ALL_GRADES, {"1": given} | ANSWERED),
            _view(
                dict.fromkeys(names, own),
                {
                    name: {doc: -float(place) for place, doc in enumerate(order)}
                    for name, order in zip(names, orders, strict=True)
                },
            ),
        )
    )


@pytest.mark.parametrize("one", MEASURES, ids=str)
def test_every_order_of_small_groups(one: Measure) -> None:
    for tied, every in CASES:
        values, found = one(every), TieAnalysis(tied).values(one)
        if np.isnan(values).any():
            continue
        assert found.exact[0]
        assert found.expected[0] == pytest.approx(values.mean(), abs=1e-12)
        assert found.low[0] == pytest.approx(values.min(), abs=1e-12)
        assert found.high[0] == pytest.approx(values.max(), abs=1e-12)


ODD = [
    *("RR(rel=2)@2", "Success(rel=2)@2", "AP(rel=2)@2", "AP(rel=2,denominator=found)@2"),
    *("AP(denominator=found)@3", "bpref(rel=4)", "infAP(rel=4)", "RR(rel=4)", "Rprec(rel=2)"),
    *("DCG(gain={1:1,2:3,3:7,4:2})", "nDCG(gain={1:0.2,2:0.5,3:0.9})@3", "CG(gain={1:3,2:1})@2"),
    *("ERR(gmax={1:0.1,2:0.2,3:0.3,4:0.05})", "BPM(max_rel=1)@10", "Judged@2", "AP(rel=0.5)"),
    *("AP(judged_only=yes)", "nDCG(judged_only=yes)@2", "PairAccuracy(rel=2)", "P(rel=4)@2"),
]
SCALES = [(0.0, 1.0, 2.0, 3.0, 4.0), (0.0, 0.5, 1.0), (-1.0, 0.0, 1.0, 2.0), (4.0, 5.0)]


@pytest.mark.parametrize("scale", SCALES, ids=str)
@pytest.mark.parametrize("name", ODD)
def test_every_order_under_odd_parameters_and_grades(name: str, scale: tuple[float, ...]) -> None:
    one, draw = measure(name, "retrieval"), np.random.default_rng(7)
    for _ in range(12):
        docs = [f"d{n}" for n in range(draw.integers(2, 6))]
        scores = {doc: float(draw.integers(0, 2)) for doc in docs}
        grades = {doc: scale[draw.integers(len(scale))] for doc in [*docs, "x"]}
        if draw.random() < 0.5:
            del grades[docs[0]]
        orders = _orders(scores)
        lists = [{doc: -float(place) for place, doc in enumerate(order)} for order in orders]
        names = [f"{n:04d}" for n in range(len(orders))]
        every = _view(dict.fromkeys(names, grades), dict(zip(names, lists, strict=True)))
        values = measure_view(every, one).values
        if np.isnan(values).any():
            continue
        known = {"2": {f"y{n}": grade for n, grade in enumerate(scale)}}
        found = TieAnalysis(_view({"1": grades} | known, {"1": scores, "2": {"y0": 1.0}})).values(
            one
        )
        assert found.expected[0] == pytest.approx(values.mean(), abs=1e-12)
        assert found.low[0] == pytest.approx(values.min(), abs=1e-12)
        assert found.high[0] == pytest.approx(values.max(), abs=1e-12)


def _large() -> Rankings:
    docs = [f"d{n:02d}" for n in range(30)]
    grades = {doc: int(n % 5 == 0) for n, doc in enumerate(docs)}
    return _view({"1": grades}, {"1": dict.fromkeys(docs, 1.0)})


def test_a_sum_over_documents_has_an_exact_mean_in_large_groups() -> None:
    found = TieAnalysis(_large()).values(measure("P@10", "retrieval"))
    # 6 of 30 tied documents are relevant.
    assert found.exact
    assert found.expected[0] == pytest.approx(0.2)
    assert (found.low[0], found.high[0]) == (0.0, pytest.approx(0.6))


def test_reciprocal_rank_has_a_closed_form() -> None:
    found = TieAnalysis(_large()).values(measure("RR"))
    assert found.exact
    assert found.limits_exact
    assert (found.low[0], found.high[0]) == (pytest.approx(1 / 25), 1.0)
    expected = sum(
        np.prod([(24 - n) / (30 - n) for n in range(k)]) * 6 / (30 - k) / (k + 1) for k in range(25)
    )
    assert found.expected[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["AP", "AP@10", "RR@7", "ERR(gmax=3)", "ERR(gmax=3)@9", "nDCG@7"])
def test_closed_forms_agree_with_many_drawn_orders(name: str) -> None:
    tied, one = TiedRankings(_large()), measure(name, "retrieval")
    rows = tied.random_orders(0, 4000, seed=5)
    values = one(tied.with_ranks([0] * len(rows), rows))
    found = TieAnalysis(_large()).values(one)
    assert found.exact
    error = values.std() / np.sqrt(len(values))
    assert found.expected[0] == pytest.approx(values.mean(), abs=4 * error)


def test_other_measures_are_sampled_in_large_groups() -> None:
    found = TieAnalysis(_large()).values(measure("Q"))
    assert not found.exact
    assert found.limits_exact
    again = TieAnalysis(_large()).values(measure("Q"))
    assert again.expected[0] == found.expected[0]
    assert TieAnalysis(_large(), seed=2).values(measure("Q")).expected[0] != found.expected[0]


@pytest.mark.parametrize("name", ["ERR(gmax=1)", "nERR(gmax=1)"])
def test_only_the_query_with_a_very_large_group_is_sampled(name: str) -> None:
    large, one = [f"d{n:03d}" for n in range(400)], measure(name, "retrieval")
    grades = {"1": dict.fromkeys(large[::9], 1), "2": {"a": 1, "b": 0, "c": 1}}
    both = TieAnalysis(
        _view(grades, {"1": dict.fromkeys(large, 1.0), "2": dict.fromkeys("abc", 1.0)})
    ).values(one)
    alone = TieAnalysis(_view({"2": grades["2"]}, {"2": dict.fromkeys("abc", 1.0)})).values(one)
    assert both.exact.tolist() == [False, True]
    assert both.limits_exact.all()
    assert both.expected[1] == alone.expected[0]
    assert both.low[0] < both.expected[0] < both.high[0]


def test_what_adds_up() -> None:
    grades = (0.0, 1.0, 2.0, 3.0)
    adds_up = {
        name: facts_of(measure(name, "retrieval"), grades).sum_over_documents
        for name in ("P@5", "R@5", "nDCG", "RBP", "AP", "RR", "ERR(gmax=3)")
    }
    assert list(adds_up.values()) == [True] * 4 + [False] * 3
