"""Every method is what it is called, for micro and weighted averages and clusters too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.proportion import proportion_confint

import assay
from assay.core.definition import Ratio
from assay.reports.text.score_notes import interval_notes
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.unit_intervals import mean_ends


def _values(items: int = 30) -> dict[str, Any]:
    random = np.random.default_rng(1)
    truth = random.normal(size=items)
    return {"truth": truth, "predicted": truth + random.exponential(size=items)}


def _regression(method: str, asked: str = "MAE", **settings: Any) -> assay.Scores:
    bootstrap = assay.Bootstrap(method=method)
    return assay.regression(settings.pop("data", _values()), asked, interval=bootstrap, **settings)


def test_methods_of_a_micro_average_differ() -> None:
    ends = {name: _regression(name).results[0] for name in ("expanded", "percentile", "bca", "t")}
    assert len({(each.low, each.high) for each in ends.values()}) == 4
    assert [each.interval for each in ends.values()] == ["closed form", *list(ends)[1:]]


def test_t_of_a_micro_average_of_items_equals_scipy() -> None:
    found = _regression("t").results[0]
    expected = scipy.stats.ttest_1samp(found.values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_bca_of_a_ratio_equals_scipy() -> None:
    random = np.random.default_rng(3)
    below = random.uniform(1, 5, 40)
    top = np.sort(below * random.beta(0.5, 1.5, 40))  # as the units are drawn
    found = ratio_interval(Ratio(top, below), assay.Bootstrap(resamples=4_000, method="bca"))
    expected = scipy.stats.bootstrap(
        (top, below),
        lambda a, b, axis: a.sum(axis) / b.sum(axis),
        paired=True,
        n_resamples=4_000,
        method="BCa",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert found[:2] == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_wilson_of_pooled_shares() -> None:
    parts = Ratio(np.asarray([1.0, 0, 1, 1, 0]), np.asarray([1.0, 1, 1, 1, 0]))
    found = ratio_interval(parts, assay.Bootstrap(method="wilson"))
    assert found.method == "wilson"
    assert found[:2] == pytest.approx(proportion_confint(3, 4, method="wilson"))


def test_a_method_that_does_not_apply_gives_way_and_says_so() -> None:
    scores = _regression("t", "MAE RMSE R2")
    assert [each.interval for each in scores.results] == ["t", "closed form", "expanded"]
    said = interval_notes(scores)
    assert any(line.startswith("R2: t does not apply") for line in said)
    assert "RMSE: its interval is in closed form" in said
    assert not any(line.startswith("MAE") for line in said)


def test_a_closed_form_is_named_only_where_it_was_used() -> None:
    data = {"truth": [1, 0, 1, 0, 1, 0, 0], "score": [0.9, 0.3, 0.6, 0.7, 0.2, 0.1, 0.4]}
    scores = assay.classification(data, "AUC AUC(max_fpr=0.4)", score="score", positive="1")
    said = [line for line in interval_notes(scores) if "closed form" in line]
    assert said == ["AUC: its interval is in closed form"]


def test_how_an_interval_was_made_is_saved(tmp_path: Path) -> None:
    scores = _regression("t", "MAE RMSE")
    scores.save(tmp_path / "scores.parquet")
    again = assay.load(tmp_path / "scores.parquet")
    assert [each.interval for each in again.results] == ["t", "closed form"]
    assert interval_notes(again) == interval_notes(scores)


def test_clusters_with_bca_and_t() -> None:
    random = np.random.default_rng(5)
    values = random.exponential(size=(60, 1))
    groups = np.repeat(np.arange(20), 3)
    ends = {
        name: tuple(
            float(end[0]) for end in mean_ends(values, assay.Bootstrap(method=name), groups)
        )
        for name in ("expanded", "bca", "percentile", "t")
    }
    assert len({ends["expanded"], ends["bca"], ends["percentile"]}) == 3
    assert ends["t"] == ends["expanded"]
    per_cluster = values.reshape(20, 3).mean(axis=1)
    found = scipy.stats.bootstrap(
        (per_cluster,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(8)
    ).confidence_interval
    assert ends["bca"] == pytest.approx((found.low, found.high), abs=0.03)


QRELS = {f"q{n}": {"a": 1, "b": 2, "c": 0} for n in range(30)}
RUN = {
    f"q{n}": {name: float((n * place) % 7) for place, name in enumerate("abcd", 2)}
    for n in range(30)
}


def test_t_over_clusters_of_queries_gives_way() -> None:
    clusters = {f"q{n}": str(n // 2) for n in range(30)}
    for method, used in (("t", "expanded"), ("bca", "bca"), ("percentile", "percentile")):
        bootstrap = assay.Bootstrap(method=method, clusters=clusters)
        found = assay.retrieval(QRELS, RUN, "AP", interval=bootstrap)
        assert found.results[0].interval == used


def test_a_weighted_average_has_the_interval_of_a_ratio() -> None:
    data = _values() | {"weight": np.geomspace(0.01, 100, 30)}
    found = _regression("percentile", "MAE(average=weighted)", data=data, weight="weight")
    error = np.abs(data["truth"] - data["predicted"])
    drawn = np.random.default_rng(9).integers(0, 30, size=(20_000, 30))
    weight = data["weight"][drawn]
    expected = np.quantile((weight * error[drawn]).sum(1) / weight.sum(1), [0.025, 0.975])
    result = found.results[0]
    assert result.value == pytest.approx(np.average(error, weights=data["weight"]))
    assert (result.low, result.high) == pytest.approx(expected, abs=0.15)
    assert result.low <= result.value <= result.high
