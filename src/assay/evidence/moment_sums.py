"""Moments of pairs of numbers from sums over parts of them, wherever the parts are added up.

The sum of a part travels as a few numbers that add up to it exactly, and the whole is rounded once,
as in ``ExactMoments``: neither the number of parts nor their order changes a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from assay.core.arrays import Floats, exact_parts, few_parts, power_of_two

COLUMNS = ("truth", "predicted")
Terms: TypeAlias = Callable[[Mapping[str, Floats]], Mapping[str, Floats]]
"""Returns, for the columns of some items, the numbers to be added, by the name of their sum."""


def plain_terms(columns: Mapping[str, Floats]) -> Mapping[str, Floats]:
    """Return what is added up first: the numbers, their errors and the squares of these."""
    error = columns["truth"] - columns["predicted"]
    return {**columns, "error": error, "squared error": np.square(error)}


@dataclass(frozen=True)
class CenteredTerms:
    """What is added up once the means are known."""

    truth: float
    predicted: float

    def __call__(self, columns: Mapping[str, Floats]) -> Mapping[str, Floats]:
        """Return the deviations from the means, and their products."""
        true, said = columns["truth"] - self.truth, columns["predicted"] - self.predicted
        return {
            "truth rest": true,
            "predicted rest": said,
            "of truth": np.square(true),
            "of predicted": np.square(said),
            "of both": true * said,
        }


class RunningSums:
    """Sums of which each is kept as a few numbers that add up to it exactly."""

    def __init__(self) -> None:
        self._parts: dict[str, list[float]] = {}

    def add(self, terms: Mapping[str, Floats]) -> None:
        """Add finite numbers below 1e280 to the sums that they belong to."""
        for name, values in terms.items():
            before = self._parts.get(name, [])
            self._parts[name] = few_parts([*before, *exact_parts(values)])

    def rounded(self) -> dict[str, float]:
        """Return the sums, each rounded once."""
        return {name: math.fsum(parts) for name, parts in self._parts.items()}


@dataclass(frozen=True)
class ColumnEnds:
    """The least and the largest number of a column."""

    low: float
    high: float

    def __add__(self, other: ColumnEnds) -> ColumnEnds:
        """Return the ends of two parts together."""
        return ColumnEnds(min(self.low, other.low), max(self.high, other.high))

    @property
    def scale(self) -> float:
        """What the numbers are divided by so that squares can be added; 1 for usual numbers."""
        return power_of_two(np.asarray([self.low, self.high]))

    def mean(self, total: float, count: int) -> float:
        """Return the mean of so many numbers; of equal numbers, that number."""
        return self.low if self.low == self.high else total / count


class SummedMoments:
    """The moments that ``ValueMoments`` has; sums around the means are asked for when needed."""

    def __init__(
        self,
        count: int,
        ends: Mapping[str, ColumnEnds],
        sums: Mapping[str, float],
        find_centered: Callable[[CenteredTerms], Mapping[str, float]],
    ) -> None:
        means = {name: ends[name].mean(sums[name], count) for name in COLUMNS}
        self._count, self._find_centered = count, find_centered
        self._terms = CenteredTerms(**means)
        self.weight = np.asarray([float(count)])
        self.truth, self.predicted = (np.asarray([means[name]]) for name in COLUMNS)
        self.shift = np.asarray([sums["error"] / count])
        self.squared_error = np.asarray([sums["squared error"]])

    @cached_property
    def _centered(self) -> Mapping[str, float]:
        return self._find_centered(self._terms)

    @property
    def truth_rest(self) -> Floats:
        """What rounding took from the mean of the truth."""
        return np.asarray([self._centered["truth rest"] / self._count])

    @property
    def predicted_rest(self) -> Floats:
        """What rounding took from the mean of the predictions."""
        return np.asarray([self._centered["predicted rest"] / self._count])

    @property
    def of_truth(self) -> Floats:
        """Σ (truth − mean)²."""
        return np.asarray([self._centered["of truth"]])

    @property
    def of_predicted(self) -> Floats:
        """Σ (prediction − mean)²."""
        return np.asarray([self._centered["of predicted"]])

    @property
    def of_both(self) -> Floats:
        """Σ (truth − mean) (prediction − mean)."""
        return np.asarray([self._centered["of both"]])
