"""Cells of confusion matrices are the same however the labels are looked up."""

from __future__ import annotations

import polars as pl
import pytest

from assay.core import map_ahead
from assay.core.tables import Decisions
from assay.evidence.views.confusion import ConfusionCells


@pytest.mark.parametrize("labels", [(), ("yes", "no"), ("no", "yes", "maybe"), ("yes",)])
def test_labels_of_many_rows_are_looked_up_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch, labels: tuple[str, ...]
) -> None:
    columns = {"truth": ["yes", "no", "no", "yes"], "predicted": ["no", "no", "yes", "yes"]}
    decisions = Decisions.of(pl.DataFrame(columns))
    usual = ConfusionCells.of(decisions, labels)
    monkeypatch.setattr(map_ahead, "_MANY_ROWS", 0)
    found = ConfusionCells.of(decisions, labels)
    assert found.labels == usual.labels
    assert found.cell.tolist() == usual.cell.tolist()
    named = [
        found.labels.index(one) * len(found.labels) + found.labels.index(two)
        for one, two in zip(columns["truth"], columns["predicted"], strict=True)
    ]
    assert found.cell.tolist() == named
