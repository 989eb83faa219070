"""How large a difference is."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio

ROUNDING = 1e-12


def cohen_d(differences: Floats) -> Floats:
    """Cohen's d for pairs: the mean difference in units of the spread of the differences.

    NaN where all differences are the same, unless they are all zero.
    """
    if len(differences) < 2:
        return np.full(differences.shape[1], np.nan)
    spread = differences.std(axis=0, ddof=1)
    spread[np.ptp(differences, axis=0) <= ROUNDING * np.abs(differences).max(axis=0, initial=0)] = 0
    mean = differences.mean(axis=0)
    return np.where((mean == 0) & (spread == 0), 0.0, ratio(mean, spread))


def cliff_delta(first: Floats, second: Floats) -> float:
    """Cliff's δ: how much more often a value of the second lies above one of the first than below.

    All values are compared with all, whatever their units.
    """
    ordered = np.sort(first)
    below = np.searchsorted(ordered, second, side="left")
    above = len(first) - np.searchsorted(ordered, second, side="right")
    return float((below - above).sum() / (len(first) * len(second))) if first.size else np.nan


def tally(differences: Floats, tie_width: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """How many units are won, tied and lost; a difference up to the tie width is a tie."""
    wins = (differences > tie_width + ROUNDING).sum(axis=0)
    losses = (differences < -tie_width - ROUNDING).sum(axis=0)
    return wins, len(differences) - wins - losses, losses


def relative(difference: Floats, baseline: Floats) -> Floats:
    """The difference as a share of the baseline; NaN where that is 0."""
    return ratio(difference, np.abs(baseline))
