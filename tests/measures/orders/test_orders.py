"""Two orders of the same things, beside SciPy, published values and by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import measure
from assay.testing import listed, orders


def drawn(size: int, ties: Any, seed: int) -> Any:
    random = np.random.default_rng(seed)
    one = random.normal(size=size)
    two = one + random.normal(size=size)
    return (np.round(one, 1), np.round(two, 1)) if ties else (one, two)


ORACLES = {
    "tau(ties=b)": lambda stats, x, y: stats.kendalltau(x, y).statistic,
    "rho": lambda stats, x, y: stats.spearmanr(x, y).statistic,
    "r": lambda stats, x, y: stats.pearsonr(x, y).statistic,
    "weighted_tau": lambda stats, x, y: stats.weightedtau(x, y).statistic,
}


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("size", [2, 7, 40, 500])
def test_equals_scipy(name: str, ties: bool, size: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    x, y = drawn(size, ties, size)
    expected = ORACLES[name](stats, x, y)
    assert measure(name, "correlation")(orders(x, y))[0] == pytest.approx(
        expected, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("name", ["kendalltau", "kendall", "tau_b"])
def test_names_of_scipy_and_pandas_mean_tau_b(name: str) -> None:
    x, y = drawn(60, True, 1)
    expected = pytest.importorskip("scipy.stats").kendalltau(x, y).statistic
    assert measure(name)(orders(x, y))[0] == pytest.approx(expected, abs=1e-12)


def test_tau_a_counts_every_pair() -> None:
    x, y = drawn(60, True, 1)
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    assert measure("tau")(orders(x, y))[0] == signs.sum() / (60 * 59)


@pytest.mark.parametrize("name", ["tau", "tau(ties=b)", "rho", "r"])
def test_an_item_counted_twice_is_two_items(name: str) -> None:
    # For tau, a pair of copies is no pair of different items: only rho and r see two items.
    x, y = drawn(9, True, 2)
    counts = np.random.default_rng(3).integers(0, 3, (4, 9)).astype(float)
    values = measure(name, "correlation")(orders(x, y).reweight(counts))
    for row, value in zip(counts.astype(int), values, strict=True):
        if name.startswith("tau"):
            pairs = np.outer(row, row) * (1 - np.eye(9))
            one, two = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
            below = (
                pairs.sum()
                if name == "tau"
                else np.sqrt((pairs * one**2).sum()) * np.sqrt((pairs * two**2).sum())
            )
            assert value == pytest.approx((pairs * one * two).sum() / below)
        else:
            again = orders(np.repeat(x, row), np.repeat(y, row))
            assert value == pytest.approx(measure(name, "correlation")(again)[0])


def test_a_hundred_thousand_items_need_no_matrix() -> None:
    x, y = drawn(100_000, True, 4)
    stats = pytest.importorskip("scipy.stats")
    expected = stats.kendalltau(x, y).statistic
    assert measure("tau(ties=b)")(orders(x, y))[0] == pytest.approx(expected, abs=1e-12)


def test_spearman_without_ties_by_its_formula() -> None:
    assert measure("rho(ties=none)")(orders([3, 2, 1], [2, 3, 1]))[0] == 1 - 6 * 2 / (3 * 8)


@pytest.mark.shared
def test_published_tau_cases(shared_data: Path) -> None:
    cases = json.loads((shared_data / "rank_correlation/rank_correlation_cases.json").read_text())
    names = {
        "tau(x,y)": ("tau", "x", "y"),
        "tau_a(x,y_ties)": ("tau", "x", "y_ties"),
        "tau_b(x_ties,y_ties)": ("tau(ties=b)", "x_ties", "y_ties"),
        "tauAP(x,y)": ("tauAP", "x", "y"),
        "tauAP_a(x,y_ties)": ("tauAP", "x", "y_ties"),
        "tauAP_b(x,y)": ("tauAP(ties=b)", "x", "y"),
        "tauAP_b(x_ties,y_ties)": ("tauAP(ties=b)", "x_ties", "y_ties"),
    }
    for key, published in cases["expected_set1_2_3"].items():
        name, one, two = names[key]
        sets = cases["data"].values()
        ours = [measure(name)(orders(each[one], each[two]))[0] for each in sets]
        assert ours == pytest.approx(published, abs=5e-5), key


def test_tau_ap_is_the_mean_over_all_ways_to_break_ties() -> None:
    from itertools import permutations, product

    truth = [5, 4, 4, 2, 1]
    found = [3, 3, 1, 2, 1]
    ways = [
        {tuple(np.argsort(-(np.asarray(each) + np.asarray(mixed) / 100))): None for mixed in mixes}
        for each, mixes in ((truth, permutations(range(5))), (found, permutations(range(5))))
    ]
    values = []
    for one, two in product(*ways):
        ranks = [[-list(order).index(item) for item in range(5)] for order in (one, two)]
        values.append(measure("tauAP")(orders(*ranks))[0])
    assert measure("tauAP")(orders(truth, found))[0] == pytest.approx(np.mean(values))


def test_tau_ap_without_ties_by_hand() -> None:
    # Second order: b a c e d. Below b: a wrong (0/1), c 2/2, e 3/3, d 3/4 right.
    expected = 2 / 4 * (0 + 1 + 1 + 3 / 4) - 1
    assert measure("tauAP")(orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2]))[0] == expected


@pytest.mark.parametrize("name", ["tau", "tau(ties=b)", "rho", "r", "tauAP", "weighted_tau"])
def test_one_item_has_no_order(name: str) -> None:
    assert np.isnan(measure(name, "correlation")(orders([1], [2]))).all()


@pytest.mark.parametrize("name", ["tau(ties=b)", "rho", "r", "weighted_tau"])
def test_only_one_value_is_undefined(name: str) -> None:
    assert np.isnan(measure(name, "correlation")(orders([1, 1, 1], [1, 2, 3]))).all()


def test_inversions_are_listed() -> None:
    table = orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 2]).inversions()
    assert table["earlier in the first"] == ["1", "4"]
    assert table["earlier in the second"] == ["2", "5"]


def traced(name: str, view: Any) -> Any:
    """The last row of the table behind a number."""
    asked = measure(name, "correlation")
    table = asked.trace(view)
    return {column: values[-1] for column, values in table.items()}


def test_the_trace_of_tau_counts_the_pairs_and_divides() -> None:
    tied = orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 1])
    table = measure("tau").trace(tied)
    assert [sum(table[each]) for each in ("same order", "opposite", "tied")] == [8, 1, 1]
    end = traced("tau", tied)
    assert (end["same − opposite"], end["of pairs"], end["tau"]) == (7, 10, 0.7)
    of_b = traced("tau(ties=b)", tied)
    assert of_b["of untied pairs"] == pytest.approx(90**0.5)
    assert of_b["tau"] == pytest.approx(7 / 90**0.5)


def test_the_trace_of_rho_shows_deviations_where_there_are_ties() -> None:
    end = traced("rho", orders([5, 4, 3, 2, 1], [4, 5, 3, 1, 1]))
    assert end["sum of products"] == 8.5
    assert end["√Σ² · √Σ²"] == pytest.approx((10 * 9.5) ** 0.5)
    assert end["rho"] == pytest.approx(8.5 / 95**0.5)


def test_the_trace_of_an_overlap_has_the_unseen_rest() -> None:
    end = traced("RBO(p=0.9)", listed("a b c d e", "b a c e d"))
    assert end["below the end"] == pytest.approx(0.9**5)
    assert end["sum"] == pytest.approx(0.882, abs=5e-4)
