"""Intervals of means of two to ten units, for which resampling has too little to draw from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from tests.statistics.simulation import FEW, KINDS, few_coverage

import assay
from assay.reports.text.score_notes import score_notes
from assay.statistics.intervals.interval_settings import EXACT_SHARE, Bootstrap
from assay.statistics.intervals.unit_intervals import mean_ends
from assay.statistics.significance_tests import ComparisonSettings, find_test

HANDBOOK = Path(__file__).parents[2] / "docs" / "handbook" / "statistics.md"


@pytest.mark.parametrize("kind", KINDS)
def test_nine_of_ten_intervals_of_few_units_hold_the_mean(kind: str) -> None:
    assert min(few_coverage(kind, units, 1, 600) for units in (2, 3, 5, 10)) >= 0.92


@pytest.mark.simulate
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_coverage_of_few_units(kind: str, seed: int) -> None:
    assert min(few_coverage(kind, units, seed) for units in FEW) >= 0.93


@pytest.mark.simulate
def test_coverage_of_few_log_normal_units() -> None:
    found = [
        np.mean([few_coverage("log-normal", units, seed) for seed in (1, 2, 3)]) for units in FEW
    ]
    assert min(found) >= 0.9


@pytest.mark.simulate
def test_the_published_coverage_of_few_units_is_true() -> None:
    page = HANDBOOK.read_text(encoding="utf-8")
    for kind in KINDS:
        line = next(line for line in page.splitlines() if line.startswith(f"| {kind} |"))
        for units, cell in zip(FEW, line.strip("| ").split("|")[1:], strict=True):
            found = np.mean([few_coverage(kind, units, seed) for seed in (1, 2, 3)])
            assert found == pytest.approx(float(cell) / 100, abs=0.0006)


def test_ten_units_have_students_t_at_a_fifth_of_the_error_and_eleven_have_resamples() -> None:
    values = np.random.default_rng(2).normal(size=(11, 1))
    few, many = values[:10, 0], values
    low, high = mean_ends(few[:, None], Bootstrap())
    expected = stats.t.interval(0.99, 9, few.mean(), stats.sem(few))
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-12)
    drawn = mean_ends(many, Bootstrap())
    assert drawn[0][0] != pytest.approx(
        stats.t.interval(0.99, 10, many.mean(), stats.sem(many[:, 0]))[0], abs=1e-6
    )


def test_ends_stay_within_the_bounds_of_the_measure() -> None:
    values = np.asarray([0.1, 0.9, 0.4])[:, None]
    low, high = mean_ends(values, Bootstrap(), None, (0.0, 1.0))
    assert (low[0], high[0]) == (0.0, 1.0)


def test_0_1_values_of_few_queries_have_clopper_and_pearsons_interval() -> None:
    qrels = {str(query): {"a": 1} for query in range(4)}
    run = {query: {"a": 2.0, "b": 1.0 + 2 * (query == "0")} for query in qrels}
    found = assay.retrieval(qrels, {"one": run}, "P@1")
    expected = proportion_confint(3, 4, method="beta")
    one = found.results[0]
    assert (one.low, one.high) == pytest.approx(expected, abs=1e-12)
    assert one.interval == "Clopper-Pearson"
    said = score_notes(found)
    assert any("only 4 queries; with fewer than 5" in note for note in said)
    assert any("Clopper and Pearson's exact interval" in note for note in said)


def test_differences_of_0_and_1_are_not_a_share() -> None:
    """A difference may be negative where none of few units shows it."""
    qrels = {str(query): {"a": 1} for query in range(8)}
    good = {query: {"a": 2.0, "b": 1.0} for query in qrels}
    worse = {query: {"a": 2.0, "b": 1.0 + 2 * (query == "0")} for query in qrels}
    found = assay.compare(assay.retrieval(qrels, {"worse": worse, "good": good}, "P@1"))
    row = found.pairs.row(0, named=True)
    assert row["low"] <= 0 < row["high"]
    assert row["p"] == 1


def test_accuracy_of_few_items_is_exact_and_clusters_count_as_units() -> None:
    data = {"truth": list("ababab"), "predicted": list("ababaa")}
    accuracy = assay.classification(data, "ACC", predicted="predicted").results[0]
    expected = proportion_confint(5, 6, method="beta")
    assert (accuracy.low, accuracy.high) == pytest.approx(expected, abs=1e-12)
    values = np.random.default_rng(5).random((30, 1))
    clusters = np.repeat(np.arange(3), 10)
    low, high = mean_ends(values, Bootstrap(), clusters)
    means = values[:, 0].reshape(3, 10).mean(axis=1)
    expected = stats.t.interval(0.99, 2, means.mean(), stats.sem(means))
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["normal", "exponential", "0-1"])
def test_intervals_of_few_differences_cover_nine_of_ten(kind: str) -> None:
    """The default test has an interval from six units on."""
    for units in (6, 10):
        random = np.random.default_rng([units, 5])
        shape = (units, 1000)
        columns, truth = {
            "normal": (random.normal(size=shape), 0.0),
            "exponential": (random.exponential(size=shape), 1.0),
            "0-1": ((random.random(shape) < 0.3) * 1.0 - (random.random(shape) < 0.3), 0.0),
        }[kind]
        low, high = find_test("randomization").interval.ends(columns, ComparisonSettings(), 0.95)
        shown = high > low
        assert np.mean(((low <= truth) & (truth <= high))[shown]) >= 0.89


def test_a_quotient_of_products_is_no_share() -> None:
    truth, said = list("yyynnnnnnn"), list("yynnnnnnny")
    found = assay.classification(truth, said, "TPR Youden markedness", positive="y")
    by_name = {each.measure: each for each in found.results}
    assert by_name["TPR"].interval == EXACT_SHARE
    for name in ("Youden", "markedness"):
        each = by_name[name]
        assert each.interval != EXACT_SHARE
        assert each.low < 0 < each.value < each.high
