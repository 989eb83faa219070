"""ValuePairs: true numbers and their predictions, item by item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats
from assay.core.tables import Values
from assay.evidence.column_values import (
    canonical_order,
    check_weights,
    finite_numbers,
    item_names,
    refuse_empty,
)
from assay.evidence.effective_size import effective_size
from assay.evidence.views.value_moments import ValueMoments
from assay.evidence.views.view import WeightedItems, join_fields


@dataclass(frozen=True)
class ValuePairs(WeightedItems):
    """Pairs of numbers; as one set with weights for each unit, or each item as a unit."""

    task: ClassVar[str] = "regression"

    items: tuple[str, ...]
    truth: Floats
    predicted: Floats
    weight: Floats
    """Units × item: how often each item counts."""
    each: str | None = None

    @classmethod
    def of(
        cls,
        truth: Floats,
        predicted: Floats,
        items: tuple[str, ...] | None = None,
        weight: Floats | None = None,
    ) -> Self:
        """One set of pairs."""
        names = items or tuple(str(n) for n in range(1, len(truth) + 1))
        weights = np.ones(len(truth)) if weight is None else weight
        return cls(names, truth, predicted, weights[None, :])

    def parts(self, kind: str) -> tuple[str, ...]:
        """Return the names of the items."""
        return self.items

    @property
    def support(self) -> Floats | None:
        """The weight of each item."""
        return self.weight[0] if self.each == "item" else None

    @property
    def effective(self) -> float | None:
        """How many items of equal weight the weighted ones are worth."""
        return effective_size(self.weight[0])

    @cached_property
    def arranged(self) -> tuple[Floats, Floats, Floats]:
        """Truth, prediction and weights in an order that does not depend on how they were given."""
        order = np.lexsort((self.weight[0], self.predicted, self.truth))
        return self.truth[order], self.predicted[order], self.weight[:, order]

    @property
    def moments(self) -> ValueMoments:
        """Means, spreads and the sum of squared errors: all that many measures look at."""
        return replace(ValueMoments.of(self.units, *self.arranged), pairs=self)

    def ideal(self) -> Self:
        """Every value predicted as it is."""
        return replace(self, predicted=self.truth)

    def __add__(self, other: Self) -> Self:
        """The items of both."""
        return replace(self, **join_fields(self, other, "items", "truth", "predicted", "weight"))


def build_value_pairs(values: Values) -> ValuePairs:
    """The pairs of true and predicted numbers."""
    refuse_empty(values)
    truth, predicted = finite_numbers(values, "truth"), finite_numbers(values, "predicted")
    weights, items = check_weights(values), item_names(values)
    order = canonical_order(truth, predicted, weights, items)
    names = tuple(items[n] if items else str(n + 1) for n in order.tolist())
    weight = None if weights is None else weights[order]
    return ValuePairs.of(truth[order], predicted[order], names, weight)
