"""Small graded cases worked by hand."""

from __future__ import annotations

import math

import pytest

from assay.core.names import measure
from assay.testing import rankings


def one(name: str, word: str) -> float:
    return float(measure(name, "retrieval")(rankings(word))[0])


THIRD = 1 / math.log2(3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # The list is 2, unjudged, 1; a document of grade 3 was missed.
        ("CG@2", 2),
        ("nCG@2", 2 / 5),
        ("nCG", 3 / 6),
        ("DCG", 2 + 1 / 2),
        ("IDCG", 3 + 2 * THIRD + 1 / 2),
        ("nDCG", 2.5 / (3 + 2 * THIRD + 1 / 2)),
        ("nDCG@1", 2 / 3),
        ("nDCG(ideal=retrieved)", 2.5 / (2 + THIRD)),
        ("nDCG(ideal_depth=whole)@1", 2 / (3 + 2 * THIRD + 1 / 2)),
        ("nDCG(gain=binary)", (1 + 1 / 2) / (1 + THIRD + 1 / 2)),
        ("nDCG(gain={2:10})", (10 + 1 / 2) / (10 + 3 * THIRD + 1 / 2)),
        ("nDCG(discount=older)", (2 + THIRD) / (3 + 2 + THIRD)),
        ("nDCG(discount=older,base=3)", (2 + 1) / (3 + 2 + 1)),
        ("nDCG(base=10)", 2.5 / (3 + 2 * THIRD + 1 / 2)),
        ("ndcg_rel", (2 / 3 + 2 * 2.5 / (3 + 2 * THIRD + 1 / 2)) / 3),
        (
            "Rndcg",
            (2 / 3 + 2 / (3 + 2 * THIRD) + 2.5 / (3 + 2 * THIRD + 1 / 2)) / 3,
        ),
        # Costs 3, 5, 6; gains so far 2, 2, 3.
        ("G", (2 / math.log2(2 + 3 - 2) + 1 / math.log2(2 + 6 - 3)) / 6),
        ("ERR(gmax=3)", 3 / 8 + (5 / 8) * (1 / 8) / 3),
        ("ERR(gmax=3)@2", 3 / 8),
        ("ERR(gmax={1:0.1,2:0.5})", 0.5 + 0.5 * 0.1 / 3),
        ("nERR(gmax=3)@1", (3 / 8) / (7 / 8)),
        ("RBP(p=0.5)", 0.5 + 0.125),
        ("RBP(p=0.5,rel=2)", 0.5),
        ("RBP(p=0.5,gmax=3)", 0.5 * 2 / 3 + 0.125 / 3),
        ("RBP(p=0.5,gmax={1:0.2,2:1})", 0.5 + 0.125 * 0.2),
        ("RBP(p=0.5)@2", 0.5),
        ("RBP_residual(p=0.5)", 0.25 + 0.125),
        ("RBP_residual(p=0.5)@1", 0.5),
        ("Q", ((1 + 2) / (1 + 3) + (2 + 3) / (3 + 6)) / 3),
        ("Q@2", ((1 + 2) / (1 + 3)) / 2),
        ("Q(beta=10)", ((1 + 20) / (1 + 30) + (2 + 30) / (3 + 60)) / 3),
        ("O-measure", 3 / 4),
        ("P-measure", 3 / 4),
        ("P+", 3 / 4),
        ("NCU", (2 * 1 + 1 * 2 / 3) / 6),
        ("NCU(stop=rb,gamma=0.5)", (1 + 0.5 * 2 / 3) / 1.75),
    ],
)
def test_one_missed(name: str, value: float) -> None:
    assert one(name, "2?1|3") == pytest.approx(value)


def test_the_preferred_rank_is_that_of_the_first_best_document() -> None:
    # 1 at rank 1, 3 at rank 2: blended ratios (1+1)/(1+3) and (2+4)/(2+4).
    assert one("P-measure", "13") == pytest.approx(1)
    assert one("P+", "13") == pytest.approx((1 / 2 + 1) / 2)
    assert one("O-measure", "13") == pytest.approx(1 / 2)


def test_rndcg_of_trec_eval_forgets_the_end_of_a_list_longer_by_one() -> None:
    at_end = 1 / math.log2(3)
    assert one("Rndcg", "-+") == 0
    assert one("Rndcg(last=always)", "-+") == pytest.approx((0 + at_end) / 2)
    assert one("Rndcg", "-+-") == one("Rndcg(last=always)", "-+-") == pytest.approx(at_end / 2)


def test_fractional_gains_count() -> None:
    # trec_eval sorts gains by their difference as a whole number, and gives 0 here.
    assert one("nDCG(gain={1:0.2,2:0.5,3:0.9})", "321") == 1


def test_the_residual_counts_the_places_below_a_list_that_is_all_judged() -> None:
    # trec_eval 10 gives 0 here.
    assert one("RBP_residual(p=0.5)", "+-") == pytest.approx(0.25)
    assert one("RBP(p=0.5)", "++" + "+" * 60) == pytest.approx(1)


def test_nothing_is_known() -> None:
    for name in ("nDCG", "nCG", "Q", "O-measure", "P+", "NCU", "ERR(gmax=3)", "G", "Rndcg"):
        assert math.isnan(one(name, "-?-"))
    assert one("DCG", "-?-") == one("CG", "-?-") == 0
