"""The units on which one system gains or loses most against another, and how measures agree."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, Ints


def largest_gains_and_losses(differences: Floats, most: int) -> tuple[Ints, Ints]:
    """The rows of the largest gains, and of the largest losses; no change is neither.

    Equal differences keep the order of the units.
    """
    order = np.argsort(-differences, kind="stable")
    gains = order[differences[order] > 0][:most]
    rising = np.argsort(differences, kind="stable")
    return gains, rising[differences[rising] < 0][:most]


def pearson_of_units(first: Floats, second: Floats) -> float:
    """The correlation of two columns where both are defined; NaN if one is constant."""
    known = ~(np.isnan(first) | np.isnan(second))
    x, y = first[known], second[known]
    if len(x) < 2:
        return math.nan
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 1e-15 else math.nan
