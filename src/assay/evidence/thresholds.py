"""ThresholdTable: how many positive and negative items stand at each distinct score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, counted
from assay.evidence.view import View


@dataclass(frozen=True)
class ThresholdTable(View):
    """Counts per distinct score, highest score first; one table per unit over the same scores."""

    task: ClassVar[str] = "classification"

    names: tuple[str, ...]
    score: Floats
    positives: Floats
    """Units × distinct score."""
    negatives: Floats

    @classmethod
    def of(cls, score: Floats, positive: Floats, weight: Floats | None = None) -> Self:
        """One table from items: their scores, and 1 for positive or 0 for negative ones."""
        weights = np.ones(len(score)) if weight is None else weight
        distinct, place = np.unique(-score, return_inverse=True)
        size = len(distinct)
        positives = counted(place, weights * positive, size)
        negatives = counted(place, weights * (1 - positive), size)
        return cls(("all",), -distinct, positives[None, :], negatives[None, :])

    @property
    def units(self) -> tuple[str, ...]:
        """The names of the tables."""
        return self.names

    @property
    def cells(self) -> Floats:
        """The counts of the first table: its positives, then its negatives."""
        return np.concatenate((self.positives[0], self.negatives[0]))

    @property
    def tp(self) -> Floats:
        """Positive items at or above each score."""
        return np.cumsum(self.positives, axis=1)

    @property
    def fp(self) -> Floats:
        """Negative items at or above each score."""
        return np.cumsum(self.negatives, axis=1)

    def reweight(self, counts: Floats) -> Self:
        """One table for each row of counts: the positives of each score, then the negatives."""
        names = tuple(f"resample {n}" for n in range(1, len(counts) + 1))
        size = len(self.score)
        return replace(
            self,
            names=names,
            positives=counts[:, :size].astype(np.float64),
            negatives=counts[:, size:].astype(np.float64),
        )

    def ideal(self) -> Self:
        """All positive items above all negative ones."""
        positives, negatives = self.positives.sum(axis=1), self.negatives.sum(axis=1)
        zero = np.zeros_like(positives)
        return replace(
            self,
            score=np.asarray([1.0, 0.0]),
            positives=np.stack((positives, zero), axis=1),
            negatives=np.stack((zero, negatives), axis=1),
        )

    def __add__(self, other: Self) -> Self:
        """The counts of both, over the distinct scores of both."""
        score = -np.unique(np.concatenate((-self.score, -other.score)))
        mine, theirs = self._spread(score), other._spread(score)
        return replace(
            self, score=score, positives=mine[0] + theirs[0], negatives=mine[1] + theirs[1]
        )

    def _spread(self, score: Floats) -> tuple[Floats, Floats]:
        place = np.searchsorted(-score, -self.score)
        spread = np.zeros((2, len(self.names), len(score)))
        spread[0][:, place] = self.positives
        spread[1][:, place] = self.negatives
        return spread[0], spread[1]
