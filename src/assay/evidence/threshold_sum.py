"""The counts at each distinct score of items that come in parts."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.evidence.views.threshold_table import ScoredItems, ThresholdTable

_MOST_KEPT = 2_000_000
"""So many scores are kept and counted together: it takes less than to join a table for each part,
which may have most of the distinct scores of the whole."""


class ThresholdSum:
    """A threshold table that grows, the same for all parts into which the items may be divided."""

    def __init__(self) -> None:
        self._table: ThresholdTable | None = None
        self._scores: list[Floats] = []
        self._positive: list[Bools] = []
        self._kept = 0

    def add(self, part: ScoredItems) -> None:
        """Add the items of a part; those with weights are counted part by part."""
        if part.weight is not None:
            self._join(ThresholdTable.of(*part))
            return
        self._scores.append(part.score)
        self._positive.append(part.positive)
        self._kept += len(part.score)
        if self._kept >= _MOST_KEPT:
            self._count_kept()

    def table(self) -> ThresholdTable | None:
        """Return the counts of all parts; None if there was none."""
        if self._scores:
            self._count_kept()
        return self._table

    def _count_kept(self) -> None:
        score, positive = np.concatenate(self._scores), np.concatenate(self._positive)
        self._scores, self._positive, self._kept = [], [], 0
        self._join(ThresholdTable.of(score, positive))

    def _join(self, table: ThresholdTable) -> None:
        self._table = table if self._table is None else self._table + table
