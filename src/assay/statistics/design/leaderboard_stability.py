"""How stable a leaderboard is when other units of the same kind might have been drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.resampling import resampled_means


@dataclass(frozen=True)
class Stability:
    """How leaderboards of resampled units agree with the one of all units."""

    tau: float
    """The mean of Kendall's τ."""
    tau_low: float
    tau_high: float
    first: Floats
    """For each system: how often it comes first; ties share."""
    rank_low: Floats
    rank_high: Floats


def stability(
    table: Floats, sign: float = 1.0, resamples: int = 1000, seed: int = 1, confidence: float = 0.95
) -> Stability:
    """Draw the units again and order the systems by their means each time."""
    drawn = sign * resampled_means(table, resamples, seed)
    taus = _taus(drawn, sign * table.mean(axis=0))
    tail = (1 - confidence) / 2
    ranks = _ranks(drawn)
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf")
    best = drawn == drawn.max(axis=1, keepdims=True)
    first = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    if np.isnan(taus).all():
        return Stability(math.nan, math.nan, math.nan, first, low, high)
    ends = np.nanquantile(taus, [tail, 1 - tail])
    mean = float(np.nanmean(taus))
    return Stability(mean, float(ends[0]), float(ends[1]), first, low, high)


def _taus(drawn: Floats, whole: Floats) -> Floats:
    """Kendall's τ-b of each row with the whole."""
    first, second = np.triu_indices(drawn.shape[1], 1)
    order = np.sign(whole[second] - whole[first])
    taus = np.full(len(drawn), math.nan)
    for row, means in enumerate(drawn):
        signs = np.sign(means[second] - means[first])
        untied = np.count_nonzero(order) * np.count_nonzero(signs)
        if untied:
            taus[row] = (order @ signs) / math.sqrt(untied)
    return taus


def _ranks(drawn: Floats) -> Floats:
    from scipy.stats import rankdata

    return rankdata(-drawn, axis=1)
