"""Curves by depth agree with the measures at each depth."""

from __future__ import annotations

import numpy as np
import pytest

from assay import measure
from assay.core.catalogue import catalogue
from assay.testing import rankings

VIEW = rankings("+-3?2-+|21", "-2|3", "3|")


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 7])
def test_points_are_the_measures_at_that_depth(depth: int) -> None:
    recall = catalogue().curves["recall by depth"](VIEW, depths=[depth])
    assert recall["recall"][0] == pytest.approx(measure(f"R@{depth}", "retrieval")(VIEW).mean())
    gain = catalogue().curves["gain by depth"](VIEW, depths=[depth])
    for column, name in {"gain": "CG", "discounted": "DCG", "share": "nDCG"}.items():
        assert gain[column][0] == pytest.approx(measure(f"{name}@{depth}")(VIEW).mean())


def test_the_sawtooth_of_the_lecture() -> None:
    points = catalogue().curves["precision-recall sawtooth"](rankings("++-+-+------+-"))
    shown = [1, 1, 0.67, 0.75, 0.60, 0.67, 0.57, 0.50, 0.44, 0.40, 0.36, 0.33, 0.38, 0.36]
    assert points["precision"] == pytest.approx(np.asarray(shown), abs=0.005)
    assert points["recall"][[0, 1, 3, 5, 12]] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
