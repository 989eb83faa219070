"""Sums of long arrays are correctly rounded, whatever the sizes and the order of the numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from assay.core.arrays import exact_mean, exact_parts, exact_ratio, exact_sum

LONG = 150_000
"""More than a block, which is added up on its own."""


def numbers(kind: str) -> np.ndarray:
    random = np.random.default_rng(5)
    if kind == "squares":
        return random.random(LONG) ** 8
    if kind == "wide":
        return random.normal(size=LONG) * 10.0 ** random.integers(-290, 250, LONG)
    if kind == "cancelling":
        half = random.normal(size=LONG // 2) * 1e9
        return np.concatenate((half, -half[::-1], [1e-9]))
    if kind == "tiny":
        return random.integers(-9, 10, LONG) * 5e-324
    return random.integers(0, 2, LONG).astype(np.float64)


@pytest.mark.parametrize("kind", ["squares", "wide", "cancelling", "tiny", "whole"])
def test_sum_is_that_of_fractions(kind: str) -> None:
    values = numbers(kind)
    exact = float(sum(map(Fraction, values.tolist()), Fraction(0)))
    assert exact_sum(values) == exact
    assert exact_sum(np.random.default_rng(1).permutation(values)) == exact


@pytest.mark.parametrize("kind", ["squares", "wide", "cancelling", "tiny", "whole"])
def test_parts_that_were_sent_add_up_to_the_whole(kind: str) -> None:
    values = numbers(kind)
    parts = [exact_parts(piece) for piece in np.array_split(values, 7)]
    assert math.fsum(part for each in parts for part in each) == exact_sum(values)
    exact = sum(map(Fraction, values.tolist()), Fraction(0))
    assert sum((Fraction(part) for each in parts for part in each), Fraction(0)) == exact
    assert max(map(len, parts)) <= 40  # 16 digits each; the widest have 540


def test_threads_share_a_very_long_sum() -> None:
    random = np.random.default_rng(3)
    values = random.normal(size=8 * LONG) * 10.0 ** random.integers(-20, 20, 8 * LONG)
    assert exact_sum(values) == math.fsum(values.tolist())


def test_sums_beyond_all_doubles() -> None:
    assert exact_mean(np.full(LONG, 1e308)) == pytest.approx(1e308)
    assert exact_ratio(np.full(LONG, 1e308), np.ones(LONG)) == pytest.approx(1e308)
    assert math.isnan(exact_mean(np.empty(0)))
