"""Randomised Tukey HSD: the range of means after exchanging systems within units."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, row_blocks
from assay.statistics.joint.joint_test import JointResult, joint_test
from assay.statistics.joint.tukey import mean_differences
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.test_result import Setup
from assay.statistics.variance import two_way_anova


@joint_test("randomised-tukey", "randomised Tukey HSD", seeded=True)
def randomized_tukey(table: Floats, setup: Setup) -> JointResult:
    """The share of random exchanges of all systems within units whose means reach as far apart.

    p = (b + 1)/(m + 1).
    """
    ranges = np.sort(_ranges(table, setup))
    apart = mean_differences(table)
    slack = TOLERANCE * float(np.abs(table).mean(axis=0).max(initial=0))
    reached = len(ranges) - np.searchsorted(ranges, apart - slack, side="left")
    p = (reached + 1) / (len(ranges) + 1)
    analysis = two_way_anova(table)
    np.fill_diagonal(p, 1.0)
    return JointResult("two-way ANOVA F", analysis.f_systems, analysis.p_systems, p, apart)


def _ranges(table: Floats, setup: Setup) -> Floats:
    random = np.random.default_rng(setup.seed)
    found = []
    done = 0
    for rows in row_blocks(setup.permutations, table.size):
        drawn = random.permuted(np.broadcast_to(table, (rows, *table.shape)), axis=2)
        found.append(np.ptp(drawn.mean(axis=1), axis=1))
        done += rows
        setup.progress(done, setup.permutations)
    return np.concatenate(found)
