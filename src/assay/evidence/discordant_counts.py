"""Counting pairs in opposite order without looking at every pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.alike_items import Codes, counts_once, dense_ranks
from assay.evidence.inversion_counts import count_inversions
from assay.evidence.sorted_pairs import SortedPairs, sort_keys


def weight_of_larger_before(sequence: Ints, weight: Floats) -> Floats:
    """For each entry the weight of all earlier entries that are larger; a row for each weighting.

    The codes are split by their highest bit, then by the next, and so on: two codes meet in one
    group until the bit in which they differ, and there the larger has a 1. All weights are whole
    numbers, so that no sum is ever rounded.
    """
    found = np.zeros_like(weight)
    place = np.arange(len(sequence))
    for bit in reversed(range(int(sequence.max(initial=0)).bit_length())):
        ordered = sequence[place]
        ones = (ordered >> bit & 1).astype(bool)
        group = ordered >> (bit + 1)
        own = np.take(weight, place, axis=1) * ones
        total = np.cumsum(own, axis=1)
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        before_group = np.take(total - own, starts, axis=1)
        lengths = np.diff(np.append(starts, len(ordered)))
        before = total - np.repeat(before_group, lengths, axis=1)
        found[:, place[~ones]] += before[:, ~ones]
        place = place[np.argsort(ordered >> bit, kind="stable")]
    return found


def discordant_partners(first: Ints, second: Ints, weight: Floats) -> Floats:
    """For each item the weight of the items before it in the first order, after it in the second.

    Ties in either order are no partners. Each pair is counted once, at its later item.
    """
    order = np.lexsort((second, first))
    found = np.empty_like(weight)
    found[:, order] = weight_of_larger_before(second[order], np.take(weight, order, axis=1))
    return found


class OrderedPairs(NamedTuple):
    """How many pairs of items there are, for each row of weights."""

    every: Floats
    one: Floats
    """Pairs tied in the first order."""
    two: Floats
    both: Floats
    opposite: Floats
    """Pairs in opposite order."""


def count_pairs(one: Codes, two: Codes, weight: Floats) -> OrderedPairs:
    """Return the counts of all pairs of items, whose places in two orders are given."""
    total = weight.shape[1] * weight[:, 0] if counts_once(weight) else weight.sum(axis=1)
    every = (total**2 - _sum_of_squares(weight)) / 2
    opposite, both = untied_opposites(one.place, two.place, weight)
    return OrderedPairs(every, tied_pairs(one, weight), tied_pairs(two, weight), both, opposite)


def untied_opposites(one: Ints, two: Ints, weight: Floats) -> tuple[Floats, Floats]:
    """Return the pairs in opposite order, and those that are tied in both orders, by weighting.

    The orders are given by codes of their values. A pair counts as often as both of its items
    together. Items that all count once need no sum for each of them.
    """
    if len(weight) > 1 or not (counts_once(weight) or (weight == 1).all()):
        partners = discordant_partners(one, two, weight)
        both = Codes(dense_ranks(one * (int(two.max(initial=0)) + 1) + two)[0])
        return (partners * weight).sum(axis=1), tied_pairs(both, weight)
    bits = int(two.max(initial=0)).bit_length()
    key = one << bits
    key |= two
    pairs = sort_keys(key, bits)
    return np.asarray([float(count_inversions(pairs.sequence))]), np.asarray([pairs.tied_in_both])


def count_sorted_pairs(pairs: SortedPairs) -> OrderedPairs:
    """Return the counts of all pairs of many items that count once."""
    size = float(len(pairs.sequence))
    every = np.asarray([(size**2 - size) / 2])
    one, two = (_pairs_in_groups(counts, size) for counts in (pairs.one, pairs.two))
    opposite = np.asarray([float(count_inversions(pairs.sequence))])
    return OrderedPairs(every, one, two, np.asarray([pairs.tied_in_both]), opposite)


def _pairs_in_groups(counts: Ints, size: float) -> Floats:
    """Return the pairs within groups of these sizes."""
    squares = counts.astype(np.float64)[None, :] ** 2
    return (squares.sum(axis=1) - size) / 2


def tied_pairs(codes: Codes, weight: Floats) -> Floats:
    """Return the pairs of different items with equal codes."""
    return ((codes.sums(weight) ** 2).sum(axis=1) - _sum_of_squares(weight)) / 2


def _sum_of_squares(weight: Floats) -> Floats:
    """Return the sum of the squared weights of each row."""
    if counts_once(weight):
        return np.asarray([float(weight.shape[1])])
    squares: Floats = (weight**2).sum(axis=1)
    return squares
