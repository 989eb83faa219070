"""How large a difference is."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio

ROUNDING = 1e-12


def cohen_d(differences: Floats, weights: Floats | None = None) -> Floats:
    """Cohen's d for pairs: the mean difference in units of the spread of the differences.

    NaN where all differences are the same, unless they are all zero. With weights both are
    weighted, the variance times n/(n - 1) as without them.
    """
    size = len(differences)
    if size < 2 or (weights is not None and not weights.any()):
        return np.full(differences.shape[1], np.nan)
    mean = np.average(differences, axis=0, weights=weights)
    if weights is None:
        spread = differences.std(axis=0, ddof=1)
    else:
        square = np.average((differences - mean) ** 2, axis=0, weights=weights)
        spread = np.sqrt(square * size / (size - 1))
    spread[np.ptp(differences, axis=0) <= ROUNDING * np.abs(differences).max(axis=0, initial=0)] = 0
    return np.where((mean == 0) & (spread == 0), 0.0, ratio(mean, spread))


def cliff_delta(first: Floats, second: Floats, weights: Floats | None = None) -> float:
    """Cliff's δ: how much more often a value of the second lies above one of the first than below.

    All values are compared with all, whatever their units; a comparison counts by both weights.
    """
    if weights is not None:
        return _weighted_delta(first, second, weights)
    ordered = np.sort(first)
    below = np.searchsorted(ordered, second, side="left")
    above = len(first) - np.searchsorted(ordered, second, side="right")
    return float((below - above).sum() / (len(first) * len(second))) if first.size else np.nan


def _weighted_delta(first: Floats, second: Floats, weights: Floats) -> float:
    order = np.argsort(first, kind="stable")
    running = np.append(0.0, np.cumsum(weights[order]))
    below = running[np.searchsorted(first[order], second, side="left")]
    above = running[-1] - running[np.searchsorted(first[order], second, side="right")]
    return float(ratio(((below - above) * weights).sum(), running[-1] ** 2))


def win_tie_loss(differences: Floats, tie_width: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """How many units are won, tied and lost; a difference up to the tie width is a tie."""
    wins = (differences > tie_width + ROUNDING).sum(axis=0)
    losses = (differences < -tie_width - ROUNDING).sum(axis=0)
    return wins, len(differences) - wins - losses, losses


def relative_difference(difference: Floats, baseline: Floats) -> Floats:
    """The difference as a share of the baseline; NaN where that is 0."""
    return ratio(difference, np.abs(baseline))
