"""The interval beside a p-value belongs to the same test."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.optimize import brentq

import assay
from assay.statistics.paired.signed_ranks import walsh_interval
from assay.statistics.significance_tests import ComparisonSettings, find_test, paired_tests

FOLDS = tuple(f"r{r}f{f}" for r in range(1, 6) for f in (1, 2))
OWN = sorted(paired_tests())


def drawn(name: str, seed: int) -> np.ndarray:
    """Differences whose mean is anything from nothing to plain, without ties of signs."""
    random = np.random.default_rng([seed, 5])
    units = 10 if name.startswith("5x2") else int(random.integers(7, 80))
    if name.startswith("mcnemar"):
        chances = (0.25, 0.35, 0.4) if seed % 2 else (0.1, 0.3, 0.6)
        return random.choice((-1.0, 0.0, 1.0), size=(units, 40), p=chances)
    return random.normal(size=(units, 40)) + random.normal(size=40) * 2 / math.sqrt(units)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("name", OWN)
def test_zero_is_outside_exactly_where_the_test_rejects(name: str, confidence: float) -> None:
    test, outcomes = find_test(name), set()
    for seed in range(12):
        columns = drawn(name, seed)
        setup = ComparisonSettings(permutations=500, units=FOLDS if name.startswith("5x2") else ())
        low, high = test.interval.ends(columns, setup, confidence)
        known = ~np.isnan(low)
        rejected = test(columns, setup).p < 1 - confidence
        assert ((low > 0) | (high < 0))[known].tolist() == rejected[known].tolist()
        assert not rejected[~known].any() or name == "5x2-F"
        outcomes |= set(rejected.tolist())
    assert outcomes == {True, False}


VALUES = np.asarray([1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3])
BEFORE = np.asarray([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
"""Depression scores of nine patients at two visits, by Hollander and Wolfe."""


def test_wilcoxons_interval_is_that_of_walsh_averages() -> None:
    apart = VALUES - BEFORE
    walsh = np.sort([(a + b) / 2 for i, a in enumerate(apart) for b in apart[i:]])
    # The exact table of n = 9 rejects at 5 % with a rank sum of at most 5 on one side.
    expected = (walsh[5], walsh[-6])
    interval = find_test("wilcoxon").interval
    low, high = interval.ends(apart[:, None], ComparisonSettings(), 0.95)
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-12)
    for end, inside in ((low[0], 1e-6), (high[0], -1e-6)):
        assert stats.wilcoxon(apart - end - inside).pvalue >= 0.05
        assert stats.wilcoxon(apart - end + inside).pvalue < 0.05


def test_walsh_averages_of_many_values_are_found_without_holding_them() -> None:
    values = np.random.default_rng(3).normal(size=2_001)
    first, second = np.triu_indices(len(values))
    every = np.sort((values[first] + values[second]) / 2)
    found = walsh_interval(values, 900_000)
    assert found == pytest.approx((every[900_000], every[-900_001]), abs=1e-12)


def test_the_interval_of_the_sign_test_is_by_order_statistics() -> None:
    values = np.arange(1.0, 11) * np.asarray([1, 1, -1, 1, 1, 1, 1, 1, 1, 1])
    interval = find_test("sign").interval
    low, high = interval.ends(np.append(values, 0.0)[:, None], ComparisonSettings(), 0.95)
    # Of ten, two on one side have p = .109 and one has p = .021: the second and the ninth value.
    assert (low[0], high[0]) == (1.0, 9.0)
    scipy_quantile = stats.quantile_test(values, q=0, p=0.5).confidence_interval(0.95)
    assert scipy_quantile.low <= low[0]
    assert scipy_quantile.high >= high[0]


def test_mcnemars_interval_is_clopper_and_pearsons_of_the_discordant_items() -> None:
    column = np.repeat([1.0, -1.0, 0.0], [12, 3, 85])
    interval = find_test("mcnemar").interval
    low, high = interval.ends(column[:, None], ComparisonSettings(), 0.95)
    oracle = stats.binomtest(12, 15).proportion_ci(0.95, method="exact")
    expected = [(2 * end - 1) * 0.15 for end in oracle]
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-12)


def test_mcnemars_corrected_interval_inverts_the_score_test() -> None:
    column = np.repeat([1.0, -1.0, 0.0], [12, 3, 85])
    interval = find_test("mcnemar-chi2").interval
    low, high = interval.ends(column[:, None], ComparisonSettings(), 0.95)

    def beyond(share: float) -> float:
        away = abs(12 - 15 * share) - 0.5
        return away**2 / (15 * share * (1 - share)) - stats.chi2.ppf(0.95, 1)

    ends = brentq(beyond, 1e-9, 11.5 / 15), brentq(beyond, 12.5 / 15, 1 - 1e-9)
    assert (low[0], high[0]) == pytest.approx([(2 * e - 1) * 0.15 for e in ends], abs=1e-9)


def folds(units: int, **columns: Any) -> pl.DataFrame:
    """A table of scores over folds, one column for each system."""
    rows = [
        {"system": name, "fold": f"f{fold}", "accuracy": float(values[fold])}
        for name, values in columns.items()
        for fold in range(units)
    ]
    return pl.DataFrame(rows)


def test_overlapping_folds_widen_both_p_and_interval() -> None:
    random = np.random.default_rng(4)
    first = 0.8 + random.normal(0, 0.02, 10)
    second = first - 0.015 + random.normal(0, 0.025, 10)
    found = assay.compare(folds(10, one=first, two=second), baseline="one", test="corrected-t")
    row = found.pairs.row(0, named=True)
    apart = second - first
    error = apart.std(ddof=1) * math.sqrt(1 / 10 + 1 / 9)
    reach = stats.t.ppf(0.975, 9) * error
    expected = (apart.mean() - reach, apart.mean() + reach)
    assert (row["low"], row["high"]) == pytest.approx(expected, abs=1e-12)
    assert (row["low"] <= 0 <= row["high"]) == (row["p"] >= 0.05)
    one = found.systems.filter(system="one").row(0, named=True)
    reach = stats.t.ppf(0.975, 9) * first.std(ddof=1) * math.sqrt(1 / 10 + 1 / 9)
    assert (one["low"], one["high"]) == pytest.approx(
        (first.mean() - reach, first.mean() + reach), abs=1e-12
    )
    assert "overlapping folds" in repr(found)


def test_a_test_that_cannot_reject_has_no_interval_and_says_why() -> None:
    table = folds(4, one=[0.1, 0.2, 0.3, 0.4], two=[0.2, 0.35, 0.3, 0.7]).rename({"fold": "query"})
    found = assay.compare(table, test="wilcoxon")
    assert found.pairs["interval"].to_list() == ["too few units"]
    assert found.pairs["low"].is_nan().all()
    said = " ".join(repr(found).split())
    assert "the test rejects nothing at this level" in said
    assert "only 4 units" in said


def test_delongs_interval_and_p_agree() -> None:
    outcomes = set()
    for seed in range(30):
        random = np.random.default_rng(seed)
        truth = np.repeat(["n", "y"], 40)
        first = random.normal(size=80) + (truth == "y")
        second = first + random.normal(0, 1.2, 80)
        data = {"truth": truth, "item": range(80), "one": first, "two": second}
        systems = [
            assay.classification(data, "AUC", score=name, positive="y", item="item", name=name)
            for name in ("one", "two")
        ]
        row = assay.compare(systems, baseline="one").pairs.row(0, named=True)
        assert row["test"] == "closed form over items"
        outside = row["low"] > 0 or row["high"] < 0
        assert outside == (row["p"] < 0.05)
        outcomes.add(outside)
    assert outcomes == {True, False}


def test_the_interval_of_the_randomization_test_is_that_of_all_shifts() -> None:
    """By brute force: the test itself, on differences shifted by every number of a fine grid."""
    for seed, units in enumerate((6, 8, 9)):
        random = np.random.default_rng(seed)
        apart = np.round(random.normal(0.5, 1, units), 1)[:, None]
        signs = np.asarray(list(itertools.product((1, -1), repeat=units)))
        grid = np.arange(-400, 401) / 100 + 0.0049
        sums = np.abs(signs @ (apart - grid))
        p = (sums >= np.abs((apart - grid).sum(axis=0)) - 1e-9).mean(axis=0)
        kept = grid[p >= 0.05]
        low, high = find_test("randomization").interval.ends(apart, ComparisonSettings(), 0.95)
        assert kept.min() - 0.01 <= low[0] <= kept.min()
        assert kept.max() <= high[0] <= kept.max() + 0.01


def test_equal_untied_differences_have_no_interval_and_the_true_reason() -> None:
    table = folds(30, one=[0.1] * 30, two=[0.2] * 12 + [0.0] * 2 + [0.1] * 16)
    found = assay.compare(table.rename({"fold": "query"}), baseline="one", test="sign")
    row = found.pairs.row(0, named=True)
    assert row["p"] < 0.05
    assert row["interval"] == "no spread in the test"
    said = " ".join(repr(found).split())
    assert "most differences that the test compares are equal" in said
    assert "rejects nothing" not in said
    assert "bootstrap" not in said


def test_wilcoxons_interval_leaves_out_a_zero_that_the_test_rejects() -> None:
    # Walsh averages of exactly 0 count half in the test, and whole in the order statistics.
    column = np.asarray([3.0, 3, 2, 2, 2, 1, 1, 1, 1, -1, 2, -2, 1, 3])
    interval = find_test("wilcoxon").interval
    for size in range(7, 15):
        some = column[:size, None]
        low, _ = interval.ends(some, ComparisonSettings(), 0.95)
        rejected = find_test("wilcoxon")(some).p[0] < 0.05
        assert (low[0] > 0) == rejected


def test_footers_name_only_intervals_that_are_shown() -> None:
    random = np.random.default_rng(2)
    table = folds(30, one=random.random(30), two=random.random(30)).rename({"fold": "query"})
    said = " ".join(repr(assay.compare(table, baseline="one")).split())
    assert "the shifts that the randomization test does not reject" in said
    assert "resamples" not in said
    said = " ".join(repr(assay.compare(table)).split())
    assert "bootstrap percentiles widened by Student's t" in said
