"""Codes of numbers with few decimals: they are counted instead of sorted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.core.arrays import Bools, Floats, Ints

_MOST_DECIMALS = 9
_SAMPLE = 1000
_LARGEST = 2.0**52
_WIDEST = 4
"""How much wider than their number the numbers may be spread to be looked up in a table."""
_AT_ONCE = 1 << 16


class DecimalScale(NamedTuple):
    """The units of the last decimal of some numbers."""

    unit: float
    """How many units 1 has."""
    least: float
    """The units of the smallest number."""
    most: int
    """The units of the largest number above the smallest."""

    def places(self, values: Floats) -> Ints | None:
        """Return the units of each number above the smallest; None if one has more decimals."""
        whole = values * self.unit
        np.rint(whole, out=whole)
        if (whole / self.unit != values).any():
            return None
        whole -= self.least
        return whole.astype(np.int64)

    def numbers(self, places: Ints) -> Floats:
        """Return the numbers at some places, to the last bit."""
        return (places.astype(np.float64) + self.least) / self.unit


class DecimalPlaces(NamedTuple):
    """Numbers in units of their last decimal."""

    places: Ints
    """The units of each number above the smallest."""
    scale: DecimalScale


def decimal_scale(values: Floats) -> DecimalScale | None:
    """Return the units of the last decimal of numbers; None where some of them do not fit.

    A number fits if dividing the nearest whole number of units gives it back: then two numbers are
    equal, or one is smaller, if that holds for their units. Only some numbers are looked at.
    """
    sample = values[:: max(1, len(values) // _SAMPLE)]
    for decimals in range(_MOST_DECIMALS + 1):
        unit = 10.0**decimals
        if (np.rint(sample * unit) / unit == sample).all():
            return _scale(values, unit)
    return None


def _scale(values: Floats, unit: float) -> DecimalScale | None:
    """Return the scale of these units; None if the numbers are too large or spread."""
    low, high = float(values.min()) * unit, float(values.max()) * unit
    if not max(abs(low), abs(high)) < _LARGEST or high - low >= _WIDEST * len(values):
        return None
    least = float(np.rint(low))
    return DecimalScale(unit, least, int(np.rint(high) - least))


def decimal_places(values: Floats) -> DecimalPlaces | None:
    """Return each number in units of its last decimal, from 0; None where that does not fit."""
    scale = decimal_scale(values)
    if scale is None:
        return None
    found = np.empty(len(values), dtype=np.int64)
    for start in range(0, len(values), _AT_ONCE):
        places = scale.places(values[start : start + _AT_ONCE])
        if places is None:
            return None
        found[start : start + _AT_ONCE] = places
    return DecimalPlaces(found, scale)


def count_decimals(values: Floats, marked: Bools) -> tuple[Floats, Ints, Ints] | None:
    """Return the distinct numbers, ascending, and how many unmarked and marked ones each has.

    None where the numbers have too many decimals.
    """
    found = decimal_places(values)
    if found is None:
        return None
    counts = np.bincount(found.places)
    of_marked = np.bincount(found.places[marked], minlength=len(counts))
    known = np.flatnonzero(counts)
    counts -= of_marked
    return found.scale.numbers(known), counts[known], of_marked[known]


def place_ranks(places: Ints) -> tuple[Ints, int]:
    """Return the rank of each place among those that occur, from 0, and how many these are."""
    present = np.zeros(int(places.max()) + 1, dtype=bool)
    present[places] = True
    codes = np.cumsum(present, dtype=np.int32 if len(present) < 2**31 else np.int64)
    for start in range(0, len(places), _AT_ONCE):
        places[start : start + _AT_ONCE] = codes[places[start : start + _AT_ONCE]]
    places -= 1
    return places, int(codes[-1])
