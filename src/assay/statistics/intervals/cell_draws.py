"""Resamples of tables of counts: numbers of items drawn for each cell."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats

MANY_CELLS = 5_000
"""Beyond this the counts are drawn as Poisson counts with a remainder, which is faster, unless the
remainder is longer than the table."""
_REMAINDER = 2.0
"""By how many standard deviations the Poisson counts fall short of the items on average."""


def draw_cells(random: np.random.Generator, items: int, shares: Floats, rows: int) -> Floats:
    """Return rows × cells: so many items in each row, each in a cell with the chance of its share.

    Poisson counts with a given sum are multinomial, and so are these together with the items that
    they lack, drawn one by one: both ways draw from the same distribution.
    """
    short = _REMAINDER * math.sqrt(items)
    if len(shares) <= MANY_CELLS or short > len(shares):
        return random.multinomial(items, shares, size=rows).astype(np.float64)
    means = shares * max(items - short, 0)
    counts = random.poisson(means, size=(rows, len(shares)))
    totals = counts.sum(axis=1)
    while len(over := np.flatnonzero(totals > items)):
        counts[over] = random.poisson(means, size=(len(over), len(shares)))
        totals[over] = counts[over].sum(axis=1)
    row = np.repeat(np.arange(rows), items - totals)
    reached = np.cumsum(shares)
    cell = np.searchsorted(reached, random.random(len(row)) * reached[-1], side="right")
    cell = np.minimum(cell, np.flatnonzero(shares)[-1])
    drawn = np.bincount(row * len(shares) + cell, minlength=counts.size)
    return (counts + drawn.reshape(counts.shape)).astype(np.float64)
