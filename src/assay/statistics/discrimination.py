"""How well measures and units discriminate between systems, and how stable a leaderboard is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.statistics.intervals.interval_ends import rank_ends, resampled_means
from assay.statistics.intervals.interval_settings import RESAMPLES
from assay.statistics.significance_tests import ComparisonSettings, find_test


def discriminative_power(table: Floats, level: float = 0.05, test: str = "t") -> float:
    """Return the share of pairs of systems that differ significantly; NaN without a pair."""
    first, second = np.triu_indices(table.shape[1], 1)
    if not len(first):
        return math.nan
    found = find_test(test)(
        table[:, second] - table[:, first], ComparisonSettings(permutations=2000)
    )
    return float(np.mean(found.p < level))


@dataclass(frozen=True)
class SwapRates:
    """How often two halves of the units disagree on the order of two systems."""

    rate: float
    """Over all pairs and splits."""
    edges: Floats
    """Of bins of the difference seen in one half."""
    rates: Floats
    """In each bin; NaN for an empty one."""
    counts: Floats

    def difference_for(self, rate: float = 0.05) -> float:
        """Return the smallest difference from which on swaps are this rare; NaN if none."""
        swaps = (self.counts * np.nan_to_num(self.rates))[::-1]
        within = (swaps.cumsum() <= rate * self.counts[::-1].cumsum())[::-1]
        kept = np.flatnonzero(within & (self.counts > 0))
        return float(self.edges[kept[0]]) if len(kept) else math.nan


def swap_rates(table: Floats, splits: int = 200, bins: int = 20, seed: int = 1) -> SwapRates:
    """Split the units in two at random, many times, and compare the orders of the systems."""
    units, systems = table.shape
    first, second = np.triu_indices(systems, 1)
    random = np.random.default_rng(seed)
    half = units // 2
    nothing = np.full(bins, math.nan)
    if half < 1 or not len(first):
        return SwapRates(math.nan, np.linspace(0, 1, bins + 1), nothing, np.zeros(bins))
    seen, swapped = [], []
    for _ in range(splits):
        drawn = random.permutation(units)
        mine = table[drawn[:half]].mean(axis=0)
        other = table[drawn[half : 2 * half]].mean(axis=0)
        here, there = mine[second] - mine[first], other[second] - other[first]
        seen.append(np.abs(here))
        swapped.append(here * there < 0)
    sizes, flags = np.concatenate(seen), np.concatenate(swapped)
    edges = np.linspace(0, max(float(sizes.max()), 1e-12), bins + 1)
    place = np.clip(np.digitize(sizes, edges) - 1, 0, bins - 1)
    counts = np.bincount(place, minlength=bins).astype(float)
    rates = ratio(np.bincount(place, flags, minlength=bins), counts)
    return SwapRates(float(flags.mean()), edges, rates, counts)


def unit_discrimination(table: Floats) -> tuple[Floats, Floats]:
    """Return for each unit the spread of systems on it, and its agreement with the other units.

    Agreement is the correlation of the systems' values on the unit with their means over the other
    units; NaN where all systems are equal on it.
    """
    units = len(table)
    spread = table.std(axis=1, ddof=1) if table.shape[1] > 1 else np.full(units, math.nan)
    if units < 2:
        return spread, np.full(units, math.nan)
    rest = (table.sum(axis=0) - table) / (units - 1)
    mine = table - table.mean(axis=1, keepdims=True)
    others = rest - rest.mean(axis=1, keepdims=True)
    size = np.sqrt((mine**2).sum(axis=1) * (others**2).sum(axis=1))
    agreement = np.full(units, math.nan)
    np.divide((mine * others).sum(axis=1), size, out=agreement, where=size > 1e-15)
    return spread, agreement


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
    table: Floats,
    sign: float = 1.0,
    resamples: int = RESAMPLES,
    seed: int = 1,
    confidence: float = 0.95,
) -> Stability:
    """Draw the units again and order the systems by their means each time."""
    drawn = sign * resampled_means(table, resamples, seed)
    taus = _taus(drawn, sign * table.mean(axis=0))
    tail = (1 - confidence) / 2
    low, high = rank_ends(drawn, len(table), confidence)
    best = drawn == drawn.max(axis=1, keepdims=True)
    first = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    if np.isnan(taus).all():
        return Stability(math.nan, math.nan, math.nan, first, low, high)
    ends = np.nanquantile(taus, [tail, 1 - tail])
    mean = float(np.nanmean(taus))
    return Stability(mean, float(ends[0]), float(ends[1]), first, low, high)


def _taus(drawn: Floats, whole: Floats) -> Floats:
    """Return Kendall's τ-b of each row with the whole."""
    first, second = np.triu_indices(drawn.shape[1], 1)
    order = np.sign(whole[second] - whole[first])
    taus = np.full(len(drawn), math.nan)
    for row, means in enumerate(drawn):
        signs = np.sign(means[second] - means[first])
        untied = np.count_nonzero(order) * np.count_nonzero(signs)
        if untied:
            taus[row] = (order @ signs) / math.sqrt(untied)
    return taus
