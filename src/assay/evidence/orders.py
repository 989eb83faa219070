"""OrderPairs: two orders of the same things, in one or more groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints, offsets_of
from assay.evidence.view import View


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

    @classmethod
    def of(cls, first: Floats, second: Floats) -> Self:
        """One group."""
        return cls(("all",), offsets_of(np.asarray([len(first)])), first, second)

    @property
    def units(self) -> tuple[str, ...]:
        """The groups, or one name for each resample of the only group."""
        if self.weight is None:
            return self.groups
        return tuple(f"resample {n}" for n in range(1, len(self.weight) + 1))

    @property
    def cells(self) -> Floats | None:
        """One count for each item of the only group; with several, the groups are drawn."""
        return np.ones(len(self.first)) if len(self.groups) == 1 else None

    def group(self, number: int) -> tuple[Floats, Floats]:
        """The two orders of one group."""
        span = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return self.first[span], self.second[span]

    def reweight(self, counts: Floats) -> Self:
        """The only group with its items counted as each row says."""
        return replace(self, weight=counts.astype(np.float64))

    def ideal(self) -> Self:
        """The same order twice."""
        return replace(self, second=self.first)
