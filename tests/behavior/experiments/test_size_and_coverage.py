"""A/A tests are significant in 5 %, intervals cover 95 %, and looking often does no harm."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import stats
from tests.behavior.experiments.simulated_users import (
    OUTCOMES,
    compare,
    looks_significant,
    simulate_users,
)

LIFTS = {"delta": 0.03, "cuped-ratio": 0.03, "share": 0.03}
"""The true differences; of all others 0.5, also of the median and nearly of the winsorized mean."""


def rejections(kind: str, experiments: int, users: int, seed: int) -> float:
    generator = np.random.default_rng(seed)
    return float(
        np.mean(
            [compare(simulate_users(generator, users), kind).p < 0.05 for _ in range(experiments)]
        )
    )


def coverage(kind: str, experiments: int, users: int, seed: int) -> float:
    generator = np.random.default_rng(seed)
    lift = LIFTS.get(kind, 0.5)
    found = [compare(simulate_users(generator, users, lift), kind) for _ in range(experiments)]
    return float(np.mean([each.low <= lift <= each.high for each in found]))


@pytest.mark.parametrize("kind", ["welch", "delta", "cuped", "cuped-ratio"])
def test_few_experiments_without_an_effect(kind: str) -> None:
    """Rejections of 200 tests within the limits that a level of 5 % exceeds in 1 of 1,000 cases."""
    fewest, most = stats.binom.interval(0.999, 200, 0.05)
    assert fewest <= 200 * rejections(kind, 200, 300, seed=2211) <= most


@pytest.mark.simulate
@pytest.mark.parametrize("kind", OUTCOMES)
def test_2000_experiments_without_an_effect(kind: str) -> None:
    rate = rejections(kind, 2000, 500, seed=2212)
    sys.stderr.write(f"\nA/A {kind}: {rate:.2%} significant\n")
    assert rate == pytest.approx(0.05, abs=0.015)


@pytest.mark.simulate
@pytest.mark.parametrize("kind", [kind for kind in OUTCOMES if kind != "winsorized"])
def test_2000_intervals_cover_the_effect(kind: str) -> None:
    covered = coverage(kind, 2000, 500, seed=2213)
    sys.stderr.write(f"\n{kind}: intervals cover {covered:.2%}\n")
    assert 0.93 <= covered <= 0.97


def test_a_sequential_test_is_not_hurt_by_50_looks_but_a_fixed_one_is() -> None:
    def rate(sequential: bool) -> float:
        generator = np.random.default_rng(2214)
        return float(np.mean([looks_significant(generator, 50, 20, sequential) for _ in range(60)]))

    assert rate(sequential=True) <= 0.1
    assert rate(sequential=False) >= 0.15


@pytest.mark.simulate
def test_2000_sequential_tests_with_50_looks() -> None:
    generator = np.random.default_rng(2215)
    found = [looks_significant(generator, 50, 100, sequential=True) for _ in range(2000)]
    fixed = [looks_significant(generator, 50, 100, sequential=False) for _ in range(400)]
    sys.stderr.write(f"\n50 looks: sequential {np.mean(found):.2%}, fixed {np.mean(fixed):.2%}\n")
    assert np.mean(found) <= 0.05
    assert np.mean(fixed) > 0.2
