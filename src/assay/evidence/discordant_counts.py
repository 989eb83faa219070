"""Counting pairs in opposite order without looking at every pair."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints
from assay.evidence.views.view import sums_by_row


def dense_ranks(values: Floats) -> Ints:
    """Return the place of each value among the distinct ones, from the smallest."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


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


def discordant_pairs(first: Floats, second: Floats, weight: Floats) -> Floats:
    """Return the pairs in opposite order; a pair counts as often as both of its items together."""
    partners = discordant_partners(dense_ranks(first), dense_ranks(second), weight)
    return (partners * weight).sum(axis=1)


def tied_pairs(values: Floats, weight: Floats) -> Floats:
    """Return the pairs of different items with equal values."""
    place = dense_ranks(values)
    sums = sums_by_row(weight, place, int(place.max(initial=-1)) + 1)
    return ((sums**2).sum(axis=1) - (weight**2).sum(axis=1)) / 2


def pairs_tied_in_both(first: Floats, second: Floats, weight: Floats) -> Floats:
    """Return the pairs of different items with equal values in both orders."""
    one, two = dense_ranks(first), dense_ranks(second)
    return tied_pairs((one * (int(two.max(initial=0)) + 1) + two).astype(np.float64), weight)
