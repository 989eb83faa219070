"""Densities: what a model held likely of each number that then came."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats
from assay.evidence.view import View


@dataclass(frozen=True)
class Densities(View):
    """The density that a model gave to each held-out item; each item is a unit."""

    task: ClassVar[str] = "regression"
    unit_kind: ClassVar[str] = "item"

    density: Floats
    weight: Floats
    items: tuple[str, ...] = ()
    """The names of the items; numbers from 1 where there are none."""

    @classmethod
    def of(cls, density: Floats, weight: Floats | None = None, items: tuple[str, ...] = ()) -> Self:
        """Of each item, the density at its value."""
        return cls(density, np.ones(len(density)) if weight is None else weight, items)

    @property
    def units(self) -> tuple[str, ...]:
        """The items."""
        return self.items or tuple(map(str, range(1, len(self.density) + 1)))

    @property
    def support(self) -> Floats:
        """The weight of each item."""
        return self.weight

    def ideal(self) -> Self:
        """No density is the best of all; any that is above 0 will do."""
        return replace(self, density=np.ones_like(self.density))

    def __add__(self, other: Self) -> Self:
        """The items of both."""
        return replace(
            self,
            density=np.concatenate((self.density, other.density)),
            weight=np.concatenate((self.weight, other.weight)),
            items=self.items + other.items if self.items and other.items else (),
        )
