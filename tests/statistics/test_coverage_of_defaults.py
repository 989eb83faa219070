"""Default intervals cover the true value in 92 to 98 % of samples, or are not shown."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import adjusted_rand_score
from tests.statistics.coverage import (
    GENERATORS,
    SEEDS,
    Generator,
    handbook_rows,
    stored_results,
)

import assay
from assay.core.closed_form_intervals import skewed_mean_ends
from assay.core.names import measure
from assay.evidence.views.contingency import Contingency
from assay.reports.text.score_notes import score_notes
from assay.statistics.intervals.interval_settings import BIASED, FEW_PER_CELL, RARE_OUTCOMES
from assay.statistics.intervals.jackknife import chance_variance, jackknife_interval

HANDBOOK = Path(__file__).parents[2] / "docs" / "handbook" / "statistics.md"
SAMPLES = [
    pytest.param(each, units, id=f"{each.name}-{units}")
    for each in GENERATORS
    for units in each.units
]


@pytest.mark.simulate
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("generator", "units"), SAMPLES)
def test_coverage_of_defaults(generator: Generator, units: int, seed: int) -> None:
    stored = stored_results()
    for name, share in generator.coverage(units, seed=seed).items():
        assert 0.92 <= share <= 0.98, (name, share)
        shares = stored.get(f"{generator.name} | {units} | {name}")
        assert shares is None or share == pytest.approx(shares[seed - 1], abs=0.002)


def test_the_table_of_the_handbook_has_the_stored_coverage() -> None:
    page = HANDBOOK.read_text(encoding="utf-8").splitlines()
    rows = handbook_rows()
    assert rows
    at = page.index(rows[0])
    assert page[at : at + len(rows)] == rows
    assert all(0.92 <= share <= 0.98 for shares in stored_results().values() for share in shares)


@pytest.mark.parametrize(("generator", "units"), SAMPLES)
def test_a_few_intervals_of_every_generator_cover_it(generator: Generator, units: int) -> None:
    found = generator.coverage(units, simulations=20)
    assert set(found) == set(generator.measures)
    assert min(found.values()) >= 0.6


def clusters(size: int, items: int) -> assay.Scores:
    random = np.random.default_rng(1)
    chosen = random.integers(0, size, items)
    known = np.where(random.random(items) < 0.7, chosen, random.integers(0, size, items))
    data = {"c": [f"c{each}" for each in chosen], "class": [f"t{each}" for each in known]}
    return assay.clustering(data, cluster="c", measures="NMI AMI V MI VI ARI B3F")


def test_entropies_of_sparse_tables_have_no_interval_and_the_reason() -> None:
    found = clusters(20, 300)
    for name in ("NMI", "AMI", "V", "MI", "VI"):
        result = found.of(name)[0]
        assert math.isnan(result.low)
        assert result.interval == FEW_PER_CELL
    for name in ("ARI", "B3F"):
        assert found.of(name)[0].low < found.of(name)[0].high
    assert "fewer than 5 items for each pair of cluster and class" in " ".join(score_notes(found))


def test_entropies_of_full_tables_have_an_interval() -> None:
    for size, items in ((3, 50), (7, 300)):
        assert clusters(size, items).of("NMI")[0].low > 0


def test_biased_measures_have_no_interval_and_the_reason() -> None:
    random = np.random.default_rng(5)
    p = random.random(200)
    truth = (random.random(200) < p).astype(int)
    scores = [
        assay.classification(truth, y_score=p, measures="KS ECE ECE(strategy=quantile) MCE AUC"),
        assay.regression(p, p + random.normal(size=200), measures="MaxE MAE"),
    ]
    found = {each.measure: each for one in scores for each in one.results}
    for name in ("AUC", "MAE"):
        assert found.pop(name).low > 0
    assert {each.interval for each in found.values()} == {BIASED}
    assert all(math.isnan(each.low) and math.isnan(each.high) for each in found.values())
    assert "MCE: noise alone moves this value" in " ".join(score_notes(scores[0]))


def test_shares_with_few_failures_have_wilsons_interval() -> None:
    truth, answer = [1] * 10 + [0] * 40, [1] * 8 + [0] * 2 + [1] * 4 + [0] * 36
    found = assay.classification(truth, answer, positive=1, measures="TNR TPR ACC F")
    for name, right, items in (("TNR", 36, 40), ("TPR", 8, 10), ("ACC", 44, 50)):
        expected = stats.binomtest(right, items).proportion_ci(method="wilson")
        result = found.of(name)[0]
        assert (result.low, result.high) == pytest.approx((expected.low, expected.high))
        assert result.interval == RARE_OUTCOMES
    assert found.of("F")[0].interval == "expanded"


def test_intervals_near_one_stay_below_one() -> None:
    data = {"c": list("a" * 25 + "b" * 25), "class": list("x" * 25 + "y" * 24 + "x")}
    result = assay.clustering(data, cluster="c", measures="B3F").results[0]
    assert result.low < result.value < result.high < 1


def test_the_interval_of_skewed_errors_inverts_halls_transformation() -> None:
    random = np.random.default_rng(4)
    errors = random.exponential(size=40) ** 2
    low, high = skewed_mean_ends(errors, 0.95)
    away = errors - errors.mean()
    lean = (away**3).mean() / (away**2).mean() ** 1.5
    t_point = stats.t.ppf(0.975, 39)
    for end, expected in ((low, t_point), (high, -t_point)):
        t = (errors.mean() - end) / stats.sem(errors)
        a = lean / math.sqrt(40)
        assert t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6 == pytest.approx(expected, abs=1e-9)
    assert high - errors.mean() > errors.mean() - low


def test_chance_widens_the_interval_of_a_table_near_independence() -> None:
    counts = np.asarray([[6.0, 5, 6], [5, 6, 5], [6, 5, 6]])
    view = Contingency.of(counts, ("a", "b", "c"), ("x", "y", "z"))
    found = measure("ARI", "clustering")
    random = np.random.default_rng(9)
    sizes = (counts.sum(axis=1), counts.sum(axis=0))
    labels = [np.repeat(np.arange(3), each.astype(int)) for each in sizes]
    shuffled = [adjusted_rand_score(labels[0], random.permutation(labels[1])) for _ in range(2000)]
    assert chance_variance(view, found) == pytest.approx(np.var(shuffled), rel=0.35)
    value = float(found(view)[0])
    interval = jackknife_interval(value, view, found, 0.95)
    assert interval.high - interval.low > 2 * 1.96 * np.std(shuffled) * 0.8
