"""The sign test and Wilcoxon's signed rank test, with the intervals that invert them.

Differences of zero are left out. Wilcoxon's test is exact or by the normal approximation: equal
differences share the mean of their ranks, and the exact distribution is that of the given ranks,
so that it holds with ties too. The intervals are order statistics: of the differences for the sign
test, of their pairwise means (Walsh averages) for Wilcoxon's. Where the test cannot reject at the
level there is no interval.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.significance_tests import (
    Alternative,
    ComparisonSettings,
    OwnInterval,
    PairedTest,
    Significance,
    Significances,
    paired_test,
    tail_p_value,
)

EXACT_UP_TO = 50
ROUNDING = 1e-12
"""0.30 - 0.29 is a little more than 0.01: a difference of the tie width is a tie all the same."""
_AT_ONCE = 2_000
"""Differences up to which all their pairwise means are held in memory: 16 MB."""


def order_interval(values: Floats, rejected: int) -> tuple[float, float]:
    """Return the ends, if a test rejects with at most so many values beyond zero."""
    if rejected < 0 or 2 * rejected >= len(values):
        return math.nan, math.nan
    ordered = np.sort(values)
    return float(ordered[rejected]), float(ordered[-1 - rejected])


def walsh_interval(values: Floats, rejected: int) -> tuple[float, float]:
    """Return the same for all pairwise means of values, each with itself too."""
    pairs = len(values) * (len(values) + 1) // 2
    if rejected < 0 or 2 * rejected >= pairs:
        return math.nan, math.nan
    if len(values) > _AT_ONCE:
        return _walsh_at(values, rejected), _walsh_at(values, pairs - 1 - rejected)
    first, second = np.triu_indices(len(values))
    means = (values[first] + values[second]) / 2
    places = (rejected, pairs - 1 - rejected)
    ends = np.partition(means, places)[list(places)]
    return float(ends[0]), float(ends[1])


def _walsh_at(values: Floats, place: int) -> float:
    """Return the pairwise mean at a place in order, by bisection, without holding them all."""
    ordered = np.sort(values)
    low, high = float(ordered[0]), float(ordered[-1])
    while low < (middle := (low + high) / 2) < high:
        with_others = int(np.searchsorted(ordered, 2 * middle - ordered, side="right").sum())
        with_itself = int(np.searchsorted(ordered, middle, side="right"))
        if (with_others + with_itself) // 2 > place:
            high = middle
        else:
            low = middle
    return high


def _median_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    """Return the interval of the median of the differences that are not ties."""
    from scipy.special import bdtr

    found = []
    for column in differences.T:
        untied = column[np.abs(column) > settings.tie_width + ROUNDING]
        chances = bdtr(np.arange(len(untied) + 1.0), len(untied), 0.5)
        rejected = int(np.count_nonzero(2 * chances < 1 - confidence)) - 1
        found.append(order_interval(untied, rejected))
    return _as_ends(found)


def _as_ends(intervals: list[tuple[float, float]]) -> Ends:
    low, high = np.asarray(intervals).reshape(-1, 2).T
    return low, high


@paired_test(
    "sign",
    "sign test",
    interval=OwnInterval("of the median, ties left out, by order statistics", _median_ends),
)
def sign(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test the number of wins among wins and losses against a fair coin; ties are left out.

    A tie is a difference of at most the tie width.
    """
    from scipy.special import bdtr, bdtrc

    wins = (differences > settings.tie_width + ROUNDING).sum(axis=0).astype(float)
    losses = (differences < -settings.tie_width - ROUNDING).sum(axis=0).astype(float)
    trials = wins + losses
    lower = bdtr(wins, trials.astype(int), 0.5)
    upper = 1.0 * (wins == 0) + (wins > 0) * bdtrc(wins - 1, trials.astype(int), 0.5)
    return Significances(wins, tail_p_value(lower, upper, settings.alternative))


def _wilcoxon(name: str, variant: str, exact_up_to: float, step: float = 0.5) -> PairedTest:
    """Declare a variant, exact for so many differences that are not zero and else normal.

    The interval is that of Hodges and Lehmann: the shifts that the test does not reject.
    """

    def ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
        """Return the interval of the pseudomedian of each column."""
        columns = differences.T
        return _as_ends([_shifts(column, confidence, exact_up_to, step) for column in columns])

    @paired_test(
        name,
        f"Wilcoxon's signed rank test{variant}",
        interval=OwnInterval("Hodges and Lehmann's, of the pseudomedian, zeros left out", ends),
    )
    def test(differences: Floats, settings: ComparisonSettings) -> Significances:
        """Test the sum of positive ranks of each column."""
        alternative = settings.alternative
        found = [_test_column(each, alternative, exact_up_to, step) for each in differences.T]
        statistic, p = np.asarray(found).reshape(-1, 2).T
        return Significances(statistic, p)

    return test


wilcoxon = _wilcoxon("wilcoxon", "", EXACT_UP_TO)
wilcoxon_exact = _wilcoxon("wilcoxon-exact", ", exact", math.inf)
wilcoxon_normal = _wilcoxon("wilcoxon-normal", ", normal with continuity correction", 0)
wilcoxon_plain = _wilcoxon("wilcoxon-plain", ", normal without continuity correction", 0, step=0.0)


def _shifts(
    column: Floats, confidence: float, exact_up_to: float, step: float
) -> tuple[float, float]:
    from scipy.special import ndtri
    from scipy.stats import rankdata

    kept = column[column != 0]
    if not len(kept):
        return math.nan, math.nan
    ranks, level = rankdata(np.abs(kept)), (1 - confidence) / 2
    if len(ranks) <= exact_up_to:
        chances = np.cumsum(_distribution(_doubled_ranks(ranks)))
        rejected = (int(np.count_nonzero(chances < level)) - 1) // 2
    else:
        middle, spread = _moments(ranks)
        rejected = math.ceil(middle - step + float(ndtri(level)) * spread) - 1
    low, high = walsh_interval(kept, rejected)
    if not low <= 0 <= high or _test_column(kept, "two-sided", exact_up_to, step).p >= 2 * level:
        return low, high
    # Differences of equal size and opposite sign: 0 is rejected, though the smallest shift is not.
    return (_nearest_mean(kept), high) if abs(low) <= abs(high) else (low, -_nearest_mean(-kept))


def _nearest_mean(values: Floats) -> float:
    """Return the smallest positive pairwise mean; NaN if there is none."""
    ordered = np.sort(values)
    partner = np.searchsorted(ordered, ROUNDING * np.abs(ordered).max() - ordered, side="right")
    known = partner < len(ordered)
    means = (ordered[known] + ordered[partner[known]]) / 2
    return float(means.min(initial=math.inf)) if known.any() else math.nan


def _test_column(
    column: Floats, alternative: Alternative, exact_up_to: float, step: float
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
    """Return the probabilities of a sum of positive ranks at most, and at least, as large.

    Twice the ranks are whole numbers, so the distribution of their sum is counted up rank by rank.
    """
    chance = _distribution(_doubled_ranks(ranks))
    seen = round(2 * positive)
    return float(chance[: seen + 1].sum()), float(chance[seen:].sum())


def _doubled_ranks(ranks: Floats) -> bytes:
    return np.sort(np.rint(2 * ranks).astype(np.int64)).tobytes()


@lru_cache(maxsize=64)
def _distribution(doubled: bytes) -> Floats:
    """Return the probability of each sum; cached, as columns without ties have the same ranks."""
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
