"""RatingTable: which label each assessor gave to each item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.view import View


@dataclass(frozen=True)
class RatingTable(View):
    """Items × assessors with the number of a label in each cell, −1 where there is none."""

    task: ClassVar[str] = "agreement"

    items: tuple[str, ...]
    assessors: tuple[str, ...]
    labels: tuple[str, ...]
    codes: Ints
    weight: Floats
    """Units × item: how often each item counts."""
    each_pair: bool = False

    @classmethod
    def of(
        cls,
        codes: Ints,
        items: tuple[str, ...],
        assessors: tuple[str, ...],
        labels: tuple[str, ...],
    ) -> Self:
        """One table of ratings."""
        return cls(items, assessors, labels, codes, np.ones((1, len(items))))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of all pairs of assessors."""
        return list(combinations(range(len(self.assessors)), 2))

    @property
    def units(self) -> tuple[str, ...]:
        """The pairs of assessors, or one name for each weighting of the items."""
        sets = [""] if len(self.weight) == 1 else [f"{n}:" for n in range(1, len(self.weight) + 1)]
        if not self.each_pair:
            return tuple(each.rstrip(":") or "all" for each in sets)
        names = [f"{self.assessors[a]} – {self.assessors[b]}" for a, b in self.pairs]
        return tuple(f"{each}{name}" for each in sets for name in names)

    @property
    def cells(self) -> Floats:
        """The weights of the items."""
        return self.weight[0]

    def by(self, unit: str | None) -> Self:
        """``pair``: each pair of assessors is a unit."""
        return replace(self, each_pair=True) if unit == "pair" else super().by(unit)

    def pair_counts(self) -> Floats:
        """For each unit a table: how often the first said one label and the second another."""
        size = len(self.labels)
        tables = np.zeros((len(self.weight), len(self.pairs), size * size))
        for number, (a, b) in enumerate(self.pairs):
            both = (self.codes[:, a] >= 0) & (self.codes[:, b] >= 0)
            cell = self.codes[both, a] * size + self.codes[both, b]
            for unit, weights in enumerate(self.weight[:, both]):
                tables[unit, number] = np.bincount(cell, weights=weights, minlength=size * size)
        return tables.reshape(-1, size, size)

    def reweight(self, counts: Floats) -> Self:
        """The table with its items counted as each row of counts says."""
        return replace(self, weight=counts.astype(np.float64))

    def ideal(self) -> Self:
        """Everyone says what the first to rate the item said."""
        first = np.where(self.codes >= 0, np.arange(len(self.assessors)), len(self.assessors))
        chosen = first.min(axis=1, initial=len(self.assessors) - 1)
        said = self.codes[np.arange(len(self.items)), chosen]
        return replace(self, codes=np.where(self.codes >= 0, said[:, None], -1))

    def __add__(self, other: Self) -> Self:
        """The items of both, over the assessors and labels of both."""
        assessors = tuple(sorted({*self.assessors, *other.assessors}, key=str.encode))
        labels = tuple(sorted({*self.labels, *other.labels}, key=str.encode))
        return replace(
            self,
            items=self.items + other.items,
            assessors=assessors,
            labels=labels,
            codes=np.concatenate(
                (self._spread(assessors, labels), other._spread(assessors, labels))
            ),
            weight=np.concatenate((self.weight, other.weight), axis=1),
        )

    def _spread(self, assessors: tuple[str, ...], labels: tuple[str, ...]) -> Ints:
        renumber = np.asarray([labels.index(label) for label in self.labels] + [-1])
        spread = np.full((len(self.items), len(assessors)), -1, dtype=np.int64)
        spread[:, [assessors.index(name) for name in self.assessors]] = renumber[self.codes]
        return spread
