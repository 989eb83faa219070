"""Friedman's test by ranks within units, with Nemenyi's comparison of all pairs."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.interval_settings import OF_RANKS
from assay.statistics.significance_tests import ComparisonSettings, JointResult, joint_test
from assay.statistics.studentized_range import upper_tail


@joint_test("friedman", "Friedman's test, with Nemenyi's for the pairs")
def friedman(table: Floats, settings: ComparisonSettings) -> JointResult:
    """Test the mean ranks of the systems against those of systems without any difference."""
    from scipy.special import chdtrc
    from scipy.stats import rankdata

    units, systems = table.shape
    ranks = rankdata(table, axis=1)
    mean = ranks.mean(axis=0)
    spread = float(((ranks - (systems + 1) / 2) ** 2).sum())
    away = float(((mean - (systems + 1) / 2) ** 2).sum())
    statistic = units**2 * (systems - 1) * away / spread if spread else 0.0
    error = math.sqrt(systems * (systems + 1) / (12 * units))
    q = np.abs(mean[:, None] - mean[None, :]) / error
    p = float(chdtrc(systems - 1, statistic))
    none = np.full(q.shape, math.nan)
    pairs = upper_tail(q, systems, math.inf)
    return JointResult("Friedman χ²", statistic, p, pairs, q, none, none, OF_RANKS)
