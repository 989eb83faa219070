"""Threshold tables of items that come in parts equal that of all items, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from assay.evidence import threshold_sum
from assay.evidence.threshold_sum import ThresholdSum
from assay.evidence.views.threshold_table import ScoredItems, ThresholdTable


@pytest.mark.parametrize("decimals", [3, 17])
@pytest.mark.parametrize("most", [1, 700, 10**6])
@pytest.mark.parametrize("weighted", [False, True])
def test_parts_have_the_counts_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, decimals: int, most: int, weighted: bool
) -> None:
    monkeypatch.setattr(threshold_sum, "_MOST_KEPT", most)
    random = np.random.default_rng(7)
    score = np.round(random.random(2000), decimals)
    positive = random.random(2000) < 0.3
    weight = random.integers(1, 9, 2000) / 4 if weighted else None
    sums = ThresholdSum()
    for span in (slice(0, 1), slice(1, 900), slice(900, 900), slice(900, 2000)):
        own = None if weight is None else weight[span]
        sums.add(ScoredItems(score[span], positive[span], own))
    found, whole = sums.table(), ThresholdTable.of(score, positive, weight)
    assert found is not None
    assert found.score.tobytes() == whole.score.tobytes()
    assert found.positives.tobytes() == whole.positives.tobytes()
    assert found.negatives.tobytes() == whole.negatives.tobytes()
    assert found.effective == pytest.approx(whole.effective, 1e-12)


def test_without_a_part_there_is_no_table() -> None:
    assert ThresholdSum().table() is None
