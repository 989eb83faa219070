"""A table in pieces of whole queries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

_ROWS = 1 << 16
"""Rows of a piece, which then fit the processor's cache; up to 8 times as many of a long table."""


def query_slices(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield the rows in pieces that end where a query ends."""
    queries = frame["query"]
    size = min(max(len(queries) >> 3, _ROWS), 8 * _ROWS)
    ends = np.append(np.flatnonzero((queries[1:] != queries[:-1]).to_numpy()) + 1, len(queries))
    first = 0
    while first < len(queries):
        last = int(ends[min(int(np.searchsorted(ends, first + size)), len(ends) - 1)])
        yield frame[first:last]
        first = last
