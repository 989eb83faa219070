"""Tukey's honestly significant difference for the paired design."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.joint.joint_test import JointResult, joint_test
from assay.statistics.studentized_range import upper_tail
from assay.statistics.test_result import Setup
from assay.statistics.variance import two_way_anova


@joint_test("tukey", "Tukey's HSD after a two-way analysis of variance")
def tukey(table: Floats, setup: Setup) -> JointResult:
    """The difference of two means over the error that remains when units and systems are known."""
    analysis = two_way_anova(table)
    apart = mean_differences(table)
    error = math.sqrt(analysis.residual / analysis.units)
    q = np.where(apart == 0, 0.0, np.inf)
    np.divide(apart, error, out=q, where=np.full(q.shape, error > 0))
    p = upper_tail(q, analysis.systems, analysis.freedom)
    return JointResult("two-way ANOVA F", analysis.f_systems, analysis.p_systems, p, q)


def mean_differences(table: Floats) -> Floats:
    """How far apart the means of each two systems are; rounding is no difference."""
    mean = table.mean(axis=0)
    apart = np.abs(mean[:, None] - mean[None, :])
    return np.where(apart <= 1e-14 * np.abs(table).max(initial=0), 0.0, apart)
