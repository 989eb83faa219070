"""Where every resample gives the same number an interval without width would feign certainty."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

import assay
from assay.reports.text.score_notes import score_notes

RIGHT = {"truth": ["yes", "no"] * 10, "predicted": ["yes", "no"] * 10}
QRELS = {str(query): {"a": 1} for query in range(12)}
FIRST = {query: {"a": 2.0, "b": 1.0} for query in QRELS}
MIXED = {query: {"a": 2.0, "b": 1.0 + 2 * (int(query) % 3 == 0)} for query in QRELS}


def wilson(successes: int, trials: int) -> Any:
    """Wilson's interval by another library."""
    return pytest.approx(proportion_confint(successes, trials, method="wilson"), abs=1e-12)


@pytest.mark.parametrize("method", ["expanded", "percentile", "bca"])
def test_a_perfect_share_of_items_has_wilsons_interval(method: str) -> None:
    asked = assay.Bootstrap(method=method)
    accuracy, recall = assay.classification(
        RIGHT, "ACC TPR", predicted="predicted", interval=asked
    ).results
    assert (accuracy.low, accuracy.high) == wilson(20, 20)
    assert (recall.low, recall.high) == wilson(10, 10)
    assert accuracy.interval == recall.interval == "wilson at a bound"


def test_what_is_no_share_has_no_interval_and_the_legend_says_why() -> None:
    scores = assay.classification(
        RIGHT, "ACC MCC F kappa TPR(average=macro)", predicted="predicted"
    )
    assert [math.isnan(each.low) for each in scores.results] == [False, True, True, True, True]
    assert {each.interval for each in scores.results[1:]} == {"no width"}
    said = score_notes(scores)
    assert "ACC: all at a bound, so that no resample differs: Wilson's interval" in said
    assert said[-1].startswith(
        "MCC, F, kappa, TPR(average=macro): no resample differs, so that there is no"
    )


def test_areas_of_scores_that_part_the_classes_have_no_interval() -> None:
    data = {"truth": ["a"] * 9 + ["b"] * 9, "score": np.linspace(0, 1, 18)}
    scores = assay.classification(data, "AUC AP", score="score", positive="b")
    assert {each.interval for each in scores.results} == {"no width"}


def test_queries_that_are_all_at_a_bound_have_wilsons_interval() -> None:
    found = assay.retrieval(QRELS, {"one": FIRST}, "RR P@1 P@2 DCG@2 GMAP")
    by_name = {each.measure: each for each in found.results}
    assert (by_name["RR"].low, by_name["RR"].high) == wilson(12, 12)
    assert (by_name["P@1"].low, by_name["P@1"].high) == wilson(12, 12)
    for name in ("P@2", "DCG@2", "GMAP"):  # inside its bounds; without an upper one; no mean
        assert by_name[name].interval == "no width", name


def test_items_at_the_lower_bound_reach_as_far_as_the_measure_does() -> None:
    data = {"truth": ["a", "b"] * 15, "a": [1.0, 0.0] * 15, "b": [0.0, 1.0] * 15}
    brier = assay.classification(data, "Brier", probabilities=["a", "b"]).results[0]
    low, high = proportion_confint(0, 30, method="wilson")
    assert (brier.low, brier.high) == pytest.approx((2 * low, 2 * high), abs=1e-12)
    values = {"truth": [1.0, 2, 3], "predicted": [1.0, 2, 3]}
    assert {each.interval for each in assay.regression(values, "MAE RMSE R2").results} == {
        "no width"
    }


def test_one_query_shows_no_spread_and_needs_no_reason() -> None:
    found = assay.retrieval({"1": {"a": 1}}, {"one": {"1": {"a": 1.0}}}, "RR").results[0]
    assert math.isnan(found.low)
    assert found.interval == ""


def test_clusterings_and_costs_without_spread_have_no_interval() -> None:
    clusters = {"item": list("abcdef"), "class": list("xxyyzz"), "cluster": list("112233")}
    found = assay.clustering(clusters, "ARI purity", cluster="cluster", classes="class")
    assert [each.interval for each in found.results] == ["no width", "wilson"]


def test_a_comparison_gives_a_system_the_interval_of_its_task() -> None:
    scores = assay.retrieval(QRELS, {"one": FIRST, "two": MIXED, "three": FIRST}, "RR DCG@2")
    found = assay.compare(scores)
    for row in found.systems.iter_rows(named=True):
        one = next(e for e in scores.of(row["measure"]) if e.system == row["system"])
        assert (row["low"], row["high"]) == pytest.approx((one.low, one.high), nan_ok=True)
        assert row["interval"] == one.interval
    tied = found.pairs.filter(system="three", baseline="one")
    assert tied["interval"].to_list() == ["no width"] * 2
    assert tied["low"].is_nan().all()
    said = " ".join(repr(found).split())
    assert "RR of one and 1 more: all at a bound" in said
    assert "DCG@2 of one and 1 more: no resample differs" in said


def test_a_comparison_of_tables_says_so_too() -> None:
    wrong = {**RIGHT, "item": list(range(20)), "other": ["no"] * 5 + RIGHT["predicted"][5:]}
    systems = [
        assay.classification(wrong, "ACC MCC", predicted=column, item="item", name=column)
        for column in ("predicted", "other")
    ]
    ways = assay.compare(systems).systems.sort("measure", "system")["interval"].to_list()
    assert ways == ["wilson of few outcomes", "wilson at a bound", "expanded", "no width"]
