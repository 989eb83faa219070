"""Power, design, generalizability, discrimination, stability."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.power import FTestAnovaPower, TTestPower

from assay.core.errors import UsageError
from assay.statistics.discrimination import (
    discriminative_power,
    stability,
    swap_rates,
    unit_discrimination,
)
from assay.statistics.sample_size import (
    smallest_effect,
    t_test_power,
    units_for_systems,
    units_for_width,
    units_needed,
)
from assay.statistics.variance import Generalizability, generalizability


@pytest.mark.parametrize("effect", [0.1, 0.2, 0.3])
@pytest.mark.parametrize("units", [5, 50, 400])
def test_power_equals_statsmodels(effect: float, units: int) -> None:
    expected = TTestPower().power(effect, units, 0.05)
    assert t_test_power(effect, units) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("effect", [0.1, 0.3, 0.8, -0.5])
def test_units_needed_equal_statsmodels(effect: float) -> None:
    exact = TTestPower().solve_power(abs(effect), power=0.8, alpha=0.05)
    assert units_needed(effect) == math.ceil(exact)
    assert units_needed(effect, 0.95, 0.01) == math.ceil(
        TTestPower().solve_power(abs(effect), power=0.95, alpha=0.01)
    )


def test_the_smallest_effect_is_the_way_back() -> None:
    for units in (2, 10, 50):
        assert t_test_power(smallest_effect(units), units) == pytest.approx(0.8, abs=1e-9)
    assert math.isnan(smallest_effect(1))
    assert units_needed(0) is None
    with pytest.raises(UsageError, match="power"):
        units_needed(0.3, power=0.01)


@pytest.mark.parametrize("systems", [2, 5, 20])
def test_units_for_systems_equal_statsmodels(systems: int) -> None:
    span, variance = 0.1, 0.04
    found = units_for_systems(span, systems, variance)
    assert found is not None
    effect = span / math.sqrt(2 * systems * variance)
    solver = FTestAnovaPower()
    at, before = (
        solver.power(effect, units * systems, 0.05, k_groups=systems)
        for units in (found, found - 1)
    )
    assert before < 0.8 <= at


def test_designs_by_hand() -> None:
    found = units_for_width(0.1, 0.02)
    assert found is not None
    width = 2 * scipy.stats.t.ppf(0.975, found - 1) * math.sqrt(0.04 / found)
    narrower = 2 * scipy.stats.t.ppf(0.975, found - 2) * math.sqrt(0.04 / (found - 1))
    assert width <= 0.1 < narrower


def test_generalizability_by_hand() -> None:
    """Mean squares of this table: systems 6, units 7/3, residual 1/3 (worked by hand)."""
    table = np.asarray([[1.0, 2, 3], [2, 3, 4], [1, 3, 5], [3, 4, 5]])
    found = generalizability(table)
    units, systems = table.shape
    grand = table.mean()
    of_systems = units * ((table.mean(axis=0) - grand) ** 2).sum() / 2
    of_units = systems * ((table.mean(axis=1) - grand) ** 2).sum() / 3
    left = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + grand
    residual = (left**2).sum() / 6
    assert found.residual == pytest.approx(residual)
    assert found.systems == pytest.approx((of_systems - residual) / 4)
    assert found.units == pytest.approx((of_units - residual) / 3)


def test_a_d_study() -> None:
    study = Generalizability(systems=0.02, units=0.03, residual=0.04)
    assert study.relative(20) == pytest.approx(0.02 / (0.02 + 0.002))
    assert study.absolute(20) == pytest.approx(0.02 / (0.02 + 0.0035))
    needed = study.units_for(0.95)
    assert needed == 38
    assert study.relative(38) >= 0.95 > study.relative(37)
    assert Generalizability(0.0, 1.0, 1.0).units_for(0.9) is None


def _table(noise: float) -> np.ndarray:
    random = np.random.default_rng(2)
    return np.linspace(0, 0.5, 6) + random.normal(0, noise, size=(40, 6))


def test_noise_lowers_discrimination_and_stability() -> None:
    sharp, blunt = _table(0.05), _table(1.0)
    assert discriminative_power(sharp) > 0.9 > discriminative_power(blunt)
    assert swap_rates(sharp).rate < 0.05 < swap_rates(blunt).rate
    assert stability(sharp).tau > 0.95 > stability(blunt).tau


def test_discriminative_power_counts_pairs() -> None:
    table = _table(0.3)
    found = [
        scipy.stats.ttest_rel(table[:, i], table[:, j]).pvalue < 0.05
        for i in range(6)
        for j in range(i)
    ]
    assert discriminative_power(table) == pytest.approx(np.mean(found))


def test_large_differences_swap_less_often() -> None:
    found = swap_rates(_table(0.8))
    known = found.rates[found.counts > 20]
    assert known[0] > known[-1]
    assert found.difference_for(0.05) > 0
    assert swap_rates(np.zeros((1, 3))).counts.sum() == 0


def test_units_that_tell_systems_apart() -> None:
    rows = [[0.1, 0.5, 0.9], [0.2, 0.4, 0.8], [0.5] * 3, [0.9, 0.5, 0.1], [0.1, 0.3, 0.9]]
    table = np.asarray(rows)
    spread, agreement = unit_discrimination(table)
    assert spread[2] == 0
    assert np.isnan(agreement[2])
    rest = table[[1, 2, 3, 4]].mean(axis=0)
    assert agreement[0] == pytest.approx(scipy.stats.pearsonr(table[0], rest).statistic)
    assert agreement[3] < 0 < agreement[0]


def test_stability_by_kendall() -> None:
    table = _table(0.8)
    found = stability(table, resamples=1)
    from assay.statistics.intervals.interval_ends import resampled_means

    drawn = resampled_means(table, 1, 1)[0]
    assert found.tau == pytest.approx(scipy.stats.kendalltau(drawn, table.mean(axis=0)).statistic)
    assert found.first.sum() == pytest.approx(1)
    lower = stability(table, sign=-1.0, resamples=50)
    assert lower.rank_low[0] < lower.rank_low[-1]
