"""Sets of items that count by weight, and the names of items, which few summaries ever show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints
from assay.core.tables import Table
from assay.evidence.column_values import (
    canonical_order,
    check_weights,
    item_names,
    label_codes,
    sorted_labels,
)
from assay.evidence.views.view import View

Content = TypeVar("Content", bound=Collection[Any])


class WeightedItems(View):
    """A set of items that count by weight, as a whole or by the items or other parts of it.

    A subclass has the fields ``items``, ``weight`` and ``each``; without ``items`` it states its
    ``parts`` itself.
    """

    part_kinds: ClassVar[tuple[str, ...]] = ("item",)
    """What can be the units instead of the whole set."""
    items: Sequence[str]
    """The names of the items; empty where their row numbers name them."""
    weight: Floats
    """Units × item: how often each item counts."""
    each: str | None
    """What the units are; None for the whole set."""

    @property
    def units(self) -> Sequence[str]:
        """The items, the parts or the whole set; the last two once for each weighting."""
        if self.each == "item":
            return self.parts("item")
        parts = ("all",) if self.each is None else tuple(self.parts(self.each))
        return parts * len(self.weight)

    def parts(self, kind: str) -> Sequence[str]:
        """Return the names of the items or parts of that kind; numbers of items without names."""
        return self.items or ItemNumbers.counted(self.weight.shape[1])

    @property
    def cells(self) -> Floats | None:
        """The weights of the items; None where the items are the units."""
        return None if self.each == "item" else self.weight[0]

    def by(self, unit: str | None) -> Self:
        """Return the same set with its items or other parts as units."""
        return self._with(each=unit) if unit in self.part_kinds else super().by(unit)

    def reweight(self, counts: Floats) -> Self:
        """Return the set with its items counted as each row of counts says."""
        each = None if self.each == "item" else self.each
        return self._with(weight=counts.astype(np.float64), each=each)

    def _with(self, **changes: Any) -> Self:
        changed: Self = replace(self, **changes)  # type: ignore[type-var]
        return changed


def order_by_content(
    truth: Iterable[Content], predicted: Iterable[Content], names: Sequence[str] = ()
) -> tuple[tuple[str, ...], list[tuple[Content, Content]]]:
    """Return the names of items, or their numbers, and their pairs, in an order of their own.

    It is that of the names, else of the contents: not the one in which the items were given.
    """
    pairs = list(zip(truth, predicted, strict=True))
    keys: Sequence[Any] = names or [(sorted(true), sorted(said)) for true, said in pairs]
    order = sorted(range(len(pairs)), key=keys.__getitem__)
    return tuple(names[n] if names else str(n + 1) for n in order), [pairs[n] for n in order]


class LazyNames(Sequence[str]):
    """So many names, written when the first one is asked for."""

    def __init__(self, size: int, write: Callable[[], tuple[str, ...]]) -> None:
        self._size, self._write = size, write

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return self._write()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the names, which take the place of the functions that write them."""
        return tuple, (self._names,)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        """Return one name, or several."""
        return self._names[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __eq__(self, other: object) -> bool:
        """Return whether the names are the same, in the same order."""
        if not isinstance(other, Sequence) or len(other) != self._size:
            return False
        return self._names == tuple(other)

    def __hash__(self) -> int:
        return hash(self._names)


class ItemNumbers(LazyNames):
    """The numbers of items without names, as text: most summaries of millions never show one."""

    def __init__(self, size: int, find: Callable[[], Ints]) -> None:
        super().__init__(size, lambda: tuple(map(str, self.numbers.tolist())))
        self._find = find

    @classmethod
    def counted(cls, size: int) -> ItemNumbers:
        """Return the numbers of items in their order."""
        return cls(size, lambda: np.arange(1, size + 1))

    @cached_property
    def numbers(self) -> Ints:
        """The number of each item, from 1."""
        return self._find()


def join_items(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """Return the names of the items of two parts; numbers of the second follow the first.

    If only one of the parts has names, all are numbered.
    """
    size = len(one)
    if isinstance(one, ItemNumbers) and isinstance(other, ItemNumbers):
        both = one, other
        return ItemNumbers(
            size + len(other),
            lambda: np.concatenate((both[0].numbers, size + both[1].numbers)),
        )
    if isinstance(one, ItemNumbers) or isinstance(other, ItemNumbers):
        return ItemNumbers.counted(size + len(other))
    return (*one, *other)


def item_codes(column: pl.Series, few: int) -> tuple[Sequence[str], Ints]:
    """Return the different names of a column of text, and the place of each entry among them.

    They are in bytewise order. More than a ``few`` that are whole numbers are in numeric order,
    which is found much faster; they are written out when the first one is asked for.
    """
    numbers = column.cast(pl.Int64, strict=False)
    least, most = (
        int(each)
        for each in numbers.to_frame()
        .select(
            pl.first().min().fill_null(0).alias("least"),
            pl.first().max().fill_null(0).alias("most"),
        )
        .row(0)
    )
    span = most - least + 1
    plain = few < span <= _WIDEST * len(column) and not numbers.null_count()
    if plain and bool((numbers.cast(pl.String) == column).all()):
        place = numbers.to_numpy() - least
        present = np.zeros(span, dtype=bool)
        present[place] = True
        known = np.flatnonzero(present)
        if len(known) > few:
            codes = np.cumsum(present, dtype=np.int64)
            codes -= 1
            return ItemNumbers(len(known), lambda: known + least), codes[place]
    names = sorted_labels(column)
    return names, label_codes(column, names)


_WIDEST = 8
"""How much wider than their number whole numbers may be spread to be looked up."""


def canonical_items(table: Table, *keys: NDArray[Any]) -> tuple[Ints, Floats | None, Sequence[str]]:
    """Return an order of the items that is their own, with their weights and names in that order.

    What is drawn from the items then does not depend on the order of the rows. Items without names
    have their numbers.
    """
    weights, names = check_weights(table), item_names(table)
    order = canonical_order(*keys, weights, names)
    named: Sequence[str] = ItemNumbers(len(order), lambda: order + 1)
    if names:
        named = tuple(names[n] for n in order.tolist())
    return order, None if weights is None else weights[order], named
