"""Sorted pairs of numbers: groups of equal ones, and the order of one column in the other."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.arrays import Floats
from assay.evidence.sorted_pairs import pair_keys, sort_pairs

SIZE = 150_000
"""Several blocks, the last of them not full."""
COLUMNS = {
    "two decimals": lambda random: np.round(random.normal(size=SIZE), 2),
    "many decimals": lambda random: random.normal(size=SIZE),
    "a decimal too many at the end": lambda random: np.append(np.zeros(SIZE - 1), 0.12345678901),
    "both zeros": lambda random: np.where(random.random(SIZE) < 0.5, -0.0, 0.0),
    "whole numbers": lambda random: random.integers(-9, 9, SIZE).astype(float),
}


def draw(first: str, second: str) -> tuple[Floats, Floats]:
    random = np.random.default_rng(1)
    return COLUMNS[first](random), COLUMNS[second](random)


@pytest.mark.parametrize("first", COLUMNS)
@pytest.mark.parametrize("second", COLUMNS)
def test_equal_numbers_are_counted_and_places_follow_the_other_order(
    first: str, second: str
) -> None:
    one, two = draw(first, second)
    found = sort_pairs(one, two)
    assert found.one.tolist() == np.unique(one, return_counts=True)[1].tolist()
    assert found.two.tolist() == np.unique(two, return_counts=True)[1].tolist()
    pairs = np.unique(np.stack((one, two)) + 0.0, axis=1, return_counts=True)[1]
    assert found.tied_in_both == (pairs * (pairs - 1)).sum() / 2
    by_first = np.lexsort((two, one))
    place = np.empty(SIZE, dtype=int)
    place[by_first] = np.arange(SIZE)
    expected = place[np.lexsort((place, two))]
    alike = np.flatnonzero(found.sequence != expected)
    assert sorted(found.sequence.tolist()) == list(range(SIZE))
    # Items that are equal in both orders may change places.
    assert (one[by_first[found.sequence[alike]]] == one[by_first[expected[alike]]]).all()


def test_keys_are_ordered_as_the_numbers() -> None:
    for names in (("two decimals", "whole numbers"), ("many decimals", "two decimals")):
        one, two = draw(*names)
        key, bits = pair_keys(one, two)
        order = np.argsort(key, kind="stable")
        assert (one[order] == np.sort(one)).all()
        assert (order == np.lexsort((two, one))).all()
        assert len(np.unique(key >> bits)) == len(np.unique(one))
