"""Correlations of many items: the numbers of SciPy, and intervals that its resamples confirm."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from scipy import stats

import assay
from assay.core.closed_form_intervals import MANY_ITEMS
from assay.evidence.alike_items import dense_ranks
from assay.evidence.column_values import MOST_SORTED_AT_ONCE

MEASURES = {
    "rho": stats.spearmanr,
    "r": stats.pearsonr,
    "tau(ties=b)": stats.kendalltau,
}


def draw(count: int, decimals: int, seed: int = 5) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    first = random.standard_t(6, size=count)
    second = first / 2 + random.normal(size=count)
    columns = {"first": np.round(first, decimals), "second": np.round(second, decimals)}
    return pl.DataFrame({"item": np.arange(count), **columns})


@pytest.mark.parametrize("decimals", [0, 3, 15])
def test_values_equal_scipy_in_any_order_of_rows(decimals: int) -> None:
    table = draw(MOST_SORTED_AT_ONCE + 1_000, decimals)
    scores, again = (
        assay.correlation(each, measures=[*MEASURES])
        for each in (table, table.sample(fraction=1, shuffle=True, seed=2))
    )
    for name, theirs in MEASURES.items():
        found, other = scores.of(name)[0], again.of(name)[0]
        expected = theirs(table["first"].to_numpy(), table["second"].to_numpy()).statistic
        assert found.value == pytest.approx(expected, rel=1e-9), name
        assert (found.value, found.low, found.high) == (other.value, other.low, other.high), name
        assert found.low < found.value < found.high


@pytest.mark.parametrize("decimals", [0, 3])
def test_rho_is_that_of_whole_numbers(decimals: int) -> None:
    table = draw(MOST_SORTED_AT_ONCE + 1_000, decimals)
    ranks = (stats.rankdata(table[name].to_numpy()) for name in ("first", "second"))
    one, two = ([int(2 * rank) - table.height - 1 for rank in each] for each in ranks)
    sums = [sum(a * b for a, b in zip(*pair, strict=True)) for pair in ((one, one), (two, two))]
    product = sum(a * b for a, b in zip(one, two, strict=True))
    roots = math.sqrt(sums[0] / 4) * math.sqrt(sums[1] / 4)
    scores = assay.correlation(table, measures="rho", interval=None)
    assert scores.of("rho")[0].value == (product / 4) / roots


@pytest.mark.parametrize("decimals", [0, 15])
@pytest.mark.parametrize("name", [*MEASURES])
def test_intervals_are_as_wide_as_those_of_resamples(name: str, decimals: int) -> None:
    count = MANY_ITEMS + 1_000
    table = draw(count, decimals, seed=11)
    first, second = table["first"].to_numpy(), table["second"].to_numpy()
    correlate: Callable[..., object] = MEASURES[name]
    random = np.random.default_rng(3)
    drawn = []
    for _ in range(150):
        rows = random.integers(0, count, count)
        drawn.append(correlate(first[rows], second[rows]).statistic)  # type: ignore[attr-defined]
    found = assay.correlation(table, measures=name).of(name)[0]
    width = 2 * stats.norm.ppf(0.975) * np.std(drawn, ddof=1)
    assert found.high - found.low == pytest.approx(width, rel=0.2)


def test_perfect_order_has_no_interval() -> None:
    numbers = np.arange(MANY_ITEMS + 1.0)
    scores = assay.correlation(numbers, numbers * 2, "rho tau r")
    for each in scores.results:
        assert each.value == pytest.approx(1)
        assert np.isnan(each.low), each.measure


@pytest.mark.parametrize(
    "values",
    [
        np.round(np.random.default_rng(1).normal(size=120_000), 4),
        np.random.default_rng(2).normal(size=120_000),
        np.random.default_rng(3).integers(-50, 50, 120_000) * 1e6,
        np.where(np.arange(120_000) % 2, -0.0, 0.0),
        np.append(np.round(np.random.default_rng(4).normal(size=120_000), 2), [np.pi, -0.1 - 0.2]),
    ],
)
def test_ranks_with_and_without_sorting(values: np.ndarray) -> None:
    known, expected = np.unique(values, return_inverse=True)
    ranks, count = dense_ranks(values)
    assert count == len(known)
    assert (ranks == expected).all()
