"""Users who prefer neither system: tests are significant as often as their level says."""

from __future__ import annotations

import sys

import pytest
from scipy import stats
from tests.behavior.interleaving.indifferent_users import rejection_rate, simulate_preferences

from assay.behavior.interleaving.merged_list import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_few_logs_without_a_preference(method: str) -> None:
    """Rejections of 200 logs within the limits that a level of 5 % exceeds in 1 of 1,000 cases."""
    found = simulate_preferences(method, 200, 0, seed=2201, users=80, queries=20)
    fewest, most = stats.binom.interval(0.999, 200, 0.05)
    for p_values in ([each.p for each in found], [each.p_sign for each in found]):
        assert fewest <= sum(p < 0.05 for p in p_values) <= most


@pytest.mark.simulate
@pytest.mark.parametrize("method", METHODS)
def test_2000_logs_without_a_preference(method: str) -> None:
    found = simulate_preferences(method, 2000, 400, seed=2202, users=150, queries=60)
    rates = {
        "t": rejection_rate([each.p for each in found]),
        "bootstrap": rejection_rate([each.p_bootstrap for each in found]),
        "sign": rejection_rate([each.p_sign for each in found]),
    }
    covered = sum(each.low <= 0 <= each.high for each in found) / len(found)
    sys.stderr.write(f"\n{method}: {rates}, coverage {covered}\n")
    assert list(rates.values()) == pytest.approx([0.05] * 3, abs=0.015)
    assert 0.93 <= covered <= 0.97
