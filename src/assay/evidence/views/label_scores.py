"""LabelScores: for each item its true labels, and a score of every label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.evidence.views.view import join_fields
from assay.evidence.views.weighted_items import WeightedItems


@dataclass(frozen=True)
class LabelScores(WeightedItems):
    """Which labels each item has, and how high each label was scored for it."""

    task: ClassVar[str] = "labelsets"

    labels: tuple[str, ...]
    items: tuple[str, ...]
    truth: Bools
    """Items × label: whether the item has the label."""
    score: Floats
    """Items × label: the score of the label, higher where it is held more likely."""
    weight: Floats
    """Units × item: how often each item counts."""
    each: str | None = None

    @classmethod
    def of(
        cls, labels: Sequence[str], truth: Bools, score: Floats, items: Sequence[str] = ()
    ) -> Self:
        """Return one set of items, in an order that does not depend on how they were given.

        Each item keeps its name, or the number of its row.
        """
        order = np.lexsort((*score.T, *truth.T)) if len(labels) else np.arange(len(truth))
        if len(items):
            order = np.asarray(sorted(range(len(items)), key=items.__getitem__), dtype=np.int64)
        names = tuple(items[n] if len(items) else str(n + 1) for n in order.tolist())
        return cls(tuple(labels), names, truth[order], score[order], np.ones((1, len(truth))))

    def ideal(self) -> Self:
        """Every true label scored above every other."""
        return replace(self, score=self.truth.astype(np.float64))

    def __add__(self, other: Self) -> Self:
        """Return the items of both, which must be about the same labels."""
        if self.labels != other.labels:
            return super().__add__(other)
        return replace(
            self,
            truth=np.concatenate((self.truth, other.truth)),
            score=np.concatenate((self.score, other.score)),
            **join_fields(self, other, "items", "weight"),
        )
