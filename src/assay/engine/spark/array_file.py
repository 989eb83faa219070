"""Arrays in a temporary file: those of very many values take no memory unless they are read."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from assay.core.scratch_files import unnamed_file

CHUNK = 1 << 26
"""So many bytes of the file are mapped at once."""
_ALIGNED = 64
Allocate = Callable[[tuple[int, ...], Any], NDArray[Any]]
"""Returns an array of a shape and a type, with any content."""


class ArrayFile:
    """Hands out arrays of a file that is removed with the last of them."""

    def __init__(self) -> None:
        self._file = unnamed_file()
        finalize(self, self._file.close)
        self._maps: list[mmap.mmap] = []
        self._used = self._size = 0

    def empty(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Return an array of a shape and a type."""
        kind = np.dtype(dtype)
        size = int(np.prod(shape)) * kind.itemsize
        if not self._maps or self._used + size > len(self._maps[-1]):
            self._map_chunk(size)
        values = np.frombuffer(
            self._maps[-1], kind, count=int(np.prod(shape)), offset=self._used
        ).reshape(shape)
        self._used += -(-size // _ALIGNED) * _ALIGNED
        return values

    def keep(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a copy in the file."""
        kept = self.empty(values.shape, values.dtype)
        kept[...] = values
        return kept

    def _map_chunk(self, least: int) -> None:
        grain = mmap.ALLOCATIONGRANULARITY
        length = -(-max(CHUNK, least) // grain) * grain
        self._file.truncate(self._size + length)
        self._maps.append(mmap.mmap(self._file.fileno(), length, offset=self._size))
        self._size += length
        self._used = 0

    def release(self) -> None:
        """Give the memory of all pages back; they are read from the file when needed again."""
        if hasattr(mmap, "MADV_DONTNEED"):  # not on every system
            for each in self._maps:
                each.madvise(mmap.MADV_DONTNEED)


def allocate_in(file: ArrayFile | None) -> Allocate:
    """Return what allocates arrays: in a file if there is one, otherwise in memory."""
    return np.empty if file is None else file.empty
