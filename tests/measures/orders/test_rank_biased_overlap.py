from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay import measure
from assay.evidence.views.order_pairs import RankedLists, Ranking, build_ranked_lists
from assay.testing import listed


@pytest.mark.shared
@pytest.mark.parametrize("ties", ["w", "a", "b"])
@pytest.mark.parametrize("bound", ["ext", "min", "max", "res"])
def test_the_500_published_pairs(shared_data: Path, ties: str, bound: str) -> None:
    with (shared_data / "rbo/rbo_500.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 500
    apart = []
    for row in rows:
        asked = measure(f"RBO(p={row['p']},ties={ties},bound={bound})")
        apart.append(abs(asked(listed(row["x"], row["y"]))[0] - float(row[f"{ties}.{bound}"])))
    assert max(apart) < 1e-9


def test_the_base_adds_up_what_was_seen() -> None:
    # Agreement 0, 1 at depths 1 and 2: .1 · (0 + .9).
    assert measure("RBO(bound=base)")(listed("a b", "b a"))[0] == pytest.approx(0.09)


def test_equal_rankings_agree_fully() -> None:
    assert measure("RBO")(listed("a b c", "a b c"))[0] == pytest.approx(1)
    assert measure("RBO(bound=max)")(listed("a b c", "a b c"))[0] == pytest.approx(1)


def test_the_bounds_enclose_the_value() -> None:
    for one, two in (("a b c d", "d a"), ("(a b) c", "c (b d) e f"), ("a", "b")):
        low, value, high = (
            measure(f"RBO(bound={each})")(listed(one, two))[0] for each in ("min", "ext", "max")
        )
        assert 0 <= low <= value + 1e-12
        assert value <= high + 1e-12


def test_an_empty_ranking_is_undefined() -> None:
    assert np.isnan(measure("RBO")(listed("", "a b"))[0])


def test_overlap_counts_ties_by_chance() -> None:
    assert measure("overlap@1")(listed("(a b)", "a b"))[0] == 0.5
    assert measure("overlap@5")(listed("a b", "b a"))[0] == 1


@pytest.mark.parametrize("ties", ["a", "b"])
@pytest.mark.parametrize("bound", ["ext", "min", "max", "res", "base"])
def test_counts_of_ties_say_what_the_table_of_chances_says(
    ties: str, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(7)
    size = 300
    numbers = draw.integers(0, 40, (2, size)) / 1.0
    rows = pl.DataFrame({"group": "all", "item": [f"{n:03d}" for n in range(size)]})
    gaps = draw.random((2, size)) < 0.2
    gaps[1] &= ~gaps[0]
    for name, values, gap in zip(("first", "second"), numbers, gaps, strict=True):
        rows = rows.with_columns(pl.Series(name, np.where(gap, np.nan, values)).fill_nan(None))
    lists = build_ranked_lists(rows)
    asked = measure(f"RBO(p=0.98,ties={ties},bound={bound})")
    by_table = asked(lists)[0]
    monkeypatch.setattr("assay.measures.orders.overlap.LARGEST_TABLE", 0)
    assert asked(lists)[0] == pytest.approx(by_table, abs=1e-12)
    assert 0 < by_table < 1


def test_long_tied_rankings_need_little_memory() -> None:
    """The first half is tied above the second half, in both rankings."""
    size = 120_000
    top = np.repeat([1, size // 2 + 1], size // 2)
    bottom = np.repeat([size // 2, size], size // 2)
    one = Ranking(top, bottom)
    lists = RankedLists(("all",), ((one, one),))
    # At depth d each of 60,000 things is shared with chance (d / 60,000)²: the agreement is
    # d / 60,000, and .1 · Σ .9^(d − 1) · d = 10.
    assert measure("RBO(p=0.9)")(lists)[0] == pytest.approx(10 / 60_000, rel=1e-9)
