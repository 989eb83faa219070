"""Sampled judgments: identities with AP, infAP and nDCG, unbiasedness, and bad samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay import measure
from assay.core.errors import AlignmentError
from assay.testing import rankings, sampled

words = st.builds(
    lambda found, rest: f"{found}|{rest}", st.text("?-+2", max_size=9), st.text("-+2", max_size=4)
)
holed = st.builds(
    lambda found, rest: f"{found}|{rest}", st.text("?-+2~", max_size=9), st.text("-+2~", max_size=4)
)


def _same(one: float, other: float) -> bool:
    return (np.isnan(one) and np.isnan(other)) or one == pytest.approx(other, abs=1e-12)


@given(words, st.sampled_from([1, 2]))
def test_with_everything_drawn_it_is_ap_and_ndcg(word: str, rel: int) -> None:
    plain = measure(f"AP(rel={rel})", "retrieval")(rankings(word))[0]
    strata = ("ab" * 10)[: len(word.replace("?", "").replace("|", ""))]
    assert _same(measure(f"xinfAP(rel={rel})")(sampled(word, strata))[0], plain)
    assert _same(measure(f"statAP(rel={rel})")(sampled(word))[0], plain)
    ndcg = measure("nDCG@5")(rankings(word))[0]
    assert _same(measure("infNDCG@5")(sampled(word, strata))[0], ndcg)


@given(holed.filter(lambda word: "~" in word and set(word) & set("-+2")))
def test_with_one_stratum_it_is_infap(word: str) -> None:
    assert _same(measure("xinfAP")(sampled(word))[0], measure("infAP")(rankings(word))[0])


def test_two_strata_by_hand() -> None:
    # Stratum a is drawn wholly (+, -), of b one of two (+), the other is unknown.
    view = sampled("+~-+|", strata="abab")
    # R = 1 + 2; at rank 4: itself, all of a above gives 1 of 2, of b above nothing was drawn.
    smoothed = 1 * 1e-5 / 2e-5
    expected = (1 * 1.0 + 2 * (1 + 1 + smoothed) / 4) / 3
    assert measure("xinfAP")(view)[0] == pytest.approx(expected)


@pytest.mark.slow
def test_estimates_are_right_on_average() -> None:
    draw = np.random.default_rng(8)
    truth = "".join(draw.choice(list("-----++2"), 120))
    full = measure("AP", "retrieval")(rankings(truth))[0]
    estimates: dict[str, list[float]] = {"xinfAP": [], "statAP": []}
    for _ in range(600):
        kept = np.concatenate((np.ones(30, bool), draw.permutation(90) < 30))
        word = "".join(np.where(kept, list(truth), "~"))
        view = sampled(word, strata="a" * 30 + "b" * 90)
        for name, values in estimates.items():
            values.append(measure(name)(view)[0])
    for name, values in estimates.items():
        error = np.std(values) / np.sqrt(len(values))
        # Ratios of estimates have a bias of the order 1/n beside the sampling error.
        assert abs(np.mean(values) - full) < 3 * error + 0.02, name


RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}


def _judgments(**columns: list[object]) -> dict[str, list[object]]:
    own: dict[str, list[object]] = {"query": ["1"] * 3, "doc": ["a", "b", "c"], "grade": [1, 0, 1]}
    return own | columns


def test_probabilities_and_strata_come_as_columns() -> None:
    table = _judgments(probability=[1.0, 0.5, 0.5])
    value = assay.retrieval(table, RUN, "statAP", interval=None).results[0].value
    assert value == pytest.approx((1 * 1 + 2 * (1 + 1) / 3) / 3)
    table = _judgments(stratum=["x", "x", "y"])
    assert assay.retrieval(table, RUN, "xinfAP", interval=None).results[0].value == pytest.approx(
        measure("AP", "retrieval")(rankings("+-+"))[0]
    )


def test_a_probability_outside_its_range_is_refused() -> None:
    with pytest.raises(
        AlignmentError, match=r"row 2: document b of query 1: the probability is 1.5"
    ):
        assay.retrieval(_judgments(probability=[1.0, 1.5, 0.5]), RUN, "statAP", interval=None)


def test_a_stratum_without_judgments_is_refused() -> None:
    table = _judgments(stratum=["x", "x", "y"]) | {"grade": [1, 0, -1]}
    with pytest.raises(AlignmentError, match="no document of stratum y of query 1 was judged"):
        assay.retrieval(table, RUN, "xinfAP", interval=None)


def test_plain_judgments_are_refused() -> None:
    with pytest.raises(AlignmentError, match="need a stratum or a probability"):
        assay.retrieval({"1": {"a": 1}}, RUN, "xinfAP", interval=None)


def test_probabilities_of_documents_are_no_strata() -> None:
    table = _judgments(probability=[1.0, 0.5, 0.25])
    found = assay.retrieval(table, RUN, "xinfAP infNDCG", interval=None)
    xinfap, ndcg = found.results
    assert np.isnan(xinfap.value)
    assert "use statAP for probabilities" in str(xinfap.reasons[0])
    # One document at rank 1, and four at rank 3; in the ideal list ranks 1 to 5.
    discount = 1 / np.log2(np.arange(2, 7))
    assert ndcg.value == pytest.approx((1 + 4 / np.log2(4)) / discount.sum())


def test_strata_may_state_their_probabilities() -> None:
    strata = {"stratum": ["x", "y", "y"], "grade": [1, -1, 1]}
    alone = assay.retrieval(_judgments(**strata), RUN, "xinfAP infNDCG", interval=None)
    both = _judgments(**strata, probability=[1.0, 0.5, 0.5])
    found = assay.retrieval(both, RUN, "xinfAP infNDCG", interval=None)
    assert [each.value for each in found.results] == [each.value for each in alone.results]


def test_infndcg_of_prels_is_right_on_average() -> None:
    draw = np.random.default_rng(5)
    grades = draw.choice([0, 0, 0, 1, 2], 100)
    docs = [f"d{number:03}" for number in range(100)]
    run = {"1": {doc: 200.0 - number for number, doc in enumerate(docs)}}
    full = assay.retrieval({"1": dict(zip(docs, grades.tolist(), strict=True))}, run, "nDCG")
    chance = np.where(np.arange(100) < 20, 0.9, 0.4)
    values = []
    for _ in range(60):
        kept = np.flatnonzero(draw.random(100) < chance)
        table = {
            "query": ["1"] * len(kept),
            "doc": [docs[place] for place in kept],
            "grade": grades[kept].tolist(),
            "probability": chance[kept].tolist(),
        }
        values.append(assay.retrieval(table, run, "infNDCG", interval=None).results[0].value)
    error = np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(values) - full.results[0].value) < 3 * error + 0.02
    assert abs(np.mean(values) - full.results[0].value) < 0.1


def _with_probabilities(probability: float) -> assay.Scores:
    import polars as pl

    qrels = pl.DataFrame(
        {"query": ["1", "1"], "doc": ["a", "b"], "grade": [1, 1], "probability": [probability, 1.0]}
    )
    return assay.retrieval(qrels, {"1": {"a": 2.0, "b": 1.0}}, "statAP", interval=None)


def test_an_estimate_above_one_is_told_with_the_reason() -> None:
    # The document a stands for ten: precision 1 at rank 1, and (1 + 10) / 2 at rank 2.
    scores = _with_probabilities(0.1)
    assert scores.results[0].value == pytest.approx((10 * 1 + 11 / 2) / 11)
    told = [each for each in scores.warnings if "statAP lies above 1" in each]
    assert len(told) == 1
    assert "1 of 1 queries (query 1: 1.409)" in told[0]
    assert not [each for each in _with_probabilities(1.0).warnings if "lies above" in each]


def test_the_trace_of_an_estimate_arrives_from_the_files() -> None:
    import polars as pl

    qrels = pl.DataFrame(
        {
            "query": ["1"] * 4,
            "doc": list("abcd"),
            "grade": [2, -1, 0, 1],
            "stratum": ["s", "s", "t", "t"],
        }
    )
    run = {"1": {"a": 3.0, "b": 2.0, "d": 1.0}}
    for name in ("xinfAP", "infNDCG", "statAP"):
        made = assay.explain_retrieval(qrels, run, name, "1")
        assert made.table[-1].row(0)[-1] == pytest.approx(made.value)
        assert made.table["document"].to_list()[0] == "a"
