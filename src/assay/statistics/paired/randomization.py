"""Fisher's randomization test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.core.arrays import Floats, row_blocks
from assay.statistics.significance_tests import (
    Alternative,
    ComparisonSettings,
    Significances,
    paired_test,
    reaches,
)

EXACT_UP_TO = 12
"""Units up to which all signs are tried in any case: 4,096 ways."""
TOLERANCE = 1e-10
"""Sums that differ by less, relative to the sum of absolute values, are equal up to rounding."""


@paired_test("randomization", "randomization test", seeded=True, weights="exchange")
def randomization(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test by the share of random exchanges of two systems with a difference at least as large.

    All 2^n exchanges are tried when they are no more than the permutations asked for; otherwise
    p = (b + 1)/(m + 1), where b of m random ones are at least as large.
    """
    units = len(differences)
    ways = 2**units if units < 63 else np.inf
    exact = units <= EXACT_UP_TO or ways <= settings.permutations
    total = int(ways) if exact else settings.permutations
    reached = np.zeros(differences.shape[1])
    observed = differences.sum(axis=0)
    slack = TOLERANCE * np.abs(differences).sum(axis=0)
    done = 0
    for signs in all_signs(units) if exact else random_signs(units, total, settings.seed):
        reached += _count_extreme(signs, differences, observed, slack, settings.alternative)
        done += len(signs)
        settings.progress(done, total)
    p = reached / total if exact else (reached + 1) / (total + 1)
    return Significances(differences.mean(axis=0), p)


def _count_extreme(
    signs: Floats, differences: Floats, observed: Floats, slack: Floats, alternative: Alternative
) -> Floats:
    """Return how many exchanges reach the observed sums, a block of columns at a time."""
    counts = np.empty(differences.shape[1])
    start = 0
    for width in row_blocks(differences.shape[1], len(signs)):
        own = slice(start, start + width)
        sums = signs @ differences[:, own]
        hit = reaches(sums, observed[own], slack[own], alternative)
        counts[own] = np.count_nonzero(hit, axis=0)
        start += width
    return counts


def random_signs(units: int, total: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of random signs, a row for each exchange."""
    random = np.random.default_rng(seed)
    for rows in row_blocks(total, max(units, 2000)):
        yield random.integers(0, 2, size=(rows, units), dtype=np.int8).astype(np.float64) * 2 - 1


def all_signs(units: int) -> Iterator[Floats]:
    """Yield blocks of all signs."""
    start = 0
    for rows in row_blocks(2**units, max(units, 2000)):
        numbers = np.arange(start, start + rows)
        yield ((numbers[:, None] >> np.arange(units)) & 1).astype(np.float64) * 2 - 1
        start += rows
