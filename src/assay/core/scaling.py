"""Numbers of extreme size: exact scaling by powers of two, and the report of overflows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from assay.core.arrays import Bools, Floats, ratio

TOO_LARGE = "a number is too large to compute with (above 1.8e308)"
"""The reason where a value cannot be held in double precision."""
ROUNDING = 1e-13
"""A spread below this share of the mean may be rounding."""
_USUAL = 400
"""Up to this power of two, and down to its inverse, squares can be added up without scaling."""


def power_of_two(*columns: Floats) -> float:
    """Return what numbers are divided by so that their squares neither overflow nor vanish.

    It is 1 for numbers of usual size. Division by a power of two is exact.
    """
    largest = max((float(np.abs(each).max(initial=0)) for each in columns), default=0.0)
    if largest == 0 or not math.isfinite(largest):
        return 1.0
    exponent = math.frexp(largest)[1] - 1
    return 1.0 if abs(exponent) <= _USUAL else 2.0**exponent


def constant_rows(values: Floats, weight: Floats) -> Bools:
    """Return which rows of weights count only items of one value."""
    kept = weight > 0
    low = np.where(kept, values, np.inf).min(axis=1, initial=np.inf)
    high = np.where(kept, values, -np.inf).max(axis=1, initial=-np.inf)
    return low >= high


def center_rows(values: Floats, weight: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean of each row of weights, the deviations from it and their squares' sum.

    Where all values that count are equal the mean is that value, and nothing deviates. Only rows
    whose spread is not above rounding are looked at in full.
    """
    mean = ratio((weight * values).sum(axis=1), total)
    apart = values - mean[:, None]
    spread = (weight * apart**2).sum(axis=1)
    doubtful = np.flatnonzero(spread <= total * (ROUNDING * mean) ** 2)
    same = doubtful[constant_rows(values, weight[doubtful]) & (total[doubtful] > 0)]
    if len(same):
        mean[same] = values[(weight[same] > 0).argmax(axis=1)]
        apart[same] = values - mean[same, None]
        spread[same] = 0.0
    return mean, apart, spread


class OverflowReport:
    """Whether a computation overflowed."""

    seen = False

    def write(self, message: str) -> None:
        """Note an overflow; numpy calls this."""
        self.seen = True


@contextmanager
def watch_overflow() -> Iterator[OverflowReport]:
    """Compute without warnings, and report whether a number became too large."""
    report = OverflowReport()
    with np.errstate(over="log", invalid="ignore", divide="ignore", under="ignore", call=report):
        yield report
