"""Moments of very many pairs of numbers, by exact sums: no order of the items changes a bit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from assay.core.arrays import Floats, exact_block_sum


class ExactMoments:
    """The moments that ``ValueMoments`` has, each computed when it is first asked for.

    Every item counts once, and no number is so large that its square overflows.
    """

    def __init__(self, truth: Floats, predicted: Floats) -> None:
        self._truth, self._predicted = truth, predicted
        self.weight = np.asarray([float(len(truth))])

    def _error(self, span: slice) -> Floats:
        return self._truth[span] - self._predicted[span]

    @cached_property
    def truth(self) -> Floats:
        """The mean of the true numbers."""
        return np.asarray([exact_center(self._truth)])

    @cached_property
    def predicted(self) -> Floats:
        """The mean of the predicted numbers."""
        return np.asarray([exact_center(self._predicted)])

    @cached_property
    def truth_rest(self) -> Floats:
        """What rounding took from the mean of the truth."""
        mean = self.truth
        return self._sum_of(lambda span: self._truth[span] - mean) / self.weight

    @cached_property
    def predicted_rest(self) -> Floats:
        """What rounding took from the mean of the predictions."""
        mean = self.predicted
        return self._sum_of(lambda span: self._predicted[span] - mean) / self.weight

    @cached_property
    def shift(self) -> Floats:
        """The mean of truth less prediction."""
        return self._sum_of(self._error) / self.weight

    @cached_property
    def of_truth(self) -> Floats:
        """Σ (truth − mean)²."""
        return np.asarray([exact_spread(self._truth, float(self.truth[0]))])

    @cached_property
    def of_predicted(self) -> Floats:
        """Σ (prediction − mean)²."""
        return np.asarray([exact_spread(self._predicted, float(self.predicted[0]))])

    @cached_property
    def of_both(self) -> Floats:
        """Σ (truth − mean) (prediction − mean)."""
        means = float(self.truth[0]), float(self.predicted[0])
        return np.asarray([exact_products(self._truth, self._predicted, *means)])

    @cached_property
    def squared_error(self) -> Floats:
        """Σ (truth − prediction)²."""
        return self._sum_of(lambda span: np.square(error := self._error(span), out=error))

    def _sum_of(self, block: Callable[[slice], Floats]) -> Floats:
        return np.asarray([exact_block_sum(len(self._truth), block)])


def exact_center(values: Floats) -> float:
    """Return the mean; of equal numbers, that number."""
    first = float(values[0])
    if values[-1] == first and (values == first).all():
        return first
    return exact_block_sum(len(values), lambda span: values[span]) / len(values)


def exact_spread(values: Floats, mean: float) -> float:
    """Return the sum of the squared deviations from the mean."""

    def squares(span: slice) -> Floats:
        """Return the squared deviations of some items."""
        apart = values[span] - mean
        return np.square(apart, out=apart)

    return exact_block_sum(len(values), squares)


def exact_products(one: Floats, two: Floats, first: float, second: float) -> float:
    """Return the sum of the products of the deviations of two columns from their means."""

    def products(span: slice) -> Floats:
        """Return the products of some items."""
        apart = one[span] - first
        return np.multiply(apart, two[span] - second, out=apart)

    return exact_block_sum(len(one), products)


def exact_spreads(
    one: Floats, two: Floats
) -> tuple[tuple[float, float], tuple[float, float, float]]:
    """Return the means of two columns, the sums of squared deviations, and that of products."""
    first, second = exact_center(one), exact_center(two)
    spreads = exact_spread(one, first), exact_spread(two, second)
    return (first, second), (*spreads, exact_products(one, two, first, second))
