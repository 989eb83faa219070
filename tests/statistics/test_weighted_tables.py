"""Comparisons of whole tables whose items have weights."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.statistics.delong import delong_test
from tests.statistics.two_classifiers import (
    SCORES,
    SIZE,
    TRUTH,
    evaluated,
    frame,
)

import assay
from assay.core.errors import DataError


def with_weights(weight: np.ndarray, measures: str) -> pl.DataFrame:
    """What is sure of all measures of two classifiers whose items weigh so much."""
    scores = [
        evaluated(
            frame(name).with_columns(
                pl.Series("w", weight), score=1 / (1 + np.exp(-SCORES[name] + 0.6))
            ),
            name,
            measures,
            weight="w",
        )
        for name in "ab"
    ]
    return assay.compare(scores, baseline="a", margin=0.05).pairs


FACTS = ("low", "high", "p", "equivalence_p", "better_chance")


@pytest.mark.parametrize("unit", [0.01, 10.0])
def test_p_and_interval_are_the_same_in_whatever_unit_items_weigh(unit: float) -> None:
    measures = "AUC Gini KS AP AUC(max_fpr=0.3) MCC F kappa ACC LogLoss ECE"
    weight = 1.0 + np.arange(SIZE) % 3
    one, other = with_weights(weight, measures), with_weights(unit * weight, measures)
    for fact in FACTS:
        np.testing.assert_allclose(one[fact], other[fact], rtol=1e-6, atol=1e-12, err_msg=fact)


@pytest.mark.parametrize("unit", [0.01, 10.0])
def test_so_it_is_for_predictors_and_clusterings(unit: float) -> None:
    random = np.random.default_rng(4)
    truth = random.normal(size=60)
    data = {"y": truth, "id": np.arange(60), "m": truth + random.normal(0, 0.5, 60)}
    data["n"] = truth + random.normal(0, 0.6, 60)
    weight = 1.0 + np.arange(60) % 3
    found = []
    for each in (weight, unit * weight):
        scores = [
            assay.regression(
                data | {"w": each}, "RMSE R2", truth="y", predicted=n, name=n, item="id", weight="w"
            )
            for n in "mn"
        ]
        found.append(assay.compare(scores, margin=0.05).pairs)
    classes = random.integers(0, 3, 60)
    table = {"class": classes}
    for name, noise in (("good", 0.3), ("poor", 0.6)):
        table[name] = np.where(random.random(60) < noise, random.integers(0, 3, 60), classes)
    clusters = assay.clustering(table, "NMI ARI purity", cluster=["good", "poor"])
    for factor in (1.0, unit):
        weights = {str(n + 1): factor * float(weight[n]) for n in range(60)}
        found.append(assay.compare(clusters, weights=weights, margin=0.05).pairs)
    for one, other in (found[:2], found[2:]):
        for fact in FACTS:
            np.testing.assert_allclose(one[fact], other[fact], rtol=1e-6, atol=1e-9, err_msg=fact)


def test_items_without_weight_are_as_items_that_are_not_there() -> None:
    kept = np.arange(SIZE) % 4 > 0
    row = with_weights(np.where(kept, 5.0, 0.0), "AUC").row(0, named=True)
    theirs = delong_test(TRUTH[kept], SCORES["a"][kept], SCORES["b"][kept])
    assert row["p"] == pytest.approx(theirs.p, rel=1e-9)
    weights = {str(n + 1): float(n % 4 > 0) for n in range(SIZE)}
    table = {"class": TRUTH, "a": SCORES["a"] > 0.6, "b": SCORES["b"] > 0.6}
    some = {name: column[kept] for name, column in table.items()}
    whole, part = (
        assay.compare(assay.clustering(each, "NMI", cluster=["a", "b"]), weights=given).pairs
        for each, given in ((table, weights), (some, None))
    )
    assert whole["difference"][0] == pytest.approx(part["difference"][0], rel=1e-9)
    assert whole["p"][0] == pytest.approx(part["p"][0], rel=0.02)


def test_another_weight_is_refused() -> None:
    scores = [
        evaluated(frame(name).with_columns(w=pl.lit(weight)), name, "MCC", weight="w")
        for name, weight in (("a", 1.0), ("b", 2.0))
    ]
    with pytest.raises(DataError, match=r"the weight of the item 'i000' is 1.0 in a and 2.0 in b"):
        assay.compare(scores)
