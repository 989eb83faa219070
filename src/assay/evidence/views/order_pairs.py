"""OrderPairs: two orders of the same things, in one or more groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints, unit_offsets
from assay.evidence.views.view import View, resample_names


@dataclass(frozen=True)
class OrderPairs(View):
    """Items with a number in each of two orders (higher is earlier), group after group."""

    task: ClassVar[str] = "correlation"
    unit_kind: ClassVar[str] = "group"

    groups: tuple[str, ...]
    offsets: Ints
    first: Floats
    second: Floats
    weight: Floats | None = None
    """Resamples × item, where the items of the only group are counted again."""
    items: tuple[str, ...] = ()
    """The names of the items, where they are known."""

    @classmethod
    def of(cls, first: Floats, second: Floats) -> Self:
        """One group."""
        return cls(("all",), unit_offsets(np.asarray([len(first)])), first, second)

    @property
    def units(self) -> tuple[str, ...]:
        """The groups, or one name for each resample of the only group."""
        return self.groups if self.weight is None else resample_names(len(self.weight))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the items, or their numbers."""
        return self.items or tuple(str(n) for n in range(1, len(self.first) + 1))

    @property
    def cells(self) -> Floats | None:
        """One count for each item of the only group; with several, the groups are drawn."""
        return np.ones(len(self.first)) if len(self.groups) == 1 else None

    def weighted(self) -> Iterator[tuple[Floats, Floats, Floats]]:
        """The two orders of each group, with a row of counts for each unit that it makes."""
        for number in range(len(self.groups)):
            span = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
            first, second = self.first[span], self.second[span]
            yield first, second, np.ones((1, len(first))) if self.weight is None else self.weight

    def reweight(self, counts: Floats) -> Self:
        """The only group with its items counted as each row says."""
        return replace(self, weight=counts.astype(np.float64))

    def ideal(self) -> Self:
        """The same order twice."""
        return replace(self, second=self.first)

    def only(self, number: int) -> Self:
        """One of the groups alone."""
        span = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return replace(
            self,
            groups=self.groups[number : number + 1],
            offsets=unit_offsets(np.asarray([span.stop - span.start])),
            first=self.first[span],
            second=self.second[span],
            items=self.items[span],
        )

    def inversions(self) -> dict[str, Any]:
        """Every pair of one group that stands in opposite order, widest apart first."""
        first, second, _ = next(self.weighted())
        above = (first[:, None] > first) & (second[:, None] < second)
        one, two = np.nonzero(above)
        gap = np.minimum(first[one] - first[two], second[two] - second[one])
        order = np.lexsort((two, one, -gap))
        names = np.asarray(self.names, dtype=object)
        return {
            "earlier in the first": names[one[order]].tolist(),
            "earlier in the second": names[two[order]].tolist(),
            "apart in the first": (first[one] - first[two])[order],
            "apart in the second": (second[two] - second[one])[order],
        }


def mid_ranks(values: Floats, weight: Floats) -> Floats:
    """The rank of each item from the smallest, tied items sharing the mean; a row per weighting.

    An item that counts twice takes two ranks.
    """
    code = np.unique(values, return_inverse=True)[1]
    size = int(code.max(initial=-1)) + 1
    everywhere = code + np.arange(len(weight))[:, None] * size
    sums = np.bincount(everywhere.ravel(), weight.ravel(), len(weight) * size)
    sums = sums.reshape(len(weight), size)
    return np.take(np.cumsum(sums, axis=1) - (sums - 1) / 2, code, axis=1)
