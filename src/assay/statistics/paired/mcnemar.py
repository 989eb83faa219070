"""McNemar's test of decisions that are right or wrong."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.statistics.intervals.interval_ends import Ends, exact_share_ends
from assay.statistics.significance_tests import (
    ComparisonSettings,
    OwnInterval,
    Significances,
    paired_test,
    tail_p_value,
)


def exact_ends(
    differences: Floats, settings: ComparisonSettings, confidence: float | Floats
) -> Ends:
    """Return Clopper and Pearson's interval; the confidence may differ from column to column."""
    better, worse = discordant_counts(differences)
    ends = exact_share_ends(better, better + worse, confidence)
    return _of_all(*ends, better + worse, len(differences))


def _chi2_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    """Return Wilson's interval with continuity correction, which inverts the corrected χ² test."""
    from scipy.special import ndtri

    better, worse = discordant_counts(differences)
    total, z = better + worse, float(ndtri((1 + confidence) / 2))
    n = np.maximum(total, 1.0)
    lower, upper = ((better + step, worse - step) for step in (-0.5, 0.5))
    ends = []
    for sign, (hits, misses) in ((-1, lower), (1, upper)):
        root = np.sqrt(np.maximum(z**2 + 4 * hits * misses / n, 0))
        ends.append((2 * hits + z**2 + sign * z * root) / (2 * (n + z**2)))
    low, high = np.where(better == 0, 0.0, ends[0]), np.where(worse == 0, 1.0, ends[1])
    return _of_all(low, high, total, len(differences))


def _of_all(low: Floats, high: Floats, discordant_items: Floats, items: int) -> Ends:
    """Return a share of the discordant items as a difference of two shares of all items."""
    return (2 * low - 1) * discordant_items / items, (2 * high - 1) * discordant_items / items


@paired_test(
    "mcnemar",
    "McNemar's test, exact",
    interval=OwnInterval("Clopper-Pearson's of the discordant items", exact_ends),
)
def mcnemar(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test the items that only one of the two has correct against a fair coin."""
    from scipy.special import bdtr, bdtrc

    better, worse = discordant_counts(differences)
    trials = (better + worse).astype(int)
    lower = bdtr(better, trials, 0.5)
    upper = np.where(better > 0, bdtrc(np.maximum(better - 1, 0), trials, 0.5), 1.0)
    return Significances(
        np.minimum(better, worse), tail_p_value(lower, upper, settings.alternative)
    )


@paired_test(
    "mcnemar-chi2",
    "McNemar's test, χ² with continuity correction",
    interval=OwnInterval(
        "Wilson's of the discordant items, with continuity correction", _chi2_ends
    ),
    two_sided=True,
)
def mcnemar_chi2(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Test the same by the χ² distribution, with continuity correction."""
    from scipy.special import chdtrc

    better, worse = discordant_counts(differences)
    total = better + worse
    square = np.zeros(len(total))
    np.divide((np.abs(better - worse) - 1) ** 2, total, out=square, where=total > 0)
    return Significances(square, np.where(total > 0, chdtrc(1, square), 1.0))


def discordant_counts(differences: Floats) -> tuple[Floats, Floats]:
    """Return how many items only the system, and only the baseline, has correct."""
    if not np.isin(differences, (-1, 0, 1)).all():
        raise DataError(
            "McNemar's test is for values that are 0 or 1, right or wrong; these are not."
            " Use the randomization test."
        )
    return (differences > 0).sum(axis=0).astype(float), (differences < 0).sum(axis=0).astype(float)
