"""Inversions of long sequences, and the measures of orders that count them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import assay
from assay.evidence import inversion_counts
from assay.evidence.inversion_counts import count_inversions
from assay.evidence.views.order_pairs import OrderPairs


@pytest.mark.parametrize("size", [0, 1, 2, 63, 64, 65, 4096, 4097, 6000])
def test_inversions_are_the_pairs_in_descending_order(size: int) -> None:
    order = np.random.default_rng(size).permutation(size)
    expected = sum(int((order[:place] > order[place]).sum()) for place in range(size))
    assert count_inversions(order) == expected
    assert count_inversions(np.arange(size)) == 0
    assert count_inversions(np.arange(size)[::-1]) == size * (size - 1) // 2


def test_very_long_sequences_are_cut_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    order = np.random.default_rng(2).permutation(300_000)
    usual = count_inversions(order)
    assert usual == round((1 - stats.kendalltau(np.arange(300_000), order).statistic) * usual_pairs)
    monkeypatch.setattr(inversion_counts, "_MOST_BLOCKS", 8)
    monkeypatch.setattr(inversion_counts, "_AT_ONCE", 1 << 14)
    assert count_inversions(order) == usual


usual_pairs = 300_000 * 299_999 / 4


def test_many_tied_items_have_the_correlations_of_scipy_in_any_order() -> None:
    random = np.random.default_rng(3)
    size = 120_000
    first = np.round(random.normal(size=size), 2)
    second = np.round(first + random.normal(size=size), 2)
    table = {"item": np.arange(size), "first": first, "second": second}
    found = assay.correlation(table, measures="tau(ties=b) rho r", interval=None)
    values = {each.measure: each.value for each in found.results}
    assert values["tau(ties=b)"] == pytest.approx(stats.kendalltau(first, second).statistic, 1e-12)
    assert values["rho"] == pytest.approx(stats.spearmanr(first, second).statistic, 1e-12)
    assert values["r"] == pytest.approx(stats.pearsonr(first, second).statistic, 1e-12)
    order = random.permutation(size)
    turned = {name: column[order] for name, column in table.items()}
    again = assay.correlation(turned, measures="tau(ties=b) rho r", interval=None)
    assert [each.value for each in again.results] == [each.value for each in found.results]


def test_resamples_of_many_items_do_not_depend_on_their_order() -> None:
    random = np.random.default_rng(4)
    first, second = random.integers(0, 50, (2, 1000)).astype(float)
    order = random.permutation(1000)
    counts = random.integers(0, 3, (2, 1000)).astype(float)
    views = [
        OrderPairs(("all",), np.asarray([0, 1000]), one, two, as_given=True)
        for one, two in ((first, second), (first[order], second[order]))
    ]
    found = [view.reweight(counts) for view in views]
    assert (found[0].first == found[1].first).all()
    assert (found[0].second == found[1].second).all()
