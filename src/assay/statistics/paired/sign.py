"""The sign test."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.statistics.findings import Findings, Setup, tail
from assay.statistics.paired.test import paired_test

ROUNDING = 1e-12
"""0.30 - 0.29 is a little more than 0.01: a difference of the tie width is a tie all the same."""


@paired_test("sign", "sign test")
def sign(differences: Floats, setup: Setup) -> Findings:
    """The number of wins among wins and losses, against a fair coin; ties are left out.

    A tie is a difference of at most the tie width.
    """
    from scipy.special import bdtr, bdtrc

    wins = (differences > setup.tie_width + ROUNDING).sum(axis=0).astype(float)
    losses = (differences < -setup.tie_width - ROUNDING).sum(axis=0).astype(float)
    trials = wins + losses
    lower = bdtr(wins, trials.astype(int), 0.5)
    upper = 1.0 * (wins == 0) + (wins > 0) * bdtrc(wins - 1, trials.astype(int), 0.5)
    return Findings(wins, tail(lower, upper, setup.alternative))
