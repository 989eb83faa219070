"""Intervals of many units: a bootstrap that was asked for by name is not replaced by a formula."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.arrays import Ratio
from assay.core.closed_form_intervals import MANY_ITEMS
from assay.statistics.intervals.interval_settings import CLOSED_FORM, Bootstrap
from assay.statistics.intervals.ratio_intervals import ratio_interval

SKEWED = np.random.default_rng(2).lognormal(0, 2.5, MANY_ITEMS + 1)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_many_units_are_resampled_where_a_bootstrap_is_named(method: str) -> None:
    parts = Ratio(SKEWED, np.ones(len(SKEWED)))
    found = ratio_interval(parts, Bootstrap(resamples=400, method=method))
    assert found.method == method
    draw = np.random.default_rng(7)
    means = [draw.choice(SKEWED, len(SKEWED)).mean() for _ in range(400)]
    spread = np.std(means)
    assert found.high - SKEWED.mean() > SKEWED.mean() - found.low  # skewed as the values are
    if method == "percentile":
        expected = np.quantile(means, (0.025, 0.975))
        assert (found.low, found.high) == pytest.approx(expected, abs=spread / 2)


def test_many_units_have_a_formula_by_default() -> None:
    parts = Ratio(SKEWED, np.ones(len(SKEWED)))
    found = ratio_interval(parts, Bootstrap())
    assert found.method == CLOSED_FORM
    error = SKEWED.std(ddof=1) / np.sqrt(len(SKEWED))
    assert found.high - found.low == pytest.approx(2 * 1.959964 * error, rel=1e-4)


@pytest.mark.parametrize("method", ["expanded", "t"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_order_of_many_units_does_not_change_a_bit(method: str, weighted: bool) -> None:
    draw = np.random.default_rng(3)
    values = draw.lognormal(0, 5, 200_000)
    weight = draw.integers(1, 4, len(values)) / 3 if weighted else np.ones(len(values))
    order = draw.permutation(len(values))
    one, two = (
        ratio_interval(Ratio((weight * values)[rows], weight[rows]), Bootstrap(method=method))
        for rows in (slice(None), order)
    )
    assert (one.low.hex(), one.high.hex()) == (two.low.hex(), two.high.hex())
