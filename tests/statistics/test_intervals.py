"""Intervals: equal to other implementations, and the same bits whatever else is asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.proportion import proportion_confint
from tests.statistics.delong import delong_test

import assay
from assay.core.errors import UsageError
from assay.statistics.intervals.interval_ends import (
    cluster_numbers,
    column_quantiles,
    resampled_means,
    unit_counts,
    wilson_ends,
)
from assay.statistics.intervals.interval_settings import METHODS, Bootstrap
from assay.statistics.intervals.unit_intervals import mean_ends


def _column(units: int = 40, seed: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).beta(0.5, 1.5, size=(units, 1))


def test_t_equals_scipy() -> None:
    values = _column()
    low, high = mean_ends(values, Bootstrap(method="t"))
    expected = scipy.stats.ttest_1samp(values[:, 0], 0).confidence_interval(0.95)
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), rel=1e-12)


@pytest.mark.parametrize(("mine", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_bootstraps_come_near_scipy(mine: str, theirs: str) -> None:
    values = _column()
    low, high = mean_ends(values, Bootstrap(resamples=40_000, method=mine))
    found = scipy.stats.bootstrap(
        (values[:, 0],), np.mean, n_resamples=40_000, method=theirs, rng=np.random.default_rng(8)
    ).confidence_interval
    assert (low[0], high[0]) == pytest.approx((found.low, found.high), abs=0.002)


def test_the_default_is_wider_than_percentiles_by_as_much_as_t() -> None:
    values = np.random.default_rng(1).normal(size=(12, 1))
    ends = {
        name: np.ptp(mean_ends(values, Bootstrap(resamples=40_000, method=name)))
        for name in ("expanded", "percentile", "t")
    }
    assert ends["percentile"] < 0.95 * ends["t"]
    assert ends["expanded"] == pytest.approx(ends["t"], rel=0.05)


@pytest.mark.parametrize("successes", [0, 1, 7, 20])
def test_wilson_equals_statsmodels(successes: int) -> None:
    expected = proportion_confint(successes, 20, method="wilson")
    found = wilson_ends(np.asarray([float(successes)]), np.asarray([20.0]), 0.95)
    assert (found[0][0], found[1][0]) == pytest.approx(expected, abs=1e-12)


def test_wilson_for_units_and_tables_that_are_proportions() -> None:
    guesses = {"truth": ["a", "a", "a", "b", "b"], "predicted": ["a", "a", "b", "b", "b"]}
    scores = assay.classification(
        guesses,
        "ACC TPR MCC",
        predicted="predicted",
        interval=Bootstrap(method="wilson"),
        positive="a",
    )
    rows = {row["measure"]: row for row in scores.summary().to_dicts()}
    for name, count in (("ACC", (4, 5)), ("TPR", (2, 3))):
        expected = proportion_confint(*count, method="wilson")
        assert (rows[name]["low"], rows[name]["high"]) == pytest.approx(expected, abs=1e-12)
    default = assay.classification(guesses, "MCC", predicted="predicted", positive="a")
    assert rows["MCC"]["low"] == default.summary()["low"][0]
    binary = np.asarray([[1.0], [0.0], [1.0], [1.0]])
    low, high = mean_ends(binary, Bootstrap(method="wilson"))
    assert (low[0], high[0]) == pytest.approx(proportion_confint(3, 4, method="wilson"))


def _areas(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The comparison of every positive with every negative item."""
    over = scores[truth][:, None] - scores[~truth][None, :]
    return (over > 0) + (over == 0) / 2


def test_delong_by_its_definition() -> None:
    random = np.random.default_rng(6)
    truth = random.random(60) < 0.4
    scores = np.round(random.normal(size=60) + truth, 1)
    wins = _areas(scores, truth)
    variance = wins.mean(axis=1).var(ddof=1) / truth.sum()
    variance += wins.mean(axis=0).var(ddof=1) / (~truth).sum()
    reach = 1.959963984540054 * math.sqrt(variance)
    data = {"truth": truth.astype(int), "score": scores}
    found = assay.classification(data, "AUC", score="score").results[0]
    area = wins.mean()
    scaled = reach / (area * (1 - area))
    for end, side in ((found.low, -scaled), (found.high, scaled)):
        assert math.log(end / (1 - end)) == pytest.approx(math.log(area / (1 - area)) + side)


def test_delong_of_two_areas_by_its_definition() -> None:
    random = np.random.default_rng(7)
    truth = random.random(80) < 0.5
    first, second = random.normal(size=80) + truth, random.normal(size=80) + 1.5 * truth
    gap = _areas(second, truth) - _areas(first, truth)
    variance = gap.mean(axis=1).var(ddof=1) / truth.sum()
    variance += gap.mean(axis=0).var(ddof=1) / (~truth).sum()
    found = delong_test(truth, first, second)
    assert found.statistic == pytest.approx(gap.mean() / math.sqrt(variance), rel=1e-9)
    assert found.p == pytest.approx(2 * scipy.stats.norm.sf(abs(found.statistic)), rel=1e-9)
    assert delong_test(truth, first, first) == (0.0, 1.0)


QRELS = {f"q{n}": {"a": 1, "b": 2, "c": 0} for n in range(30)}
RUN = {
    f"q{n}": {name: float((n * place) % 7) for place, name in enumerate("abcd", 2)}
    for n in range(30)
}


@pytest.mark.parametrize("method", sorted(METHODS))
def test_no_interval_depends_on_other_measures(method: str) -> None:
    bootstrap = Bootstrap(resamples=200, method=method)
    names = ["AP", "RR", "nDCG@2", "P@1"]
    together = assay.retrieval(QRELS, RUN, names, interval=bootstrap).summary()
    for place, name in enumerate(names):
        alone = assay.retrieval(QRELS, RUN, name, interval=bootstrap).summary()
        for end in ("low", "high"):
            assert alone[end][0] == together[end][place]


def test_a_whole_table_by_every_method() -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 200)
    data = {"truth": truth, "predicted": np.where(random.random(200) < 0.8, truth, 1 - truth)}
    ends = []
    for method in METHODS:
        found = assay.classification(
            data, "MCC", predicted="predicted", interval=Bootstrap(method=method)
        ).summary()
        ends.append((found["low"][0], found["high"][0]))
        assert ends[-1][0] < found["value"][0] < ends[-1][1]
    assert np.ptp(np.asarray(ends), axis=0).max() < 0.03


def test_clusters_are_drawn_whole() -> None:
    clusters = cluster_numbers(["a", "b", "c", "d"], {"a": "x", "b": "x", "c": "y"})
    assert len(set(clusters.tolist())) == 3
    for counts in unit_counts(4, 50, 1, clusters):
        assert (counts[:, 0] == counts[:, 1]).all()


def test_clusters_widen_an_interval_of_units_that_go_together() -> None:
    random = np.random.default_rng(9)
    groups = np.repeat(np.arange(20), 10)
    values = (random.normal(size=20)[groups] + random.normal(0, 0.1, 200))[:, None]
    plain = np.ptp(mean_ends(values, Bootstrap()))
    clustered = np.ptp(mean_ends(values, Bootstrap(), groups))
    expected = np.ptp(mean_ends(values.reshape(20, 10).mean(axis=1)[:, None], Bootstrap()))
    assert clustered > 2 * plain
    assert clustered == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("units", [1, 5, 250, 511, 512, 513, 5_000])
@pytest.mark.parametrize("resamples", [1, 3, 100])
def test_counts_are_those_of_the_units_drawn(units: int, resamples: int) -> None:
    found = np.concatenate(list(unit_counts(units, resamples, 7)))
    drawn = np.random.default_rng(7).integers(0, units, size=(resamples, units))
    assert (found == [np.bincount(row, minlength=units) for row in drawn]).all()


def test_resampled_means_are_means_of_resamples() -> None:
    values = _column(6)
    drawn = resampled_means(values, 5, 3)
    counts = np.concatenate(list(unit_counts(6, 5, 3)))
    assert (counts.sum(axis=1) == 6).all()
    np.testing.assert_allclose(drawn[:, 0], counts @ values[:, 0] / 6)


def test_one_unit_has_no_interval_and_constants_a_point() -> None:
    for method in ("expanded", "t"):
        assert np.isnan(mean_ends(np.asarray([[0.5]]), Bootstrap(method=method))).all()
    for method in ("expanded", "t", "bca", "percentile"):
        low, high = mean_ends(np.full((9, 1), 0.25), Bootstrap(method=method))
        assert (low[0], high[0]) == (0.25, 0.25)


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(UsageError, match="Did you mean percentile"):
        Bootstrap(method="percentil")
    with pytest.raises(UsageError, match="between 0 and 1"):
        Bootstrap(confidence=95)


@pytest.mark.parametrize("size", [1, 2, 3, 40, 999, 1000])
@pytest.mark.parametrize("tail", [0.0, 0.025, 0.2137, 0.25, 0.5])
def test_quantiles_are_those_of_numpy(size: int, tail: float) -> None:
    drawn = np.random.default_rng(size).normal(size=(size, 3))
    drawn[:, 1] = drawn[:, 1].round(1)
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    found = column_quantiles(drawn, tail, 1 - tail)
    assert found[0].tolist() == low.tolist()
    assert found[1].tolist() == high.tolist()
