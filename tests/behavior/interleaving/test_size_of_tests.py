"""Users who prefer no system: tests are significant as often as their level says."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import stats
from tests.behavior.interleaving.indifferent_users import rejection_rate, simulate_preferences

from assay.behavior.interleaving.merged_list import METHODS, find_method
from assay.statistics.corrections import adjust_p_values

SEVERAL = [name for name in METHODS if find_method(name).most_systems is None]
"""The methods that can compare more than two systems: multileaving."""


@pytest.mark.parametrize("method", METHODS)
def test_few_logs_without_a_preference(method: str) -> None:
    """Rejections of 200 logs within the limits that a level of 5 % exceeds in 1 of 1,000 cases."""
    logs = simulate_preferences(method, 200, 0, seed=2201, users=80, queries=20)
    fewest, most = stats.binom.interval(0.999, 200, 0.05)
    for p_values in ([log[0].p for log in logs], [log[0].p_sign for log in logs]):
        assert fewest <= sum(p < 0.05 for p in p_values) <= most


@pytest.mark.simulate
@pytest.mark.parametrize(
    ("method", "systems"), [*((name, 2) for name in METHODS), *((name, 3) for name in SEVERAL)]
)
def test_2000_logs_without_a_preference(method: str, systems: int) -> None:
    logs = simulate_preferences(
        method, 2000, 400, seed=2202, users=150, queries=60, systems=systems
    )
    rates, covered = [], []
    for pair in zip(*logs, strict=True):
        rates += [
            rejection_rate([each.p for each in pair]),
            rejection_rate([each.p_bootstrap for each in pair]),
            rejection_rate([each.p_sign for each in pair]),
        ]
        covered.append(np.mean([each.low <= 0 <= each.high for each in pair]))
    corrected = [adjust_p_values(np.array([each.p for each in log]), "holm").min() for log in logs]
    family = rejection_rate(corrected)
    sys.stderr.write(
        f"\n{method}, {systems} systems: t, bootstrap, sign of each pair {rates}, coverage"
        f" {covered}, any pair after Holm {family}\n"
    )
    assert rates == pytest.approx([0.05] * len(rates), abs=0.015)
    assert 0.93 <= min(covered) <= max(covered) <= 0.97
    assert family <= 0.065
