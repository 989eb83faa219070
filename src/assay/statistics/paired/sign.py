"""The sign test."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.interval_ends import Ends
from assay.statistics.paired.order_intervals import order_interval
from assay.statistics.paired.paired_test import OwnInterval, paired_test
from assay.statistics.test_result import Setup, Significances, tail_p_value

ROUNDING = 1e-12
"""0.30 - 0.29 is a little more than 0.01: a difference of the tie width is a tie all the same."""


def _median_ends(differences: Floats, setup: Setup, confidence: float) -> Ends:
    """Return the interval of the median of the differences that are not ties."""
    from scipy.special import bdtr

    found = []
    for column in differences.T:
        untied = column[np.abs(column) > setup.tie_width + ROUNDING]
        chances = bdtr(np.arange(len(untied) + 1.0), len(untied), 0.5)
        rejected = int(np.count_nonzero(2 * chances < 1 - confidence)) - 1
        found.append(order_interval(untied, rejected))
    low, high = np.asarray(found).reshape(-1, 2).T
    return low, high


@paired_test(
    "sign",
    "sign test",
    interval=OwnInterval("of the median, ties left out, by order statistics", _median_ends),
)
def sign(differences: Floats, setup: Setup) -> Significances:
    """The number of wins among wins and losses, against a fair coin; ties are left out.

    A tie is a difference of at most the tie width.
    """
    from scipy.special import bdtr, bdtrc

    wins = (differences > setup.tie_width + ROUNDING).sum(axis=0).astype(float)
    losses = (differences < -setup.tie_width - ROUNDING).sum(axis=0).astype(float)
    trials = wins + losses
    lower = bdtr(wins, trials.astype(int), 0.5)
    upper = 1.0 * (wins == 0) + (wins > 0) * bdtrc(wins - 1, trials.astype(int), 0.5)
    return Significances(wins, tail_p_value(lower, upper, setup.alternative))
