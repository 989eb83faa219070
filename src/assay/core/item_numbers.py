"""Names of items that have none: their numbers from 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from assay.core.arrays import Ints


class ItemNumbers(Sequence[str]):
    """The number of each item as text.

    The numbers are found when the first one is asked for: most summaries of millions of items
    never name one.
    """

    def __init__(self, size: int, find: Callable[[], Ints]) -> None:
        self._size, self._find = size, find

    @classmethod
    def counted(cls, size: int) -> ItemNumbers:
        """Return the numbers of items in their order."""
        return cls(size, lambda: np.arange(1, size + 1))

    @cached_property
    def numbers(self) -> Ints:
        """The number of each item."""
        return self._find()

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        """Return the name of one item, or those of several."""
        found = self.numbers[place]
        return tuple(map(str, found.tolist())) if isinstance(place, slice) else str(int(found))

    def __iter__(self) -> Iterator[str]:
        return map(str, self.numbers.tolist())

    def __eq__(self, other: object) -> bool:
        """Return whether the names are the same, in the same order."""
        if not isinstance(other, Sequence) or len(other) != self._size:
            return False
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


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
