"""Very many pairs of numbers are not sorted, and no order of the rows changes a bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import sklearn.metrics

import assay
from assay.evidence.column_values import MOST_SORTED_AT_ONCE
from assay.evidence.views.value_pairs import LazyMoments, ValuePairs
from assay.measures.values.goodness_of_fit import coefficient_of_determination

COUNT = MOST_SORTED_AT_ONCE + 5_000
MEASURES = "MAE MSE R2 RMSE EV Pearson CCC MedAE"


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    random = np.random.default_rng(7)
    truth = np.round(1e4 + random.normal(size=COUNT), 3)
    predicted = truth + random.standard_t(5, size=COUNT) / 3 + 0.1
    return pl.DataFrame({"truth": truth, "predicted": predicted})


def test_values_equal_scikit_learn_and_numpy(table: pl.DataFrame) -> None:
    truth, predicted = table["truth"].to_numpy(), table["predicted"].to_numpy()
    scores = assay.regression(table, measures=MEASURES, interval=None)
    expected = {
        "MAE": sklearn.metrics.mean_absolute_error(truth, predicted),
        "MSE": sklearn.metrics.mean_squared_error(truth, predicted),
        "R2": sklearn.metrics.r2_score(truth, predicted),
        "RMSE": sklearn.metrics.root_mean_squared_error(truth, predicted),
        "EV": sklearn.metrics.explained_variance_score(truth, predicted),
        "Pearson": np.corrcoef(truth, predicted)[0, 1],
        "MedAE": sklearn.metrics.median_absolute_error(truth, predicted),
    }
    for name, value in expected.items():
        assert scores.of(name)[0].value == pytest.approx(value, rel=1e-9), name
    spread = truth.var() + predicted.var() + (truth.mean() - predicted.mean()) ** 2
    product = ((truth - truth.mean()) * (predicted - predicted.mean())).mean()
    assert scores.of("CCC")[0].value == pytest.approx(2 * product / spread, rel=1e-9)


def test_only_the_moments_that_are_asked_for_are_added_up(table: pl.DataFrame) -> None:
    columns = (table[name].to_numpy() for name in ("truth", "predicted"))
    moments = replace(ValuePairs.of(*columns), as_given=True).moments
    coefficient_of_determination(moments)
    assert isinstance(moments, LazyMoments)
    assert {"of_truth", "squared_error"} <= vars(moments.exact).keys()
    assert vars(moments.exact).keys().isdisjoint({"predicted", "of_predicted", "of_both", "shift"})


def test_no_order_of_rows_changes_a_bit(table: pl.DataFrame) -> None:
    names = "MAE MSE R2 RMSE Pearson"
    interval = assay.Bootstrap(resamples=3)
    first, again = (
        assay.regression(each, measures=names, interval=interval)
        for each in (table, table.sample(fraction=1, shuffle=True, seed=3))
    )
    for one, two in zip(first.results, again.results, strict=True):
        assert (one.value, one.low, one.high) == (two.value, two.low, two.high), one.measure


def test_weights_of_one_change_nothing(table: pl.DataFrame) -> None:
    weighed = table.with_columns(weight=pl.lit(1.0))
    plain = assay.regression(table, measures="MAE R2 RMSE", interval=None)
    other = assay.regression(weighed, measures="MAE R2 RMSE", weight="weight", interval=None)
    for one, two in zip(plain.results, other.results, strict=True):
        assert one.value == pytest.approx(two.value, rel=1e-12), one.measure


def test_constant_truth_has_no_fit() -> None:
    table = {"truth": np.full(COUNT, 0.1), "predicted": np.linspace(0, 1, COUNT)}
    scores = assay.regression(table, measures="R2 Pearson RMSE", interval=None)
    assert np.isnan(scores.of("R2")[0].value)
    assert np.isnan(scores.of("Pearson")[0].value)
    assert scores.of("RMSE")[0].value == pytest.approx(
        np.sqrt(np.mean((table["predicted"] - 0.1) ** 2)), rel=1e-12
    )
