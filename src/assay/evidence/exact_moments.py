"""Moments of very many pairs of numbers, by exact sums: no order of the items changes a bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from assay.core.arrays import Floats, exact_block_sum

Block = Callable[[slice], Floats]
"""Numbers of some items."""


def exact_moments(truth: Floats, predicted: Floats) -> dict[str, Any]:
    """Return the moments that ``ValueMoments`` has, by name.

    Every item counts once, and no number is so large that its square overflows.
    """
    means, spreads = exact_spreads(truth, predicted)

    def error(span: slice) -> Floats:
        """Return the errors of some items."""
        return truth[span] - predicted[span]

    true, said = _deviations(truth, means[0]), _deviations(predicted, means[1])
    *sums, squares = _add_up(len(truth), [true, said, error, lambda span: error(span) ** 2])
    rests = [each / len(truth) for each in sums]
    names = ["weight", "truth", "predicted", "truth_rest", "predicted_rest", "shift"]
    names += ["of_truth", "of_predicted", "of_both", "squared_error"]
    moments = (float(len(truth)), *means, *rests, *spreads, squares)
    return {name: np.asarray([each]) for name, each in zip(names, moments, strict=True)}


def exact_spreads(
    one: Floats, two: Floats
) -> tuple[tuple[float, float], tuple[float, float, float]]:
    """Return the means of two columns, the sums of squared deviations, and that of products."""
    first, second = _exact_means(one, two)
    own, other = _deviations(one, first), _deviations(two, second)
    of_one, of_two, of_both = _add_up(
        len(one),
        [
            lambda span: np.square(own(span)),
            lambda span: np.square(other(span)),
            lambda span: own(span) * other(span),
        ],
    )
    return (first, second), (of_one, of_two, of_both)


def _exact_means(one: Floats, two: Floats) -> list[float]:
    """Return the mean of each column; of equal numbers, that number."""
    sums = _add_up(len(one), [lambda span: one[span], lambda span: two[span]])
    return [
        float(column[0]) if (column == column[0]).all() else total / len(column)
        for column, total in zip((one, two), sums, strict=True)
    ]


def _deviations(values: Floats, mean: float) -> Block:
    """Return how far numbers are from the mean."""
    return lambda span: values[span] - mean


def _add_up(count: int, blocks: Sequence[Block]) -> list[float]:
    """Return the exact sum of each kind of number, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda block: exact_block_sum(count, block), blocks))
