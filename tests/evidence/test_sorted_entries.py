"""Rows of many items are sorted by each key on its own: the order is that of lexsort."""

from __future__ import annotations

import numpy as np

from assay.evidence.alike_items import are_sorted, dense_ranks
from assay.evidence.column_values import MOST_SORTED_AT_ONCE, canonical_order


def test_many_rows_with_ties() -> None:
    random = np.random.default_rng(4)
    size = MOST_SORTED_AT_ONCE + 500
    first = np.round(random.normal(size=size), 2)
    second = np.round(random.normal(size=size), 1)
    third = random.integers(0, 3, size)
    own, expected = canonical_order(first, second, third), np.lexsort((third, second, first))
    for key in (first, second, third):
        np.testing.assert_array_equal(key[own], key[expected])
    assert are_sorted(first[own], second[own], third[own])
    assert not are_sorted(first, second, third)


def test_dense_ranks() -> None:
    ranks, size = dense_ranks(np.asarray([2.5, -1, 2.5, 0, -1]))
    assert (ranks.tolist(), size) == ([2, 0, 2, 1, 0], 3)
    assert dense_ranks(np.empty(0))[1] == 0
