"""Many items that were rated alike are counted together: no number changes."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.names import measure
from assay.evidence.alike_items import alike_items, sort_entries
from assay.evidence.views.rating_table import MOST_SINGLE_ITEMS, RatingTable

ITEMS = MOST_SINGLE_ITEMS + 5000
MEASURES = ("alpha", "alpha(scale=interval)", "fleiss", "kappa", "percent")


@pytest.fixture(scope="module")
def ratings() -> RatingTable:
    random = np.random.default_rng(3)
    codes = random.integers(-1, 4, (ITEMS, 4))
    names = tuple(f"{n:06d}" for n in range(ITEMS))
    return RatingTable.of(codes, names, tuple("ABCD"), tuple("1234"), np.arange(1.0, 5))


@pytest.mark.parametrize("name", MEASURES)
def test_values_are_the_same(ratings: RatingTable, name: str) -> None:
    condensed, chosen = ratings.condensed(), measure(name, "agreement")
    assert len(condensed.items) == 5**4
    assert condensed.weight.sum() == ITEMS
    one, two = (view.by(chosen.unit) if chosen.unit else view for view in (ratings, condensed))
    np.testing.assert_array_equal(chosen(one), chosen(two))


def test_few_items_stay_apart(ratings: RatingTable) -> None:
    some = ratings.take(np.arange(ITEMS) < 1000)
    assert some.condensed() is some


def test_items_with_many_entries() -> None:
    """Kinds with more combinations than integers have are told apart."""
    random = np.random.default_rng(1)
    kinds = random.integers(0, 9, (7, 40))
    rows = kinds[random.integers(0, 7, 500)]
    item = np.repeat(np.arange(500), 40)
    first, weight = alike_items(item, rows.ravel(), 9, np.ones(500))
    expected = {tuple(row): int((rows == row).all(axis=1).sum()) for row in rows}
    assert {tuple(rows[n]): int(w) for n, w in zip(first, weight, strict=True)} == expected


@pytest.mark.parametrize("size", [10, 2**40])
def test_order_of_entries(size: int) -> None:
    random = np.random.default_rng(2)
    one, two = random.integers(0, 10, (2, 200))
    order = sort_entries((one, size), (two, size))
    pairs = list(zip(one[order].tolist(), two[order].tolist(), strict=True))
    assert pairs == sorted(zip(one.tolist(), two.tolist(), strict=True))
