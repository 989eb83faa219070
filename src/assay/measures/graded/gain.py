"""What a grade is worth, and what a rank takes off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Floats
from assay.core.parameters import Gain
from assay.evidence.rankings import Hits, Rankings


def gain_of(grades: Floats, gain: Gain) -> Floats:
    """The gain of each grade: itself, 2^grade − 1, 1 for any, or by a table; never below 0."""
    positive = np.maximum(grades, 0)
    if isinstance(gain, tuple):
        known, worth = np.asarray(gain).T
        place = np.minimum(np.searchsorted(known, grades), len(known) - 1)
        return np.where(known[place] == grades, worth[place], 0.0)
    if gain == "exp":
        return np.exp2(positive) - 1
    if gain == "binary":
        return (positive > 0).astype(np.float64)
    return positive


def discount_of(rank: NDArray[np.generic]) -> Floats:
    """The share of its gain that a document keeps at a rank: 1 / log2(rank + 1)."""
    return 1 / np.log2(rank.astype(np.float64) + 1)


def ideal_gains(rankings: Rankings, gain: Gain, cutoff: int | None = None) -> Hits:
    """The ideal list, with the gains of its documents (largest first) in place of their grades."""
    pool = rankings.best()
    worth = gain_of(pool.grade, gain)
    falling = worth[np.lexsort((-worth, pool.query))]
    best = Hits(pool.offsets, pool.rank, falling)
    return best if cutoff is None else best.where(best.rank <= cutoff)
