"""Fisher's randomization test."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from assay.core.arrays import Floats, row_blocks, row_slices
from assay.statistics.intervals.interval_ends import Ends, column_products
from assay.statistics.significance_tests import (
    Alternative,
    ComparisonSettings,
    OwnInterval,
    Significances,
    paired_test,
    reaches,
)

EXACT_UP_TO = 12
"""Units up to which all signs are tried in any case: 4,096 ways."""
TOLERANCE = 1e-10
"""Sums that differ by less, relative to the sum of absolute values, are equal up to rounding."""


def _shift_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    """Return the shifts of all differences that the test does not reject; infinite if it cannot.

    With weights each unit is shifted by its own share.
    """
    units, columns = differences.shape
    exact, total = _exchanges(units, settings)
    level = 1 - confidence
    needed = math.ceil(level * total) if exact else math.ceil(level * (total + 1)) - 1
    mean = differences.mean(axis=0)
    low, high = np.empty(columns), np.empty(columns)
    shares = np.ones(units) if settings.shares is None else settings.shares
    for own in row_slices(columns, total):
        centered = differences[:, own] - np.outer(shares, mean[own])
        below, above = _distances(centered, shares, settings)
        low[own] = mean[own] - _largest(below, needed)
        high[own] = mean[own] + _largest(above, needed)
    return low, high


def _distances(centered: Floats, shares: Floats, settings: ComparisonSettings) -> Ends:
    """Return how far below and above the mean the shift may be for an exchange to be as extreme.

    For the exchange s, c = Σ s(d - mean) and m = Σ s, the sum of s(d - θ) is at least that of d - θ
    while mean - θ is at most c/(n - m), and at most its opposite while θ - mean is at most
    c/(n + m). So p falls on both sides of the mean.
    """
    total = _exchanges(len(centered), settings)[1]
    below, above = (np.full((total, centered.shape[1]), math.inf) for _ in range(2))
    done, whole = 0, float(shares.sum())
    for signs in _drawn_signs(len(centered), settings):
        rows = slice(done, done + len(signs))
        sums, added = column_products(signs, centered), column_products(signs, shares[:, None])
        same, opposite = (np.abs(whole - each) <= TOLERANCE * whole for each in (added, -added))
        back = sums / np.where(same, math.nan, whole - added)
        if settings.alternative == "two-sided":
            forth = sums / np.where(opposite, math.nan, whole + added)
            below[rows], above[rows] = np.maximum(back, -forth), np.maximum(forth, -back)
        elif settings.alternative == "greater":
            below[rows] = back
        else:
            above[rows] = -back
        done += len(signs)
    # Signs that are all alike give the sum itself, or its opposite, whatever the shift.
    below[np.isnan(below)] = above[np.isnan(above)] = math.inf
    return below, above


def _largest(distances: Floats, place: int) -> Floats | float:
    """Return the distance at this place from the largest of each column."""
    if place < 1:
        return math.inf
    return np.asarray(np.partition(distances, -place, axis=0)[-place])


@paired_test(
    "randomization",
    "randomization test",
    OwnInterval("the shifts that the randomization test does not reject", _shift_ends, True),
    seeded=True,
    weights="exchange",
)
def randomization(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test by the share of random exchanges of two systems with a difference at least as large.

    All 2^n exchanges are tried when they are no more than the permutations asked for; otherwise
    p = (b + 1)/(m + 1), where b of m random ones are at least as large.
    """
    units = len(differences)
    exact, total = _exchanges(units, settings)
    reached = np.zeros(differences.shape[1])
    observed = differences.sum(axis=0)
    slack = TOLERANCE * np.abs(differences).sum(axis=0)
    done = 0
    for signs in _drawn_signs(units, settings):
        reached += _count_extreme(signs, differences, observed, slack, settings.alternative)
        done += len(signs)
        settings.progress(done, total)
    p = reached / total if exact else (reached + 1) / (total + 1)
    return Significances(differences.mean(axis=0), p)


def _exchanges(units: int, settings: ComparisonSettings) -> tuple[bool, int]:
    """Return whether all exchanges are tried, and how many are."""
    ways = 2**units if units < 63 else math.inf
    exact = units <= EXACT_UP_TO or ways <= settings.permutations
    return exact, int(ways) if exact else settings.permutations


def _drawn_signs(units: int, settings: ComparisonSettings) -> Iterator[Floats]:
    """Yield blocks of all signs, or of as many random ones as there are permutations."""
    exact, total = _exchanges(units, settings)
    return all_signs(units) if exact else random_signs(units, total, settings.seed)


def _count_extreme(
    signs: Floats, differences: Floats, observed: Floats, slack: Floats, alternative: Alternative
) -> Floats:
    """Return how many exchanges reach the observed sums, a block of columns at a time."""
    counts = np.empty(differences.shape[1])
    for own in row_slices(differences.shape[1], len(signs)):
        sums = signs @ differences[:, own]
        hit = reaches(sums, observed[own], slack[own], alternative)
        counts[own] = np.count_nonzero(hit, axis=0)
    return counts


def random_signs(units: int, total: int, seed: int) -> Iterator[Floats]:
    """Yield blocks of random signs, a row for each exchange."""
    random = np.random.default_rng(seed)
    for rows in row_blocks(total, max(units, 2000)):
        yield random.integers(0, 2, size=(rows, units), dtype=np.int8).astype(np.float64) * 2 - 1


def all_signs(units: int) -> Iterator[Floats]:
    """Yield blocks of all signs."""
    for rows in row_slices(2**units, max(units, 2000)):
        numbers = np.arange(rows.start, rows.stop)
        yield ((numbers[:, None] >> np.arange(units)) & 1).astype(np.float64) * 2 - 1
