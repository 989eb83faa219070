"""Cochran's Q for decisions, with McNemar's test for the pairs."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.statistics.paired.mcnemar import mcnemar
from assay.statistics.significance_tests import (
    ComparisonSettings,
    JointResult,
    Significance,
    adjust_p_values,
    joint_test,
)


@joint_test("cochran", "Cochran's Q, with McNemar's exact test and Holm's correction for the pairs")
def cochran(table: Floats, settings: ComparisonSettings) -> JointResult:
    """Test whether any system is correct more often than the others, and which."""
    whole = cochran_q(table)
    first, second = np.triu_indices(table.shape[1], 1)
    found = mcnemar(table[:, second] - table[:, first], settings)
    pairs = np.ones((table.shape[1],) * 2)
    statistic = np.zeros_like(pairs)
    pairs[first, second] = pairs[second, first] = adjust_p_values(found.p, "holm")
    statistic[first, second] = statistic[second, first] = found.statistic
    return JointResult("Cochran's Q", whole.statistic, whole.p, pairs, statistic)


def cochran_q(table: Floats) -> Significance:
    """Return Q and its p-value for a table of items × systems of 0 and 1."""
    from scipy.special import chdtrc

    if not np.isin(table, (0, 1)).all():
        raise DataError("Cochran's Q is for values that are 0 or 1, right or wrong; these are not")
    systems = table.shape[1]
    by_system, by_item = table.sum(axis=0), table.sum(axis=1)
    total = table.sum()
    bottom = systems * total - (by_item**2).sum()
    if not bottom:
        return Significance(0.0, 1.0)
    statistic = float((systems - 1) * (systems * (by_system**2).sum() - total**2) / bottom)
    return Significance(statistic, float(chdtrc(systems - 1, statistic)))
