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


class DecimalPlaces(NamedTuple):
    """Numbers in units of their last decimal."""

    places: Ints
    """The units of each number above the smallest."""
    least: float
    """The units of the smallest number."""
    unit: float
    """How many units 1 has."""

    def numbers(self, places: Ints) -> Floats:
        """Return the numbers at some places, to the last bit."""
        return (places.astype(np.float64) + self.least) / self.unit


def decimal_places(values: Floats) -> DecimalPlaces | None:
    """Return each number in units of its last decimal, from 0; None where that does not fit.

    A number fits if dividing the nearest whole number of units gives it back: then two numbers are
    equal, or one is smaller, if that holds for their units.
    """
    sample = values[:: max(1, len(values) // _SAMPLE)]
    for decimals in range(_MOST_DECIMALS + 1):
        unit = 10.0**decimals
        if (np.rint(sample * unit) / unit == sample).all():
            return _places(values, unit)
    return None


def _places(values: Floats, unit: float) -> DecimalPlaces | None:
    """Return the numbers in these units; None if they do not fit or spread."""
    low, high = float(values.min()) * unit, float(values.max()) * unit
    if not max(abs(low), abs(high)) < _LARGEST or high - low >= _WIDEST * len(values):
        return None
    least = float(np.rint(low))
    places = np.empty(len(values), dtype=np.int64)
    for start in range(0, len(values), _AT_ONCE):
        block = values[start : start + _AT_ONCE]
        whole = np.rint(block * unit)
        if (whole / unit != block).any():
            return None
        whole -= least
        places[start : start + _AT_ONCE] = whole
    return DecimalPlaces(places, least, unit)


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
    return found.numbers(known), counts[known], of_marked[known]


def place_ranks(places: Ints) -> tuple[Ints, int]:
    """Return the rank of each place among those that occur, from 0, and how many these are."""
    present = np.zeros(int(places.max()) + 1, dtype=bool)
    present[places] = True
    codes = np.cumsum(present, dtype=np.int32 if len(present) < 2**31 else np.int64)
    for start in range(0, len(places), _AT_ONCE):
        places[start : start + _AT_ONCE] = codes[places[start : start + _AT_ONCE]]
    places -= 1
    return places, int(codes[-1])
