"""Wilcoxon's signed rank test, exact and by the normal approximation.

Differences of zero are left out. Equal differences share the mean of their ranks; the exact
distribution is that of the ranks at hand, so that it holds with such ties too.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.paired.order_intervals import walsh_interval
from assay.statistics.paired.paired_test import OwnInterval, paired_test
from assay.statistics.test_result import (
    Alternative,
    Setup,
    Significance,
    Significances,
    tail_p_value,
)

EXACT_UP_TO = 50


def _own_interval(exact_up_to: int | None, step: float = 0.5) -> OwnInterval:
    """Return the interval of Hodges and Lehmann: shifts that the test does not reject."""

    def ends(differences: Floats, setup: Setup, confidence: float) -> Ends:
        most = len(differences) if exact_up_to is None else exact_up_to
        found = [_shifts(column, confidence, most, step) for column in differences.T]
        low, high = np.asarray(found).reshape(-1, 2).T
        return low, high

    return OwnInterval("Hodges and Lehmann's, of the pseudomedian, zeros left out", ends)


def _shifts(
    column: Floats, confidence: float, exact_up_to: int, step: float
) -> tuple[float, float]:
    from scipy.special import ndtri
    from scipy.stats import rankdata

    kept = column[column != 0]
    if not len(kept):
        return math.nan, math.nan
    ranks, level = rankdata(np.abs(kept)), (1 - confidence) / 2
    if len(ranks) <= exact_up_to:
        chances = np.cumsum(_distribution(_doubled(ranks)))
        rejected = (int(np.count_nonzero(chances < level)) - 1) // 2
    else:
        middle, spread = _moments(ranks)
        rejected = math.ceil(middle - step + float(ndtri(level)) * spread) - 1
    return walsh_interval(kept, rejected)


@paired_test(
    "wilcoxon",
    "Wilcoxon's signed rank test",
    interval=_own_interval(exact_up_to=EXACT_UP_TO),
)
def wilcoxon(differences: Floats, setup: Setup) -> Significances:
    """Exact for up to 50 differences that are not zero; else normal with continuity correction."""
    return _test_columns(differences, setup.alternative, exact_up_to=EXACT_UP_TO)


@paired_test(
    "wilcoxon-exact",
    "Wilcoxon's signed rank test, exact",
    interval=_own_interval(exact_up_to=None),
)
def wilcoxon_exact(differences: Floats, setup: Setup) -> Significances:
    """By the exact distribution of the ranks, however many there are."""
    return _test_columns(differences, setup.alternative, exact_up_to=len(differences))


@paired_test(
    "wilcoxon-normal",
    "Wilcoxon's signed rank test, normal with continuity correction",
    interval=_own_interval(exact_up_to=0),
)
def wilcoxon_normal(differences: Floats, setup: Setup) -> Significances:
    """By the normal distribution, half a step nearer to the middle."""
    return _test_columns(differences, setup.alternative, exact_up_to=0)


@paired_test(
    "wilcoxon-plain",
    "Wilcoxon's signed rank test, normal without continuity correction",
    interval=_own_interval(exact_up_to=0, step=0.0),
)
def wilcoxon_plain(differences: Floats, setup: Setup) -> Significances:
    """By the normal distribution as it is."""
    return _test_columns(differences, setup.alternative, exact_up_to=0, step=0.0)


def _test_columns(
    differences: Floats, alternative: Alternative, exact_up_to: int, step: float = 0.5
) -> Significances:
    found = [_test_column(each, alternative, exact_up_to, step) for each in differences.T]
    return Significances(np.asarray([f.statistic for f in found]), np.asarray([f.p for f in found]))


def _test_column(
    column: Floats, alternative: Alternative, exact_up_to: int, step: float
) -> Significance:
    from scipy.stats import rankdata

    sizes = np.abs(column)
    kept = sizes > 0
    if not kept.any():
        return Significance(0.0, 1.0)
    ranks = rankdata(sizes[kept])
    positive = float(ranks[column[kept] > 0].sum())
    if len(ranks) <= exact_up_to:
        lower, upper = _exact(ranks, positive)
    else:
        lower, upper = _normal(ranks, positive, step)
    p = tail_p_value(np.asarray([lower]), np.asarray([upper]), alternative)
    return Significance(positive, float(p[0]))


def _exact(ranks: Floats, positive: float) -> tuple[float, float]:
    """The chances of a sum of positive ranks at most, and at least, as large.

    Twice the ranks are whole numbers, so the distribution of their sum is counted up rank by rank.
    """
    chance = _distribution(_doubled(ranks))
    seen = round(2 * positive)
    return float(chance[: seen + 1].sum()), float(chance[seen:].sum())


def _doubled(ranks: Floats) -> bytes:
    return np.sort(np.rint(2 * ranks).astype(np.int64)).tobytes()


@lru_cache(maxsize=64)
def _distribution(doubled: bytes) -> Floats:
    """The chance of each sum; columns without ties have the same ranks, so it is kept."""
    ranks = np.frombuffer(doubled, dtype=np.int64)
    chance = np.zeros(int(ranks.sum()) + 1)
    chance[0] = 1.0
    for rank in ranks.tolist():
        chance[rank:] = chance[rank:] + chance[: len(chance) - rank]
        chance /= 2
    return chance


def _normal(ranks: Floats, positive: float, step: float) -> tuple[float, float]:
    from scipy.special import ndtr

    middle, spread = _moments(ranks)
    return (
        float(ndtr((positive - middle + step) / spread)),
        float(ndtr(-(positive - middle - step) / spread)),
    )


def _moments(ranks: Floats) -> tuple[float, float]:
    """Return the mean and the standard deviation of the sum of positive ranks."""
    return float(ranks.sum()) / 2, math.sqrt(float((ranks**2).sum()) / 4)
