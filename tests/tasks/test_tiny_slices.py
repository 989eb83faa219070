"""Notes on slices that are so small that tests and intervals of gaps are rough."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import assay

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 2, 200)
GUESS = np.where(RANDOM.random(200) < 0.8, TRUTH, 1 - TRUTH)


def _groups(*sizes: int) -> list[str]:
    return [name for name, size in zip("abcd", sizes, strict=False) for _ in range(size)]


@pytest.mark.parametrize(("sizes", "rough"), [((90, 90, 20), False), ((100, 92, 8), True)])
def test_gaps_of_slices(sizes: tuple[int, ...], rough: bool) -> None:
    found = assay.classification(TRUTH, GUESS, "ACC", by={"group": _groups(*sizes)})
    said = " ".join(repr(found).split())
    assert ("p and interval are rough, and may disagree: group=c (8)" in said) == rough


@pytest.mark.parametrize("sizes", [(70, 70, 60), (120, 68, 12)])
def test_expected_counts_of_chi_squared(sizes: tuple[int, ...]) -> None:
    groups = np.asarray(_groups(*sizes))
    found = assay.fairness(TRUTH, GUESS, by={"group": groups}, min_size=1)
    right = TRUTH == GUESS
    table = [[right[groups == name].sum(), (~right[groups == name]).sum()] for name in "abc"]
    rough = chi2_contingency(table, correction=False).expected_freq.min() < 5
    notes = [note for note in found.notes if " is rough, " in note]
    assert any("equal accuracy" in note for note in notes) == rough


def test_two_slices_have_an_exact_test() -> None:
    found = assay.fairness(TRUTH, GUESS, by={"group": _groups(190, 10)}, min_size=1)
    assert not any(" is rough, " in note for note in found.notes)
