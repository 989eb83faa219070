"""Codes of numbers with few decimals: they are counted instead of sorted."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints

_MOST_DECIMALS = 9
_SAMPLE = 1000
_LARGEST = 2.0**52
_WIDEST = 4
"""How much wider than their number the numbers may be spread to be looked up in a table."""
_AT_ONCE = 1 << 16


def decimal_places(values: Floats) -> Ints | None:
    """Return each number in units of its last decimal, from 0; None where that does not fit.

    A number fits if dividing the nearest whole number of units gives it back: then two numbers are
    equal, or one is smaller, if that holds for their units.
    """
    sample = values[:: max(1, len(values) // _SAMPLE)]
    for decimals in range(_MOST_DECIMALS + 1):
        unit = 10.0**decimals
        if (np.rint(sample * unit) / unit == sample).all():
            return _units(values, unit)
    return None


def _units(values: Floats, unit: float) -> Ints | None:
    """Return the numbers in these units, from the smallest; None if they do not fit or spread."""
    low, high = float(values.min()) * unit, float(values.max()) * unit
    if not max(abs(low), abs(high)) < _LARGEST or high - low >= _WIDEST * len(values):
        return None
    least = np.rint(low)
    places = np.empty(len(values), dtype=np.int64)
    for start in range(0, len(values), _AT_ONCE):
        block = values[start : start + _AT_ONCE]
        whole = np.rint(block * unit)
        if (whole / unit != block).any():
            return None
        whole -= least
        places[start : start + _AT_ONCE] = whole
    return places


def place_ranks(places: Ints) -> tuple[Ints, int]:
    """Return the rank of each place among those that occur, from 0, and how many these are."""
    present = np.zeros(int(places.max()) + 1, dtype=bool)
    present[places] = True
    codes = np.cumsum(present, dtype=np.int32 if len(present) < 2**31 else np.int64)
    for start in range(0, len(places), _AT_ONCE):
        places[start : start + _AT_ONCE] = codes[places[start : start + _AT_ONCE]]
    places -= 1
    return places, int(codes[-1])
