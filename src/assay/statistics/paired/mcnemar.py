"""McNemar's test of decisions that are right or wrong."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.statistics.findings import Findings, Setup, tail
from assay.statistics.paired.test import paired_test


@paired_test("mcnemar", "McNemar's test, exact")
def mcnemar(differences: Floats, setup: Setup) -> Findings:
    """Items that only one of the two has right, against a fair coin."""
    from scipy.special import bdtr, bdtrc

    better, worse = discordant(differences)
    trials = (better + worse).astype(int)
    lower = bdtr(better, trials, 0.5)
    upper = np.where(better > 0, bdtrc(np.maximum(better - 1, 0), trials, 0.5), 1.0)
    return Findings(np.minimum(better, worse), tail(lower, upper, setup.alternative))


@paired_test("mcnemar-chi2", "McNemar's test, χ² with continuity correction")
def mcnemar_chi2(differences: Floats, setup: Setup) -> Findings:
    """The same by the χ² distribution, half a step nearer to the middle on both sides."""
    from scipy.special import chdtrc

    better, worse = discordant(differences)
    total = better + worse
    square = np.zeros(len(total))
    np.divide((np.abs(better - worse) - 1) ** 2, total, out=square, where=total > 0)
    return Findings(square, np.where(total > 0, chdtrc(1, square), 1.0))


def discordant(differences: Floats) -> tuple[Floats, Floats]:
    """How many items only the system, and only the baseline, has right."""
    if not np.isin(differences, (-1, 0, 1)).all():
        raise DataError(
            "McNemar's test is for values that are 0 or 1, right or wrong; these are not."
            " Use the randomization test."
        )
    return (differences > 0).sum(axis=0).astype(float), (differences < 0).sum(axis=0).astype(float)
