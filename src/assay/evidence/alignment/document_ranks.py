"""Where documents stand in their lists: what falls already is left alone, only ties are sorted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import CELLS_AT_ONCE, Bools, Ints, unit_offsets
from assay.evidence.alignment.query_batches import Batch


@dataclass(frozen=True)
class DocumentRanks:
    """The place of some documents, from 1, and the first and last of those that score the same."""

    position: Ints
    """Where each stands in the batch."""
    place: Ints
    tie_first: Ints
    tie_last: Ints


def rank_documents(
    batch: Batch, key: NDArray[np.floating] | None, wanted: Ints, ties: str
) -> DocumentRanks:
    """Where the wanted rows stand, the greatest key first; None keeps the order of the file."""
    base = np.repeat(batch.offsets[:-1] - 1, np.diff(batch.offsets))[wanted]
    if key is None:
        return _untied_ranks(wanted, base)
    order = _descending_rows(key, batch.offsets)
    position = wanted
    if order is not None:
        key = key[order]
        position = _inverse_permutation(order)[wanted]
    same = _compare_within_queries(key[1:] == key[:-1], batch.offsets)
    if not same.any():
        return _untied_ranks(position, base)
    begins = np.append(True, ~same)
    starts = np.append(np.flatnonzero(begins), len(key))
    group = np.cumsum(begins)[position] - 1
    first, last = starts[group], starts[group + 1] - 1
    tied = np.flatnonzero(first < last)
    if len(tied):
        position = position.copy()
        position[tied] = _resolve_ties(batch, wanted[tied], starts, group[tied], order, ties)
    return DocumentRanks(position, position - base, first - base, last - base)


def _untied_ranks(position: Ints, base: Ints) -> DocumentRanks:
    """Documents that share their score with no other."""
    place = position - base
    return DocumentRanks(position, place, place, place)


def _compare_within_queries(between: Bools, offsets: Ints) -> Bools:
    """A comparison of each row with the next, False where the next is of another query."""
    edges = offsets[1:-1]
    between[edges[(edges > 0) & (edges <= len(between))] - 1] = False
    return between


def _inverse_permutation(order: Ints) -> Ints:
    result = np.empty_like(order)
    result[order] = np.arange(len(order))
    return result


def _descending_rows(key: NDArray[np.floating], offsets: Ints) -> Ints | None:
    """The rows in falling order within each query; None if they stand so already."""
    rises = np.flatnonzero(_compare_within_queries(key[1:] > key[:-1], offsets))
    if not len(rises):
        return None
    order = np.arange(len(key))
    rising = np.unique(np.searchsorted(offsets, rises, side="right") - 1)
    sizes = np.diff(offsets)[rising]
    first = 0
    while first < len(rising):
        cells = _rectangle_cells(sizes[first + 1 :], sizes[first])
        last = first + 1 + int(np.searchsorted(cells, CELLS_AT_ONCE))
        _sort_block(key, offsets, rising[first:last], order)
        first = last
    return order


def _rectangle_cells(sizes: Ints, before: int) -> Ints:
    """How large a rectangle becomes with each further query in it."""
    widest = np.maximum(np.maximum.accumulate(sizes), before)
    return widest * np.arange(2, len(sizes) + 2)


def _sort_block(key: NDArray[np.floating], offsets: Ints, units: Ints, order: Ints) -> None:
    """Sort some queries at once, laid out as a rectangle."""
    sizes = offsets[units + 1] - offsets[units]
    inside = np.arange(sizes.max()) < sizes[:, None]
    rows = np.repeat(offsets[units] - unit_offsets(sizes)[:-1], sizes) + np.arange(sizes.sum())
    padded = np.full(inside.shape, np.inf, dtype=key.dtype)
    padded[inside] = -key[rows]
    sorted_places = np.argsort(padded, axis=1, kind="stable")
    order[rows] = (sorted_places + offsets[units][:, None])[inside]


def _resolve_ties(
    batch: Batch, wanted: Ints, starts: Ints, group: Ints, order: Ints | None, ties: str
) -> Ints:
    """The positions of the wanted rows when each group of ties that has one of them is sorted."""
    chosen = np.unique(group)
    counts = starts[chosen + 1] - starts[chosen]
    spread = np.repeat(starts[chosen] - unit_offsets(counts)[:-1], counts) + np.arange(counts.sum())
    rows = spread if order is None else order[spread]
    position = np.empty(starts[-1], dtype=np.int64)
    position[rows[_tie_order(batch, np.repeat(chosen, counts), rows, ties)]] = spread
    return position[wanted]


def _tie_order(batch: Batch, group: Ints, rows: Ints, ties: str) -> Ints:
    if ties == "file order":
        return np.lexsort((rows, group))
    tied = pl.DataFrame({"group": group, "doc": batch.doc.gather(rows)}).with_row_index("at")
    falling = ties == "document descending"
    return (
        tied.sort(["group", "doc"], descending=[False, falling])["at"].to_numpy().astype(np.int64)
    )
