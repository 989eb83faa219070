"""Intervals of cross-validation, which allow for training sets that overlap.

The models of two folds share most of their training items, so that the errors of the folds are
correlated. Nadeau and Bengio put that correlation at the share of test items: the variance of the
mean over k folds is then σ²(1/k + test/train), for the variance σ² between folds. Repeating the
folds brings no new items, so k stays the number of folds of one repetition.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.core.arrays import Floats
from assay.core.names import measure as measure_named
from assay.engine.result import Result
from assay.selection.cross_validation.folds import Fold
from assay.statistics.paired.folds import corrected_ends
from assay.statistics.significance_tests import ComparisonSettings

METHOD = "Student's t, corrected for overlapping folds"
MANY_FOLDS = 10
"""From so many folds on, the interval after a choice among many candidates is too narrow."""


@dataclass(frozen=True)
class Overlap:
    """How far the training sets of the folds overlap."""

    folds: int
    """How many folds there are."""
    once: float
    """How many folds test every item once."""
    test_share: float
    """The number of test items for each training item."""

    @classmethod
    def of(cls, folds: Sequence[Fold]) -> Overlap:
        """Return the overlap of these folds."""
        sizes = np.array([len(fold.test) for fold in folds], dtype=np.float64)
        tested = np.count_nonzero(np.bincount(np.concatenate([fold.test for fold in folds])))
        trained = np.array([len(fold.train) for fold in folds])
        return cls(len(folds), tested / float(sizes.mean()), float((sizes / trained).mean()))

    @property
    def widening(self) -> float:
        """How many times wider than that of independent items an interval is."""
        return math.sqrt(1 + self.once * self.test_share) if self.folds > 1 else 1.0

    def widen(self, result: Result, task: str) -> Result:
        """Return a result of pooled items with the interval that allows for the overlap.

        The interval of independent items has the variance σ²/k; its ends are moved out by the
        square root of what the overlap adds to that, within the bounds of the measure.
        """
        if self.widening == 1 or not math.isfinite(result.low + result.high):
            return result
        least, most = measure_named(result.measure, task).definition.bounds
        low = result.value - self.widening * (result.value - result.low)
        high = result.value + self.widening * (result.high - result.value)
        return replace(result, low=max(low, least), high=min(high, most))

    def ends(
        self, values: Floats, confidence: float, bounds: tuple[float, float]
    ) -> tuple[float, float]:
        """Return the interval of the mean over folds, within the bounds of the measure."""
        if len(values) < 2:
            return math.nan, math.nan
        added = 1 / min(self.once, len(values)) - 1 / len(values)
        settings = ComparisonSettings(test_share=self.test_share + added)
        low, high = np.clip(corrected_ends(values[:, None], settings, confidence), *bounds)
        return float(np.squeeze(low)), float(np.squeeze(high))

    def notes(self) -> list[str]:
        """Return how far the intervals can be trusted."""
        if self.once < MANY_FOLDS - 0.5 or self.folds == 1:
            return []
        return [
            "with 10 and more folds, an interval after a choice among many candidates is too"
            " narrow: at 95 % it covers about 90 % with 10 folds; 5 folds cover 95 %"
        ]
