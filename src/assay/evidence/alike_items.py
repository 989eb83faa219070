"""Items whose entries are the same, to be counted together or sorted side by side."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Floats, Ints, sum_at, unit_offsets
from assay.core.frozen_dataclass import dataclass
from assay.evidence.decimal_codes import decimal_places, place_ranks

_LARGEST = 2**62
"""Numbers of combinations below this fit in an integer."""
_MANY = 100_000
"""More numbers than this are looked at for few decimals, which need no sorting."""


def alike_items(item: Ints, entry: Ints, different: int, weight: Floats) -> tuple[Ints, Floats]:
    """Return the first item of each kind, and the weight of all items of that kind.

    Items are of one kind if they have the same entries, of which there are so many ``different``
    ones. The entries are sorted by item, those of an item in the same order for all.
    """
    sizes = np.bincount(item, minlength=len(weight))
    offsets = unit_offsets(sizes)
    firsts, counts = [], []
    for size in np.unique(sizes).tolist():
        own = np.flatnonzero(sizes == size)
        kind, kinds = np.zeros(len(own), dtype=np.int64), 1
        for place in range(size):
            if kinds * different >= _LARGEST:
                known, kind = np.unique(kind, return_inverse=True)
                kinds = len(known)
            kind = kind * different + entry[offsets[own] + place]
            kinds *= different
        _, first, number = np.unique(kind, return_index=True, return_inverse=True)
        firsts.append(own[first])
        counts.append(sum_at(number, weight[own], len(first)))
    return np.concatenate(firsts), np.concatenate(counts)


def dense_ranks(values: NDArray[Any]) -> tuple[Ints, int]:
    """Return the rank of each value among the distinct ones, from 0, and how many these are."""
    if values.dtype.kind == "f" and len(values) > _MANY:
        found = decimal_places(values)
        if found is not None:
            return place_ranks(found.places)
    order = np.argsort(values)
    ordered = values[order]
    ranks = np.zeros(len(values), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return ranks, int(ranks[order[-1]]) + 1 if len(order) else 0


def are_sorted(*columns: NDArray[Any]) -> bool:
    """Return whether rows are in the order of the columns, each of which settles earlier ties."""
    tied = np.ones(max(len(columns[0]) - 1, 0), dtype=bool)
    for column in columns:
        if (tied & (column[1:] < column[:-1])).any():
            return False
        tied &= column[1:] == column[:-1]
    return True


def are_distinct(column: pl.Series) -> bool:
    """Return whether no value occurs twice; whole numbers that increase do not."""
    if column.dtype.is_integer() and not column.null_count():
        numbers = column.to_numpy()
        if (numbers[1:] > numbers[:-1]).all():
            return True
    return column.n_unique() == len(column)


def sort_entries(*columns: tuple[Ints, int]) -> Ints:
    """Return the order of rows by whole numbers from 0, each column with how many it has."""
    kinds = 1
    for _, size in columns:
        kinds *= size
    if kinds >= _LARGEST:
        return np.lexsort([column for column, _ in columns[::-1]])
    key = np.zeros(len(columns[0][0]), dtype=np.int64)
    for column, size in columns:
        key *= size
        key += column
    return np.arange(len(key)) if are_sorted(key) else np.argsort(key)


def sums_by_row(counts: Floats, place: Ints, size: int) -> Floats:
    """Return, for each row of counts, the sum of the counts at each of so many places."""
    everywhere = place + np.arange(len(counts))[:, None] * size
    flat = np.bincount(everywhere.ravel(), weights=counts.ravel(), minlength=len(counts) * size)
    return flat.astype(np.float64, copy=False).reshape(len(counts), size)


@dataclass(frozen=True, eq=False)
class Codes:
    """The place of each value among the distinct ones, from 0."""

    place: Ints

    @cached_property
    def counts(self) -> Ints:
        """How many values have each place."""
        return np.bincount(self.place)

    def sums(self, weight: Floats) -> Floats:
        """Return, for each row of weights, their sum at each place; a single row may repeat 1."""
        if counts_once(weight):
            return self.counts.astype(np.float64)[None, :]
        return sums_by_row(weight, self.place, int(self.place.max(initial=-1)) + 1)


def counts_once(weight: Floats) -> bool:
    """Return whether a single row repeats 1, without looking at each of its weights."""
    return bool(weight.strides[1] == 0 and weight.shape[1] and weight[0, 0] == 1)
