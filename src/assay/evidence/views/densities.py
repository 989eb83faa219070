"""Densities: what a model held likely of each number that then came."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.tables import Values
from assay.evidence.column_values import (
    canonical_order,
    check_weights,
    item_names,
    nonnegative_numbers,
    refuse_empty,
)
from assay.evidence.views.view import View, join_fields


@dataclass(frozen=True)
class Densities(View):
    """The density that a model gave to each held-out item; each item is a unit."""

    task: ClassVar[str] = "regression"
    unit_kind: ClassVar[str] = "item"

    density: Floats
    weight: Floats
    row: Ints
    """The number of each item, from 1."""
    items: tuple[str, ...] = ()
    """The names of the items; their numbers where there are none."""

    @classmethod
    def of(
        cls,
        density: Floats,
        weight: Floats | None = None,
        row: Ints | None = None,
        items: tuple[str, ...] = (),
    ) -> Self:
        """Of each item, the density at its value; the items are numbered as they stand, or so."""
        return cls(
            density,
            np.ones(len(density)) if weight is None else weight,
            np.arange(1, len(density) + 1) if row is None else row,
            items,
        )

    @property
    def units(self) -> tuple[str, ...]:
        """The items by name, or by number."""
        return self.items or tuple(map(str, self.row.tolist()))

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
            row=np.concatenate((self.row, len(self.row) + other.row)),
            items=self.items + other.items if self.items and other.items else (),
        )


def build_densities(values: Values) -> Densities:
    """Return the density that a model gave to each held-out item, of which none may be negative."""
    refuse_empty(values)
    density = nonnegative_numbers(values, "density")
    weights, items = check_weights(values), item_names(values)
    order = canonical_order(density, weights, items)
    return Densities.of(
        density[order],
        None if weights is None else weights[order],
        row=order + 1,
        items=tuple(items[n] for n in order.tolist()) if items else (),
    )
