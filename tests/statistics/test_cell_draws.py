"""Resamples of tables with many cells: the multinomial distribution, however it is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from assay.statistics.intervals.table_intervals import MANY_CELLS, draw_cells


def test_a_large_table_is_drawn_from_the_multinomial_distribution() -> None:
    shares = np.ones(MANY_CELLS + 1)
    shares[0], shares[1], shares[2:100] = 1500, 500, 0
    shares /= shares.sum()
    items, rows = 20_000, 2_000
    counts = draw_cells(np.random.default_rng(5), items, shares, rows)
    assert (counts.sum(axis=1) == items).all()
    assert not counts[:, 2:100].any()
    one, two = counts[:, 0], counts[:, 1]
    for drawn, share in ((one, shares[0]), (two, shares[1])):
        error = np.sqrt(items * share * (1 - share))
        assert drawn.mean() == pytest.approx(items * share, abs=4 * error / np.sqrt(rows))
        assert drawn.std() == pytest.approx(error, rel=0.06)
    # What is in one cell is missing from the others.
    expected = -np.sqrt(shares[0] * shares[1] / ((1 - shares[0]) * (1 - shares[1])))
    assert np.corrcoef(one, two)[0, 1] == pytest.approx(expected, abs=0.08)
    rest = counts[:, 100:]
    assert rest.mean() == pytest.approx(items * shares[-1], rel=0.002)
    assert rest.var() == pytest.approx(items * shares[-1] * (1 - shares[-1]), rel=0.01)


def test_the_draws_of_small_tables_and_of_many_items_are_those_of_numpy() -> None:
    for cells, items in ((MANY_CELLS, 100), (MANY_CELLS + 1, 10**9)):
        shares = np.full(cells, 1 / cells)
        expected = np.random.default_rng(3).multinomial(items, shares, size=2)
        assert (draw_cells(np.random.default_rng(3), items, shares, 2) == expected).all()


def test_the_last_cells_may_be_empty() -> None:
    shares = np.zeros(MANY_CELLS + 2)
    shares[:-2] = 1 / MANY_CELLS
    counts = draw_cells(np.random.default_rng(4), 50, shares, 300)
    assert (counts.sum(axis=1) == 50).all()
    assert not counts[:, -2:].any()
