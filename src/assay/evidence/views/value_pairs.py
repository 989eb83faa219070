"""ValuePairs: true and predicted numbers; ValueMoments: their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, center_rows, power_of_two, ratio
from assay.core.tables import Values
from assay.evidence.alike_items import are_sorted
from assay.evidence.column_values import (
    MOST_SORTED_AT_ONCE,
    canonical_order,
    effective_size,
    finite_numbers,
    item_names,
)
from assay.evidence.exact_moments import ExactMoments
from assay.evidence.views.view import NamedSets, join_fields
from assay.evidence.views.weighted_items import (
    ItemNumbers,
    WeightedItems,
    canonical_items,
    join_items,
)

if TYPE_CHECKING:
    from assay.evidence.moment_sums import SummedMoments


@dataclass(frozen=True)
class ValuePairs(WeightedItems):
    """Pairs of numbers; as one set with weights for each unit, or each item as a unit."""

    task: ClassVar[str] = "regression"

    items: Sequence[str]
    truth: Floats
    predicted: Floats
    weight: Floats
    """Units × item: how often each item counts."""
    each: str | None = None
    as_given: bool = False
    """Whether many items, each of which counts once, are in the order of the input."""

    @classmethod
    def of(
        cls,
        truth: Floats,
        predicted: Floats,
        items: Sequence[str] = (),
        weight: Floats | None = None,
    ) -> Self:
        """Return one set of pairs."""
        names = items or ItemNumbers.counted(len(truth))
        weights = np.broadcast_to(1.0, len(truth)) if weight is None else weight
        return cls(names, truth, predicted, weights[None, :])

    @property
    def support(self) -> Floats | None:
        """The weight of each item."""
        return self.weight[0] if self.each == "item" else None

    @property
    def effective(self) -> float | None:
        """How many items of equal weight the weighted ones are worth."""
        return effective_size(self.weight[0])

    @cached_property
    def sorted_columns(self) -> tuple[Floats, Floats, Floats]:
        """Truth, prediction and weights in an order that does not depend on how they were given."""
        keys = self.truth, self.predicted, self.weight[0]
        if are_sorted(*keys):
            return self.truth, self.predicted, self.weight
        order = canonical_order(*(keys[:2] if self.as_given else keys))
        return self.truth[order], self.predicted[order], self.weight[:, order]

    def sorted_items(self, values: Floats) -> Floats:
        """Return a number of each item, computed from the items in the order in which they are.

        Items in the order of the input are sorted by it.
        """
        return np.sort(values) if self.as_given else values

    @property
    def has_blocks(self) -> bool:
        """Whether so many items are evaluated block by block."""
        return self.as_given

    def block(self, span: slice) -> Self:
        """Return some of the items, in the order in which they are."""
        weight = self.weight[:, span]
        return replace(self, truth=self.truth[span], predicted=self.predicted[span], weight=weight)

    @property
    def settled_columns(self) -> tuple[Floats, Floats, Floats]:
        """Truth, prediction and weights: sorted, or as given where sums are exact."""
        return (self.truth, self.predicted, self.weight) if self.as_given else self.sorted_columns

    def reweight(self, counts: Floats) -> Self:
        """Return the set with its items counted as each row of counts says; sorted before."""
        if not self.as_given:
            return super().reweight(counts)
        truth, predicted, _ = self.sorted_columns
        names = ItemNumbers.counted(len(truth))
        return type(self)(names, truth, predicted, counts.astype(np.float64))

    @property
    def moments(self) -> ValueMoments:
        """Means, spreads and the sum of squared errors: all that many measures look at."""
        if self.as_given:
            return LazyMoments.over(ExactMoments(self.truth, self.predicted), self)
        return replace(ValueMoments.of(self.units, *self.sorted_columns), pairs=self)

    def ideal(self) -> Self:
        """Return every value predicted as it is."""
        return replace(self, predicted=self.truth)

    def __add__(self, other: Self) -> Self:
        """Return the items of both."""
        items = join_items(self.items, other.items)
        return replace(
            self, items=items, **join_fields(self, other, "truth", "predicted", "weight")
        )


@dataclass(frozen=True)
class ValueMoments(NamedSets):
    """Weights, means and centered sums of products, one of each per unit.

    Moments of parts do not add to the last bit: their sums do (``evidence/moment_sums.py``).
    """

    task: ClassVar[str] = "regression"

    names: Sequence[str]
    weight: Floats
    truth: Floats
    """The mean of the true numbers."""
    predicted: Floats
    """The mean of the predicted numbers."""
    truth_rest: Floats
    """What rounding took from the mean of the truth."""
    predicted_rest: Floats
    shift: Floats
    """The mean of truth less prediction, kept apart: far from 0 the means above round too much."""
    of_truth: Floats
    """Σ (truth − mean)², by weight; likewise the next two."""
    of_predicted: Floats
    of_both: Floats
    squared_error: Floats
    pairs: ValuePairs | None = None
    """The items behind the moments, where they are available: from them resamples are drawn."""
    truth_scale: float = 1.0
    """A power of two by which the true numbers were divided, so that squares do not overflow."""
    predicted_scale: float = 1.0
    error_scale: float = 1.0

    @classmethod
    def of(cls, names: Sequence[str], truth: Floats, predicted: Floats, weight: Floats) -> Self:
        """Return the moments of items, for each row of weights."""
        scales = power_of_two(truth), power_of_two(predicted), power_of_two(truth, predicted)
        error = truth / scales[2] - predicted / scales[2]
        truth, predicted = truth / scales[0], predicted / scales[1]
        total = weight.sum(axis=1)
        true_mean, true, of_truth = center_rows(truth, weight, total)
        said_mean, said, of_predicted = center_rows(predicted, weight, total)
        return cls(
            names,
            total,
            true_mean,
            said_mean,
            ratio((weight * true).sum(axis=1), total),
            ratio((weight * said).sum(axis=1), total),
            ratio((weight * error).sum(axis=1), total),
            of_truth,
            of_predicted,
            (weight * true * said).sum(axis=1),
            (weight * error**2).sum(axis=1),
            None,
            *scales,
        )

    @property
    def scales(self) -> tuple[float, float, float]:
        """The scales of truth, prediction and error."""
        return self.truth_scale, self.predicted_scale, self.error_scale

    def in_units_of_values(self) -> Self:
        """Return the moments without scaling, which overflow for extreme numbers."""
        if self.scales == (1.0, 1.0, 1.0):
            return self
        true, said, error = self.scales
        simple = {"truth": true, "predicted": said, "shift": error}
        simple |= {"truth_rest": true, "predicted_rest": said}
        products = {"of_truth": (true, true), "of_predicted": (said, said)}
        products |= {"of_both": (true, said), "squared_error": (error, error)}
        changed: dict[str, Any] = {
            name: getattr(self, name) * factor for name, factor in simple.items()
        }
        changed |= {name: getattr(self, name) * one * two for name, (one, two) in products.items()}
        names = ("truth_scale", "predicted_scale", "error_scale")
        changed |= dict.fromkeys(names, 1.0)
        return replace(self, **changed)

    @property
    def moments(self) -> Self:
        """Itself: a measure asks any view of values for its moments."""
        return self

    def ideal(self) -> Self:
        """Return every value predicted as it is."""
        return replace(
            self,
            predicted=self.truth,
            predicted_scale=self.truth_scale,
            predicted_rest=self.truth_rest,
            shift=np.zeros_like(self.weight),
            of_predicted=self.of_truth,
            of_both=self.of_truth,
            squared_error=np.zeros_like(self.weight),
            pairs=None if self.pairs is None else self.pairs.ideal(),
        )

    @property
    def cells(self) -> Floats | None:
        """The weights of the items; None where they are gone."""
        return None if self.pairs is None else self.pairs.cells

    @property
    def effective(self) -> float | None:
        """How many items of equal weight the weighted ones are worth."""
        return None if self.pairs is None else self.pairs.effective

    def reweight(self, counts: Floats) -> Self:
        """Return the moments with the items counted as each row of counts says."""
        if self.pairs is None:
            return super().reweight(counts)
        again = self.pairs.reweight(counts)
        return type(self).of(again.units, *again.sorted_columns)


class LazyMoments(ValueMoments):
    """Moments of very many items, each computed when a measure asks for it."""

    exact: ExactMoments | SummedMoments

    @classmethod
    def over(cls, exact: ExactMoments | SummedMoments, pairs: ValuePairs | None = None) -> Self:
        """Return the moments that ``exact`` computes, with the pairs if they are kept."""
        moments = cls.__new__(cls)
        moments.__dict__.update(names=("all",), pairs=pairs, exact=exact)
        return moments

    def __getattr__(self, name: str) -> Any:
        """Return a moment that was not computed yet."""
        if name.startswith("_") or "exact" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.exact, name)


def build_value_pairs(values: Values, as_given: bool = False) -> ValuePairs:
    """Return the pairs of true and predicted numbers.

    Very many items without weights may stay in the order of the input, since sorting takes long.
    """
    truth, predicted = finite_numbers(values, "truth"), finite_numbers(values, "predicted")
    many = len(truth) > MOST_SORTED_AT_ONCE and "weight" not in values.frame.columns
    if as_given and many and power_of_two(truth) == power_of_two(predicted) == 1:
        return replace(ValuePairs.of(truth, predicted, item_names(values)), as_given=True)
    order, weight, names = canonical_items(values, truth, predicted)
    return ValuePairs.of(truth[order], predicted[order], names, weight)
