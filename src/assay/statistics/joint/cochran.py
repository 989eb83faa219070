"""Cochran's Q for decisions, with McNemar's test for the pairs."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.statistics.corrections import adjust_p_values
from assay.statistics.paired.mcnemar import exact_ends, mcnemar
from assay.statistics.significance_tests import (
    ComparisonSettings,
    JointResult,
    Significance,
    joint_test,
)


@joint_test("cochran", "Cochran's Q, with McNemar's exact test and Holm's correction for the pairs")
def cochran(table: Floats, settings: ComparisonSettings) -> JointResult:
    """Test whether any system is correct more often than the others, and which."""
    whole = cochran_q(table)
    first, second = np.triu_indices(table.shape[1], 1)
    differences = table[:, second] - table[:, first]
    found = mcnemar(differences, settings)
    corrected = adjust_p_values(found.p, "holm")
    # Holm's correction leaves to each pair the level at which it is rejected.
    ends = exact_ends(differences, settings, 1 - settings.level * found.p / corrected)
    pairs, (statistic, low, high) = (
        np.ones((table.shape[1],) * 2),
        np.zeros((3, *table.shape[1:] * 2)),
    )
    pairs[first, second] = pairs[second, first] = corrected
    statistic[first, second] = statistic[second, first] = found.statistic
    low[first, second], high[first, second] = ends
    low[second, first], high[second, first] = -ends[1], -ends[0]
    title = "Clopper-Pearson's of the discordant items, at the level that Holm's correction leaves"
    return JointResult("Cochran's Q", whole.statistic, whole.p, pairs, statistic, low, high, title)


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
