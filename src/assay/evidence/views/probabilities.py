"""Probabilities: what a classifier held likely of each class, item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints, Ratio
from assay.core.errors import DataError, did_you_mean
from assay.core.tables import Decisions
from assay.evidence.column_values import (
    canonical_order,
    effective_size,
    finite_numbers,
    label_codes,
    refuse_rows,
)
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.view import join_fields
from assay.evidence.views.weighted_items import (
    ItemNumbers,
    WeightedItems,
    canonical_items,
    join_items,
)


@dataclass(frozen=True)
class Probabilities(WeightedItems):
    """A probability of each class for each item, and the item's true class."""

    task: ClassVar[str] = "classification"

    classes: tuple[str, ...]
    truth: Ints
    """The number of the true class of each item."""
    probability: Floats
    """Items × class; each row sums to 1."""
    weight: Floats
    """Units × item: how often each item counts."""
    each: str | None = None
    expected: Floats | None = None
    """Items × class: the true distribution of each item, where it is not one class for certain."""
    items: Sequence[str] = ()
    """The names of the items; empty where their row numbers name them."""

    @classmethod
    def of(
        cls,
        classes: tuple[str, ...],
        truth: Ints,
        probability: Floats,
        weight: Floats | None = None,
        items: Sequence[str] = (),
    ) -> Self:
        """Return one set of items."""
        weights = np.broadcast_to(1.0, len(truth)) if weight is None else weight
        return cls(classes, truth, probability, weights[None, :], items=items)

    @property
    def effective(self) -> float | None:
        """How many items of equal weight the weighted ones are worth."""
        return effective_size(self.weight[0])

    def average(self, values: Floats) -> Ratio:
        """Return a value for each item, to be averaged by weight."""
        weight = self.weight[0]
        is_one = weight.strides == (0,) and len(weight) > 0 and weight[0] == 1
        # Millions of items of weight 1 are not copied.
        return Ratio(values if is_one else weight * values, weight)

    def of_truth(self, items: slice = slice(None)) -> Floats:
        """Return the probability that the true class of each item, or of some, was given."""
        truth, probability = self.truth[items], self.probability[items]
        if self.binary:
            return np.where(truth == 1, probability[:, 1], probability[:, 0])
        return probability[np.arange(len(truth)), truth]

    @property
    def binary(self) -> bool:
        """Whether there are two classes, of which the second is the positive one."""
        return len(self.classes) == 2

    def ideal(self) -> Self:
        """Return the true class of each item held certain."""
        certain = np.zeros_like(self.probability)
        certain[np.arange(len(self.truth)), self.truth] = 1
        return replace(self, probability=certain)

    def __add__(self, other: Self) -> Self:
        """The items of both, which must be about the same classes; the other's come after."""
        if self.classes != other.classes:
            return super().__add__(other)
        return replace(
            self,
            probability=np.concatenate((self.probability, other.probability)),
            **join_fields(self, other, "truth", "weight"),
            expected=self._expected_of_both(other),
            items=join_items(self.parts("item"), other.parts("item")),
        )

    def _expected_of_both(self, other: Self) -> Floats | None:
        if self.expected is None and other.expected is None:
            return None
        if self.expected is None or other.expected is None:
            raise DataError(
                "one part has true probabilities and the other does not: they are not"
                " parts of one set; give both the same columns"
            )
        return np.concatenate((self.expected, other.expected))


SLACK = 1e-6
"""How far the probabilities of an item may be from 1 in sum: what single precision costs."""


def build_probabilities(
    decisions: Decisions, matrix: Floats, classes: tuple[str, ...], positive: str | None = None
) -> Probabilities:
    """Return the probabilities of the classes in their order; of two, the positive comes second."""
    _refuse_invalid_probabilities(decisions, matrix, classes)
    truth = decisions.frame["truth"]
    refuse_rows(
        decisions.source,
        ~truth.is_in(list(classes)),
        lambda row: (
            f"the true class '{truth[row]}' has no column of probabilities; there are"
            f" {', '.join(classes[:10])}." + did_you_mean(truth[row], classes)
        ),
    )
    codes = label_codes(truth, classes)
    if len(classes) == 2 and classes[0] == positive:
        return _order_items(decisions, classes[::-1], 1 - codes, matrix[:, ::-1])
    return _order_items(decisions, classes, codes, matrix)


def build_binary_probabilities(
    decisions: Decisions,
    positive: str,
    labels: tuple[str, ...],
    count: Callable[[], ThresholdTable],
) -> Probabilities:
    """A score between 0 and 1 as the probability of the positive class, which comes second.

    ``count`` returns the number of items at each score: without names and weights they are all
    that the items are.
    """
    others = [label for label in labels if label != positive]
    classes = (others[0] if len(others) == 1 else f"not {positive}", positive)
    truth = decisions.frame["truth"] == positive
    score = decisions.frame["score"].to_numpy()
    if not {"item", "weight"} & {*decisions.frame.columns}:
        items = ItemNumbers(len(score), lambda: canonical_order(score, truth.to_numpy()) + 1)
        ordered, is_positive = count().items()
        codes: Any = is_positive.view(np.int8)  # Millions of items are not copied.
        return Probabilities.of(classes, codes, _with_rest(ordered), items=items)
    score = finite_numbers(decisions, "score")
    return _order_items(decisions, classes, truth.to_numpy().astype(np.int64), _with_rest(score))


def _with_rest(score: Floats) -> Floats:
    """Return the probability of the rest and that of the positive class of each item."""
    matrix = np.empty((len(score), 2))
    np.subtract(1, score, out=matrix[:, 0])
    matrix[:, 1] = score
    return matrix


def _order_items(
    decisions: Decisions, classes: tuple[str, ...], truth: Ints, matrix: Floats
) -> Probabilities:
    """Return the items in an order of their own."""
    order, weights, items = canonical_items(decisions, *matrix.T[::-1], truth)
    return Probabilities.of(classes, truth[order], matrix[order], weights, items)


def _refuse_invalid_probabilities(
    decisions: Decisions, matrix: Floats, classes: tuple[str, ...]
) -> None:
    # One pass each without a copy of the matrix; NaN fails every comparison.
    if matrix.size and not (matrix.min() >= 0 and matrix.max() <= 1 + SLACK):
        row, place = np.argwhere(~((matrix >= 0) & (matrix <= 1 + SLACK)))[0].tolist()
        raise DataError(
            f"{decisions.source.place(row)}: the probability of {classes[place]} is"
            f" {matrix[row, place]:g}; a number between 0 and 1 is expected"
        )
    total = matrix.sum(axis=1)
    off = np.flatnonzero(np.abs(total - 1) > SLACK)
    if len(off):
        row = int(off[0])
        raise DataError(
            f"{decisions.source.place(row)}: the probabilities of the {len(classes)} classes sum"
            f" to {total[row]:.9g}, not to 1 ({len(off)} of {len(matrix)} rows do not);"
            " divide each row by its sum, or give a score instead"
        )
