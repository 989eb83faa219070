"""Two orders of very many items that count once, by two sorts of plain numbers.

A sort of whole numbers takes less time than to look up something for each of them, and has few
large arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.core.frozen_dataclass import dataclass
from assay.evidence.alike_items import dense_ranks
from assay.evidence.decimal_codes import decimal_scale

_AT_ONCE = 1 << 16
_BITS = 63


@dataclass(frozen=True, eq=False)
class SortedPairs:
    """How the numbers of two columns are ordered, and which of them are equal."""

    one: Ints
    """How many items have each number of the first order, from the smallest number on."""
    two: Ints
    tied_in_both: float
    """The pairs of items that are equal in both orders."""
    sequence: Ints
    """The items by the second order: the place of each in the first. Ties are by the other order,
    so that tied items are in the same order in both."""


def sort_pairs(first: Floats, second: Floats) -> SortedPairs:
    """Return how the numbers of two columns, of which there are many, are ordered."""
    return sort_keys(*pair_keys(first, second))


def sort_keys(key: Ints, bits: int) -> SortedPairs:
    """Return how pairs of whole numbers are ordered: each key has so many bits of the second.

    The keys are overwritten.
    """
    key.sort()
    one, alike = _run_lengths(key, bits), _pairs_in_runs(key)
    places = len(key).bit_length()
    for span in _spans(len(key)):
        block = key[span]
        block &= (1 << bits) - 1
        block <<= places
        block |= np.arange(span.start, span.stop)
    key.sort()
    two = _run_lengths(key, places)
    key &= (1 << places) - 1
    return SortedPairs(one, two, alike, key)


def pair_keys(first: Floats, second: Floats) -> tuple[Ints, int]:
    """Return a whole number for each item, and how many of its bits are the second number's.

    The numbers of two items are ordered as those of their first column, or of the second one where
    these are equal.
    """
    return _decimal_keys(first, second) or _rank_keys(first, second)


def _decimal_keys(first: Floats, second: Floats) -> tuple[Ints, int] | None:
    """Return the keys of numbers with few decimals; None of others."""
    one, two = decimal_scale(first), decimal_scale(second)
    if one is None or two is None:
        return None
    bits = two.most.bit_length()
    if one.most.bit_length() + bits > _BITS or len(first).bit_length() + bits > _BITS:
        return None
    key = np.empty(len(first), dtype=np.int64)
    upper, lower = one.places, two.places

    def write(span: slice) -> bool:
        """Write the keys of some items; return whether their numbers fit."""
        high, low = upper(first[span]), lower(second[span])
        if high is None or low is None:
            return False
        high <<= bits
        np.bitwise_or(high, low, out=key[span])
        return True

    with ThreadPoolExecutor(2) as pool:
        fits = all(pool.map(write, _spans(len(key))))
    return (key, bits) if fits else None


def _rank_keys(first: Floats, second: Floats) -> tuple[Ints, int]:
    with ThreadPoolExecutor(2) as pool:
        (key, _), (low, size) = pool.map(dense_ranks, (first, second))
    bits = (size - 1).bit_length()
    key <<= bits
    key |= low
    return key, bits


def _spans(size: int) -> Iterator[slice]:
    """Yield blocks that stay in the cache of a processor."""
    for start in range(0, size, _AT_ONCE):
        yield slice(start, min(start + _AT_ONCE, size))


def _run_lengths(ordered: Ints, bits: int) -> Ints:
    """Return how many entries of an ordered sequence are equal, but for their last bits."""

    def starts(span: slice) -> Ints:
        """Return where new numbers begin in a block."""
        values = ordered[max(span.start - 1, 0) : span.stop] >> bits
        return np.flatnonzero(values[1:] != values[:-1]) + max(span.start, 1)

    with ThreadPoolExecutor(2) as pool:
        found = np.concatenate([[0], *pool.map(starts, _spans(len(ordered))), [len(ordered)]])
    return np.diff(found)


def _pairs_in_runs(ordered: Ints) -> float:
    """Return the pairs of equal numbers in an ordered sequence, where few are equal."""
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    ends = np.flatnonzero(np.diff(same, append=-1) != 1)
    lengths = np.diff(ends, prepend=-1)
    return int((lengths * (lengths + 1)).sum()) / 2
