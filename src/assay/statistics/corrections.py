"""Corrections for having tested many differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError, did_you_mean


def adjust_p_values(p: Floats, correction: str) -> Floats:
    """The p-values of one family, corrected; those that are NaN stay NaN and do not count."""
    if correction not in CORRECTIONS:
        raise UsageError(
            f"there is no correction '{correction}' (there are {', '.join(CORRECTIONS)})."
            + did_you_mean(correction, CORRECTIONS)
        )
    result = np.array(p, dtype=np.float64)
    known = ~np.isnan(result)
    order = np.argsort(result[known], kind="stable")
    rising = CORRECTIONS[correction](result[known][order])
    back = np.empty_like(rising)
    back[order] = np.minimum(rising, 1.0)
    result[known] = back
    return result


def _none(p: Floats) -> Floats:
    return p


def _bonferroni(p: Floats) -> Floats:
    return p * len(p)


def _holm(p: Floats) -> Floats:
    return np.maximum.accumulate(p * np.arange(len(p), 0, -1))


def _hochberg(p: Floats) -> Floats:
    return _step_up(p * np.arange(len(p), 0, -1))


def _benjamini_hochberg(p: Floats) -> Floats:
    return _step_up(p * len(p) / np.arange(1, len(p) + 1))


def _benjamini_yekutieli(p: Floats) -> Floats:
    harmonic = (1 / np.arange(1, len(p) + 1)).sum()
    return _step_up(p * len(p) * harmonic / np.arange(1, len(p) + 1))


def _step_up(p: Floats) -> Floats:
    return np.minimum.accumulate(p[::-1])[::-1]


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "hochberg": _hochberg,
    "bonferroni": _bonferroni,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
    "none": _none,
}
"""Sorted p-values to corrected ones. holm, hochberg and bonferroni bound the chance of any false
finding (hochberg only for independent or positively dependent tests); bh and by the expected share
of false ones among the findings."""
