"""LabelSets: for each item a true and a predicted set of labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.evidence.views.view import bytewise, join_fields, places_among
from assay.evidence.views.weighted_items import WeightedItems, order_by_content


@dataclass(frozen=True)
class LabelSets(WeightedItems):
    """The labels in either set of an item, one entry each; not an indicator matrix."""

    task: ClassVar[str] = "labelsets"
    part_kinds: ClassVar[tuple[str, ...]] = ("item", "label")

    items: tuple[str, ...]
    labels: tuple[str, ...]
    item: Ints
    """The number of the item of each entry, and next that of its label."""
    label: Ints
    in_truth: Bools
    in_predicted: Bools
    weight: Floats
    """Units × item: how often each item counts."""
    each: str | None = None
    """What the units are: ``item``, ``label``, or None for the whole set."""

    @classmethod
    def of(
        cls,
        truth: Sequence[Collection[str]],
        predicted: Sequence[Collection[str]],
        items: Sequence[str] = (),
    ) -> Self:
        """The view of two lists of sets, in an order that does not depend on how they were given.

        Each item keeps its name, or the number of its place in the lists.
        """
        labels = bytewise({name for sets in (truth, predicted) for one in sets for name in one})
        number = {name: place for place, name in enumerate(labels)}
        names, pairs = order_by_content(map(set, truth), map(set, predicted), items)
        entries = [
            (place, number[name], name in actual, name in guessed)
            for place, (actual, guessed) in enumerate(pairs)
            for name in bytewise(actual | guessed)
        ]
        columns = list(zip(*entries, strict=True)) or [(), (), (), ()]
        return cls(
            items=names,
            labels=labels,
            item=np.asarray(columns[0], dtype=np.int64),
            label=np.asarray(columns[1], dtype=np.int64),
            in_truth=np.asarray(columns[2], dtype=bool),
            in_predicted=np.asarray(columns[3], dtype=bool),
            weight=np.ones((1, len(truth))),
        )

    def parts(self, kind: str) -> tuple[str, ...]:
        """Return the items or the labels."""
        return self.items if kind == "item" else self.labels

    @property
    def support(self) -> Floats:
        """How many true labels a unit has."""
        return self.true

    @property
    def common(self) -> Floats:
        """How many labels of each unit are true and predicted."""
        return self._count(self.in_truth & self.in_predicted)

    @property
    def true(self) -> Floats:
        """How many labels of each unit are true."""
        return self._count(self.in_truth)

    @property
    def predicted(self) -> Floats:
        """How many labels of each unit are predicted."""
        return self._count(self.in_predicted)

    def _count(self, chosen: Bools) -> Floats:
        if self.each == "item":
            counts = np.bincount(self.item[chosen], minlength=len(self.items))
            return counts.astype(np.float64)
        size = len(self.labels) if self.each == "label" else 1
        place = self.label[chosen] if self.each == "label" else np.zeros(chosen.sum(), np.int64)
        rows = [
            np.bincount(place, weights=row[self.item[chosen]], minlength=size)
            for row in self.weight
        ]
        return np.concatenate(rows).astype(np.float64)

    def ideal(self) -> Self:
        """Exactly the true labels predicted."""
        return replace(self, in_predicted=self.in_truth)

    def __add__(self, other: Self) -> Self:
        """Return the items of both, over the labels of both."""
        labels = bytewise({*self.labels, *other.labels})
        parts = [places_among(part.labels, labels)[part.label] for part in (self, other)]
        return replace(
            self,
            labels=labels,
            item=np.concatenate((self.item, other.item + len(self.items))),
            label=np.concatenate(parts),
            **join_fields(self, other, "items", "in_truth", "in_predicted", "weight"),
        )
