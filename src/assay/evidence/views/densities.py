"""Densities that a model gave to held-out items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats
from assay.core.tables import Values
from assay.evidence.column_values import nonnegative_numbers
from assay.evidence.views.view import View, join_fields
from assay.evidence.views.weighted_items import ItemNumbers, canonical_items, join_items


@dataclass(frozen=True)
class Densities(View):
    """The density that a model gave to each held-out item; each item is a unit."""

    task: ClassVar[str] = "regression"
    unit_kind: ClassVar[str] = "item"

    density: Floats
    weight: Floats
    items: Sequence[str]
    """The names of the items; their numbers where there are none."""

    @classmethod
    def of(
        cls,
        density: Floats,
        weight: Floats | None = None,
        items: Sequence[str] = (),
    ) -> Self:
        """Of each item, the density at its value; items without names are numbered."""
        names = items or ItemNumbers.counted(len(density))
        return cls(density, np.ones(len(density)) if weight is None else weight, names)

    @property
    def units(self) -> Sequence[str]:
        """The items by name, or by number."""
        return self.items

    @property
    def support(self) -> Floats:
        """The weight of each item."""
        return self.weight

    def ideal(self) -> Self:
        """Return no density is the best of all; any that is above 0 will do."""
        return replace(self, density=np.ones_like(self.density))

    def __add__(self, other: Self) -> Self:
        """Return the items of both, those of the other numbered after these."""
        return replace(
            self,
            **join_fields(self, other, "density", "weight"),
            items=join_items(self.items, other.items),
        )


def build_densities(values: Values) -> Densities:
    """Return the density that a model gave to each held-out item, of which none may be negative."""
    density = nonnegative_numbers(values, "density")
    order, weight, names = canonical_items(values, density)
    return Densities.of(density[order], weight, names)
