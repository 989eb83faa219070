"""Names that are written when the first one is asked for, such as the numbers of items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from assay.core.arrays import Ints


class LazyNames(Sequence[str]):
    """So many names, written when the first one is asked for."""

    def __init__(self, size: int, write: Callable[[], tuple[str, ...]]) -> None:
        self._size, self._write = size, write

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return self._write()

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
