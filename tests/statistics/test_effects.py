"""Size of an effect, equivalence, and the chances given the data."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.weightstats import ttost_paired

from assay.core.errors import UsageError
from assay.statistics.differences import effect_sizes
from assay.statistics.differences.effect_sizes import (
    largest_gains_and_losses,
    lower_bound,
    non_inferiority_p_value,
    pearson_of_units,
    posterior_probabilities,
    tost_p_value,
)
from assay.statistics.differences.samples import exact_means
from assay.statistics.intervals.interval_ends import student_ends


def _pair(units: int = 40) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(11)
    first = random.beta(1, 2, units)
    return first, np.clip(first + random.normal(0.02, 0.1, units), 0, 1)


def test_cohen_d_by_hand() -> None:
    d = np.asarray([[1.0], [2.0], [3.0]])
    assert effect_sizes.cohen_d(d)[0] == 2.0
    assert effect_sizes.cohen_d(np.zeros((3, 1)))[0] == 0.0
    assert np.isnan(effect_sizes.cohen_d(np.full((3, 1), 0.1))[0])


def test_cliff_delta_compares_all_with_all() -> None:
    first, second = np.round(_pair(), 1)
    over = np.sign(second[:, None] - first[None, :]).mean()
    assert effect_sizes.cliff_delta(first, second) == pytest.approx(over, abs=1e-15)
    assert effect_sizes.cliff_delta(first, first) == 0


def test_tally_with_a_tie_width() -> None:
    d = np.asarray([0.30 - 0.29, -0.2, 0.5, 0.0])[:, None]
    assert [int(n[0]) for n in effect_sizes.win_tie_loss(d)] == [2, 1, 1]
    assert [int(n[0]) for n in effect_sizes.win_tie_loss(d, 0.01)] == [1, 2, 1]


def test_relative_difference_to_nothing_is_undefined() -> None:
    found = effect_sizes.relative_difference(np.asarray([0.1, 0.1]), np.asarray([0.2, 0.0]))
    assert found[0] == pytest.approx(0.5)
    assert np.isnan(found[1])


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1])
def test_equivalence_equals_statsmodels(margin: float) -> None:
    first, second = _pair()
    d = (second - first)[:, None]
    p, low, _ = ttost_paired(second, first, -margin, margin)
    assert tost_p_value(d, margin)[0] == pytest.approx(p, rel=1e-9)
    assert non_inferiority_p_value(d, margin)[0] == pytest.approx(low[1], rel=1e-9)


def test_bound_and_test_agree() -> None:
    d = (_pair()[1] - _pair()[0])[:, None]
    bound = float(lower_bound(d, 0.95)[0])
    assert non_inferiority_p_value(d, -bound)[0] == pytest.approx(0.05, abs=1e-12)
    expected = scipy.stats.ttest_1samp(d[:, 0], 0, alternative="greater").confidence_interval(0.95)
    assert bound == pytest.approx(expected.low, rel=1e-12)


def test_identical_systems_are_equivalent() -> None:
    assert tost_p_value(np.zeros((5, 1)), 0.01)[0] == 0
    assert lower_bound(np.zeros((5, 1)), 0.95)[0] == 0
    with pytest.raises(UsageError, match="above 0"):
        tost_p_value(np.zeros((5, 1)), 0)


def test_chances_are_one_sided_p_values_without_a_margin() -> None:
    """With the flat prior, P(worse) is the p-value of the one-sided t-test."""
    d = (_pair()[1] - _pair()[0])[:, None]
    found = posterior_probabilities(d)
    expected = scipy.stats.ttest_1samp(d[:, 0], 0, alternative="greater").pvalue
    assert found.worse[0] == pytest.approx(expected, rel=1e-9)
    assert found.worse[0] + found.better[0] == pytest.approx(1)


def test_chances_of_folds_by_hand() -> None:
    """Corani and Benavoli: Student's t around the mean with variance σ²(1/n + ρ/(1 - ρ))."""
    d = np.asarray([0.02, 0.03, 0.01, 0.04, 0.00, 0.02, 0.03, 0.01, 0.02, 0.02])[:, None]
    found = posterior_probabilities(d, margin=0.01, correlation=0.1)
    posterior = scipy.stats.t(9, 0.02, np.sqrt(d.var(ddof=1) * (0.1 + 0.1 / 0.9)))
    assert found.better[0] == pytest.approx(posterior.sf(0.01), rel=1e-9)
    assert found.worse[0] == pytest.approx(posterior.cdf(-0.01), rel=1e-9)
    assert sum(each[0] for each in found) == pytest.approx(1)


def test_chances_at_the_edges() -> None:
    assert [each[0] for each in posterior_probabilities(np.zeros((5, 1)))] == [0, 1, 0]
    assert [each[0] for each in posterior_probabilities(np.full((5, 1), 0.2), 0.1)] == [0, 0, 1]
    assert np.isnan(posterior_probabilities(np.ones((1, 1))).better[0])
    with pytest.raises(UsageError, match="margin"):
        posterior_probabilities(np.zeros((5, 1)), -1)


def test_extremes_leave_out_what_did_not_change() -> None:
    gains, losses = largest_gains_and_losses(np.asarray([0.1, 0.0, -0.3, 0.5, 0.1]), 2)
    assert (gains.tolist(), losses.tolist()) == ([3, 0], [2])


def test_pearson_equals_scipy() -> None:
    first, second = _pair()
    assert pearson_of_units(first, second) == pytest.approx(
        scipy.stats.pearsonr(first, second).statistic
    )
    assert np.isnan(pearson_of_units(first, np.ones(40)))


@pytest.mark.parametrize(("start", "digits"), [(1_000_000, 9), (10_000_000, 8)])
def test_certified_means_and_spreads(start: int, digits: int) -> None:
    """NIST's NumAcc3 and NumAcc4: a mean far from zero and a spread of 0.1."""
    values = [start + 0.2] + [start + 0.1, start + 0.3] * 500
    column = np.asarray(values)[:, None]
    assert exact_means(column)[0] == pytest.approx(start + 0.2, rel=1e-15)
    low, high = student_ends(column, 0.95)
    spread = (high[0] - low[0]) / 2 / scipy.stats.t.ppf(0.975, 1000) * np.sqrt(1001)
    assert spread == pytest.approx(0.1, abs=10.0**-digits)
    assert effect_sizes.cohen_d(column)[0] == pytest.approx((start + 0.2) / 0.1, rel=1e-7)
