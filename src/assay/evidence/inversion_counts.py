"""Counting the pairs of a long sequence that are in opposite order: inversions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Ints

_FEW = 64
"""Of so many entries each pair is compared; longer sequences are cut into as many blocks."""
_BLOCK = _FEW**2
_MOST_BLOCKS = 4096
"""With more blocks than this the table of their counts takes more memory than the sequence."""
_AT_ONCE = 1 << 18
"""How many entries a thread counts at once: few enough for the cache of a processor."""


def count_inversions(order: Ints) -> int:
    """Return how many pairs of a permutation of 0, 1, … are in descending order.

    A permutation and its inverse have the same number of them.
    """
    block = _BLOCK
    while len(order) > block * _MOST_BLOCKS:
        block *= _FEW
    blocks = -(-len(order) // block)
    rest = np.arange(len(order), blocks * block)  # What follows the sequence is in order.
    return _count(np.concatenate((order, rest))[None, :], block)


def _count(orders: Ints, block: int) -> int:
    """Return the inversions within each row, a permutation, by blocks of places and of values.

    Pairs in different blocks of both are counted from how many entries each pair of blocks has.
    What is left are pairs in one block of places, and those in one block of values but different
    blocks of places: shorter sequences of the same kind.
    """
    if not orders.size:
        return 0
    rows = orders.reshape(-1, block)
    if orders.size <= _AT_ONCE:
        parts = rows, _block_rows(orders, block)
        return _count_apart(_cell_counts(orders, block)) + sum(_count_part(p, block) for p in parts)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counted = [pool.submit(_count_part, part, block) for part in _row_parts(rows)]
        others = _row_parts(_block_rows(orders, block))
        counted += [pool.submit(_count_part, part, block) for part in others]
        apart = _count_apart(_cell_counts(orders, block))
        return apart + sum(each.result() for each in counted)


def _block_rows(orders: Ints, block: int) -> NDArray[np.integer]:
    """Return the block of places of each value, a row for each block of values."""
    blocks = np.repeat(np.arange(orders.shape[1] // block, dtype=np.int16), block)
    places = np.empty(orders.shape, dtype=np.int16)  # Small numbers are put in place faster.
    for own, order in zip(places, orders, strict=True):
        own[order] = blocks
    return places.reshape(-1, block)


def _cell_counts(orders: Ints, block: int) -> NDArray[np.integer]:
    """Return how many entries each block of places has in each block of values, by row."""
    rows, size = orders.shape
    count, bits = size // block, _exponent(block)
    if rows == 1 and count:  # a long sequence: block by block, for its memory
        blocks = orders.reshape(count, block)
        counts = np.empty((1, count, count), dtype=np.int32)
        for place, own in enumerate(blocks):
            counts[0, place] = np.bincount(own >> bits, minlength=count)
        return counts
    cell = orders >> bits
    cell += np.arange(rows)[:, None] * count**2
    cell += np.repeat(np.arange(count) * count, block)
    return np.bincount(cell.ravel(), minlength=rows * count**2).reshape(rows, count, count)


def _row_parts(rows: NDArray[np.integer]) -> Iterator[NDArray[np.integer]]:
    """Yield the rows, so many at a time."""
    step = max(1, _AT_ONCE // rows.shape[1])
    yield from (rows[start : start + step] for start in range(0, len(rows), step))


def _count_part(rows: NDArray[np.integer], block: int) -> int:
    """Return the inversions within each row of codes, where equal codes are in order."""
    if block == _FEW:
        return _count_every_pair(rows - rows.min())
    places = rows.astype(np.int64)
    places <<= _exponent(block)
    places |= np.arange(block)
    places.sort(axis=1)
    places &= block - 1
    return _count(places, block // _FEW)


def _count_apart(held: NDArray[np.integer]) -> int:
    """Return the pairs with an earlier block of places, and a later block of values, by row."""
    rows, blocks, _ = held.shape
    before = np.zeros((rows, blocks), dtype=np.int64)
    total = 0
    for place in range(blocks):
        own = held[:, place]
        total += int(np.einsum("ij,ij->", own, before))
        before[:, :-1] += np.cumsum(own[:, :0:-1], axis=1)[:, ::-1]
    return total


def _count_every_pair(rows: NDArray[np.integer]) -> int:
    """Return the inversions within short rows, by comparing columns so far apart, then farther."""
    kind = np.min_scalar_type(int(rows.max(initial=0)))  # Small numbers are compared faster.
    columns: NDArray[np.integer] = np.ascontiguousarray(rows.astype(kind).T)
    return sum(
        int(np.count_nonzero(columns[:-apart] > columns[apart:]))
        for apart in range(1, len(columns))
    )


def _exponent(block: int) -> int:
    """Return which power of two the size of a block is."""
    return block.bit_length() - 1
