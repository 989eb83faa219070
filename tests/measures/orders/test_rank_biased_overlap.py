from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from assay import measure
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
