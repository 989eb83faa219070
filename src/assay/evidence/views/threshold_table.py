"""ThresholdTable: the number of positive and negative items with each distinct score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.tables import Decisions
from assay.evidence.alike_items import dense_ranks
from assay.evidence.column_values import (
    MOST_SORTED_AT_ONCE,
    check_weights,
    effective_size,
    finite_numbers,
    pooled_effective_size,
)
from assay.evidence.decimal_codes import count_decimals
from assay.evidence.views.view import NamedSets

MOST_RESAMPLED = 10_000
"""Distinct scores beyond which a resampled table is thinned: more would not be seen."""


@dataclass(frozen=True)
class ThresholdTable(NamedSets):
    """Counts per distinct score, highest score first; one table per unit over the same scores."""

    task: ClassVar[str] = "classification"

    names: tuple[str, ...]
    score: Floats
    positives: Floats
    """Units × distinct score."""
    negatives: Floats
    effective: float | None = None
    """How many items of equal weight the table is worth; None where it counts items."""
    most: int | None = MOST_RESAMPLED
    """Distinct scores beyond which ``cells`` and ``reweight`` thin the table; None for never."""

    @classmethod
    def of(cls, score: Floats, positive: Bools | Floats, weight: Floats | None = None) -> Self:
        """Return one table from items: their scores, and whether each is positive."""
        is_positive = np.asarray(positive, dtype=bool)
        if weight is None:
            size, (distinct, positives, negatives) = None, _count_scores(score, is_positive)
        else:
            size = effective_size(weight)
            distinct, positives, negatives = _sum_weights(score, is_positive, weight=weight)
        return cls(("all",), distinct, positives[None, :], negatives[None, :], size)

    @property
    def cells(self) -> Floats:
        """The counts of the first table, thinned if it is long: positives, then negatives."""
        short = self.merge_neighbors(self.most)
        return np.concatenate((short.positives[0], short.negatives[0]))

    def merge_neighbors(self, most: int | None) -> Self:
        """The table with neighbouring scores put together, so that at most that many are left.

        Items are shared out evenly; each group keeps its lowest score, so that "at or above" it
        means the same items as before. Good enough to draw or to resample, never to choose by.
        """
        if most is None or len(self.score) <= most:
            return self
        starts = self._starts(most)
        return replace(
            self,
            score=self.score[np.append(starts[1:], len(self.score)) - 1],
            positives=np.add.reduceat(self.positives, starts, axis=1),
            negatives=np.add.reduceat(self.negatives, starts, axis=1),
        )

    def _starts(self, most: int) -> Ints:
        """Return where each group of neighbouring scores begins."""
        above = np.cumsum((self.positives + self.negatives).sum(axis=0))
        group = np.minimum((above * most / above[-1]).astype(np.int64), most - 1)
        return np.flatnonzero(np.diff(group, prepend=-1))

    def unthinned(self) -> Self:
        """Return the table that is never thinned."""
        return replace(self, most=None)

    def thinned_cells(self, cells: Ints) -> Ints:
        """Return the places of the cells of the unthinned table in the thinned one."""
        if self.most is None or len(self.score) <= self.most:
            return cells
        starts = self._starts(self.most)
        side, row = np.divmod(cells, len(self.score))
        return side * len(starts) + np.searchsorted(starts, row, side="right") - 1

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
        score = self.merge_neighbors(self.most).score
        size = len(score)
        return replace(
            self,
            names=("all",) * len(counts),
            score=score,
            positives=counts[:, :size].astype(np.float64),
            negatives=counts[:, size:].astype(np.float64),
            effective=None,
        )

    def items(self) -> tuple[Floats, Bools]:
        """Return the scores of all items, lowest first, and whether each is positive.

        The table counts items without weights; of equal scores the negative ones come first.
        """
        counts = np.stack((self.negatives[0, ::-1], self.positives[0, ::-1]), axis=1)
        sizes = counts.ravel().astype(np.int64)
        is_positive = np.tile([False, True], len(counts))
        return np.repeat(np.repeat(self.score[::-1], 2), sizes), np.repeat(is_positive, sizes)

    def ideal(self) -> Self:
        """Return all positive items above all negative ones."""
        positives, negatives = self.positives.sum(axis=1), self.negatives.sum(axis=1)
        zero = np.zeros_like(positives)
        return replace(
            self,
            score=np.asarray([1.0, 0.0]),
            positives=np.stack((positives, zero), axis=1),
            negatives=np.stack((zero, negatives), axis=1),
        )

    def __add__(self, other: Self) -> Self:
        """Return the counts of both, over the distinct scores of both."""
        scores = np.concatenate((self.score, other.score))
        place, size = dense_ranks(-scores)
        score, positives, negatives = np.empty(size), *np.zeros((2, len(self.names), size))
        score[place] = scores
        del scores  # Of parts of a long table each array counts.
        rows = place[: len(self.score)], place[len(self.score) :]
        for part, own in zip((self, other), rows, strict=True):
            positives[:, own] += part.positives
            negatives[:, own] += part.negatives
        worth = (self._total, self.effective, other._total, other.effective)
        return replace(
            self,
            score=score,
            positives=positives,
            negatives=negatives,
            effective=pooled_effective_size(*worth),
        )

    @property
    def _total(self) -> float:
        """The weight of all items."""
        return float(self.positives.sum() + self.negatives.sum())


def _count_scores(score: Floats, positive: Bools) -> tuple[Floats, Floats, Floats]:
    """Distinct scores, highest first, and the number of positive and negative items with each.

    Many scores with few decimals are counted. Of others, two sorts of plain numbers and a search
    are faster than one sort of indices; what is no longer needed is deleted, since with millions of
    scores each array counts.
    """
    if len(score) > MOST_SORTED_AT_ONCE and (counted := count_decimals(score, positive)):
        known, unmarked, marked = counted
        return known[::-1] + 0.0, marked[::-1].astype(np.float64), unmarked[::-1].astype(np.float64)
    ordered = np.sort(score)
    is_last = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_last[:-1])
    last = np.flatnonzero(is_last)
    distinct = ordered if len(last) == len(ordered) else ordered[last]
    del ordered, is_last
    negatives = _differences(last + 1)
    del last
    positives = _differences(np.searchsorted(np.sort(score[positive]), distinct, side="right"))
    negatives -= positives
    distinct += 0.0  # −0 is 0.
    return distinct[::-1], positives[::-1], negatives[::-1]


def _differences(running: Ints) -> Floats:
    """Return the steps of a running count."""
    steps = running.astype(np.float64)
    steps[1:] -= running[:-1]
    return steps


def _sum_weights(score: Floats, positive: Bools, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """The same by weight, which is added in an order that does not depend on that of the items."""
    order = np.lexsort((weight, positive, -score))
    ordered, sizes, is_positive = score[order], weight[order], positive[order]
    starts = np.flatnonzero(np.append([True], ordered[1:] != ordered[:-1])[: len(ordered)])
    positives = np.add.reduceat(np.where(is_positive, sizes, 0), starts)
    negatives = np.add.reduceat(np.where(is_positive, 0, sizes), starts)
    return ordered[starts] + 0.0, positives, negatives


def build_threshold_table(decisions: Decisions, positive: str) -> ThresholdTable:
    """Return the counts of positive and negative items at each distinct score."""
    return ThresholdTable.of(*read_scored_items(decisions, positive))


class ScoredItems(NamedTuple):
    """The scores of items, which of them are positive, and their weights, if they have any."""

    score: Floats
    positive: Bools
    weight: Floats | None


def read_scored_items(decisions: Decisions, positive: str) -> ScoredItems:
    """Return the scores of the items, checked."""
    score = finite_numbers(decisions, "score")
    truth = (decisions.frame["truth"] == positive).to_numpy()
    return ScoredItems(score, truth, check_weights(decisions))
