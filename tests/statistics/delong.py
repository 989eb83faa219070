"""DeLong's test of two areas under the ROC curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.statistics.significance_tests import Significance


def delong_test(truth: Any, first: Any, second: Any) -> Significance:
    """Test whether two scores of the same items have different areas, second minus first.

    ``truth`` is 1 for positive items.
    """
    positive = np.asarray(truth).astype(bool)
    scores = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    if positive.sum() < 2 or (~positive).sum() < 2:
        raise DataError(
            "two areas can be compared with two positive and two negative items or more"
        )
    of_positives, of_negatives = _placements(scores, positive)
    difference = float(np.diff(of_positives.mean(axis=1))[0])
    apart = [np.diff(each, axis=0)[0] for each in (of_positives, of_negatives)]
    variance = sum(float(each.var(ddof=1)) / len(each) for each in apart)
    if variance <= 0:
        return Significance(0.0 if difference == 0 else math.inf, 1.0 if difference == 0 else 0.0)
    z = difference / math.sqrt(variance)
    return Significance(z, math.erfc(abs(z) / math.sqrt(2)))


def _placements(scores: Floats, positive: Any) -> tuple[Floats, Floats]:
    """Return the placement of each positive and of each negative item, for each score."""
    from scipy.stats import rankdata

    n = int(positive.sum())
    m = len(positive) - n
    whole = rankdata(scores, axis=1)
    own = rankdata(scores[:, positive], axis=1)
    others = rankdata(scores[:, ~positive], axis=1)
    beaten = (whole[:, positive] - own) / m
    above = 1 - (whole[:, ~positive] - others) / n
    return beaten, above
