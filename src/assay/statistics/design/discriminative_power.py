"""Which measures, and which units, tell systems apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.paired.paired_test import find_test
from assay.statistics.test_result import Setup


def discriminative_power(table: Floats, level: float = 0.05, test: str = "t") -> float:
    """The share of the pairs of systems that a paired test tells apart; NaN without a pair."""
    first, second = np.triu_indices(table.shape[1], 1)
    if not len(first):
        return math.nan
    found = find_test(test)(table[:, second] - table[:, first], Setup(permutations=2000))
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
        """The smallest difference from which on swaps are that rare; NaN if there is none."""
        totals, swaps = (
            self.counts[::-1].cumsum(),
            (self.counts * _complete_values(self.rates))[::-1],
        )
        within = (swaps.cumsum() <= rate * totals)[::-1]
        kept = np.flatnonzero(within & (self.counts > 0))
        return float(self.edges[kept[0]]) if len(kept) else math.nan


def _complete_values(rates: Floats) -> Floats:
    return np.where(np.isnan(rates), 0.0, rates)


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
    rates = np.full(bins, math.nan)
    np.divide(np.bincount(place, flags, minlength=bins), counts, out=rates, where=counts > 0)
    return SwapRates(float(flags.mean()), edges, rates, counts)


def unit_discrimination(table: Floats) -> tuple[Floats, Floats]:
    """For each unit: how far systems spread on it, and how well it agrees with all other units.

    Agreement is the correlation of the systems' values on the unit with their means over the other
    units; NaN where all systems are alike on it.
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
