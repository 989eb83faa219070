"""Equivalence and non-inferiority: whether a difference is surely smaller than a margin."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError


def tost_p_value(differences: Floats, margin: float) -> Floats:
    """The p-value of two one-sided t-tests (TOST): small if the mean lies within the margin."""
    if not margin > 0:
        raise UsageError(f"equivalence needs a margin above 0, not {margin:g}")
    low = _one_sided(differences, -margin)
    high = _one_sided(-differences, -margin)
    return np.maximum(low, high)


def non_inferiority_p_value(differences: Floats, margin: float) -> Floats:
    """The p-value of a one-sided t-test: small if the mean is surely above minus the margin."""
    return _one_sided(differences, -margin)


def _one_sided(differences: Floats, bound: float) -> Floats:
    """Of the mean being at most the bound; differences that are all equal settle it."""
    from scipy.special import stdtr

    size = len(differences)
    mean = differences.mean(axis=0)
    if size < 2:
        return np.full(len(mean), math.nan)
    error = differences.std(axis=0, ddof=1) / math.sqrt(size)
    beyond = mean - bound
    t = np.zeros(len(mean))
    np.divide(beyond, error, out=t, where=error > 0)
    p = stdtr(size - 1, -t)
    settled = np.where(beyond > 0, 0.0, 1.0)
    return np.where(error > 0, p, settled)


def lower_bound(differences: Floats, confidence: float) -> Floats:
    """What the mean difference is surely not below: the one-sided bound by Student's t."""
    from scipy.special import stdtrit

    size = len(differences)
    if size < 2:
        return np.full(differences.shape[1], math.nan)
    error = differences.std(axis=0, ddof=1) / math.sqrt(size)
    return differences.mean(axis=0) - stdtrit(size - 1, confidence) * error
