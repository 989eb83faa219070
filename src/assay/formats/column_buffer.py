"""The column of a long file, put together from those of its pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools

_GROWTH = 1.25
"""How much longer the array gets where more numbers come than were expected."""


class ColumnBuffer:
    """A column that grows: numbers in one array of NumPy, anything else in pieces.

    The pages of a large array of NumPy are large, which saves much time, and the memory of each
    piece is free for the next one.
    """

    def __init__(self, dtype: pl.DataType, expected: int) -> None:
        self._dtype = dtype
        self._pieces: list[pl.Series] = []
        self._missing: list[Bools] = []
        self._size = 0
        self._numbers: NDArray[Any] | None = None
        if dtype in (pl.Float64, pl.Int64):
            self._numbers = np.empty(expected, dtype=np.float64 if dtype.is_float() else np.int64)

    def append(self, piece: pl.Series) -> None:
        """Add the rows of a piece."""
        if self._numbers is None:
            self._pieces.append(piece)
            return
        if self._missing or piece.null_count():
            self._note_missing(piece)
        end = self._size + len(piece)
        if end > len(self._numbers):
            longer = np.empty(int(end * _GROWTH), dtype=self._numbers.dtype)
            longer[: self._size] = self._numbers[: self._size]
            self._numbers = longer
        for chunk in piece.get_chunks():
            numbers = chunk.fill_null(0) if chunk.null_count() else chunk
            self._numbers[self._size : self._size + len(chunk)] = numbers.to_numpy()
            self._size += len(chunk)

    def _note_missing(self, piece: pl.Series) -> None:
        if not self._missing:
            self._missing.append(np.zeros(self._size, dtype=bool))
        self._missing.append(piece.is_null().to_numpy())

    def series(self, name: str) -> pl.Series:
        """Return all rows."""
        if self._numbers is None:
            return pl.concat(self._pieces).alias(name) if self._pieces else self._empty(name)
        numbers = pl.Series(name, self._numbers[: self._size])
        if not self._missing:
            return numbers
        missing = pl.Series(np.concatenate(self._missing))
        return pl.select(pl.when(~missing).then(numbers).alias(name)).to_series()

    def _empty(self, name: str) -> pl.Series:
        return pl.Series(name, [], dtype=self._dtype)
