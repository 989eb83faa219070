"""Randomised Tukey HSD: the range of means after exchanging systems within units."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, blocks
from assay.statistics.findings import Setup
from assay.statistics.joint.test import Joint, joint_test
from assay.statistics.joint.tukey import differences_of
from assay.statistics.paired.randomization import TOLERANCE
from assay.statistics.variance import two_way


@joint_test("randomised-tukey", "randomised Tukey HSD", seeded=True)
def randomised_tukey(table: Floats, setup: Setup) -> Joint:
    """The share of random exchanges of all systems within units whose means reach as far apart.

    p = (b + 1)/(m + 1).
    """
    ranges = np.sort(_ranges(table, setup))
    apart = differences_of(table)
    slack = TOLERANCE * float(np.abs(table).mean(axis=0).max(initial=0))
    reached = len(ranges) - np.searchsorted(ranges, apart - slack, side="left")
    p = (reached + 1) / (len(ranges) + 1)
    analysis = two_way(table)
    np.fill_diagonal(p, 1.0)
    return Joint("two-way ANOVA F", analysis.f_systems, analysis.p_systems, p, apart)


def _ranges(table: Floats, setup: Setup) -> Floats:
    random = np.random.default_rng(setup.seed)
    found = []
    done = 0
    for rows in blocks(setup.permutations, table.size):
        drawn = random.permuted(np.broadcast_to(table, (rows, *table.shape)), axis=2)
        found.append(np.ptp(drawn.mean(axis=1), axis=1))
        done += rows
        setup.progress(done, setup.permutations)
    return np.concatenate(found)
