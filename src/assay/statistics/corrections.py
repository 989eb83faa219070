"""Corrections of p-values for the number of tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import unknown_name


def adjust_p_values(p: Floats, correction: str) -> Floats:
    """Return the corrected p-values of one family; those that are NaN stay NaN and do not count."""
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    result = np.array(p, dtype=np.float64)
    known = ~np.isnan(result)
    order = np.argsort(result[known], kind="stable")
    rising = CORRECTIONS[correction](result[known][order])
    back = np.empty_like(rising)
    back[order] = np.minimum(rising, 1.0)
    result[known] = back
    return result


def _benjamini_yekutieli(p: Floats) -> Floats:
    harmonic = (1 / np.arange(1, len(p) + 1)).sum()
    return _step_up(p * len(p) * harmonic / np.arange(1, len(p) + 1))


def _step_up(p: Floats) -> Floats:
    return np.minimum.accumulate(p[::-1])[::-1]


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "hochberg": lambda p: _step_up(p * np.arange(len(p), 0, -1)),
    "bonferroni": lambda p: p * len(p),
    "bh": lambda p: _step_up(p * len(p) / np.arange(1, len(p) + 1)),
    "by": _benjamini_yekutieli,
    "none": lambda p: p,
}
"""Sorted p-values to corrected ones. holm, hochberg and bonferroni control the family-wise error
rate (hochberg only for independent or positively dependent tests), bh and by the false discovery
rate."""
