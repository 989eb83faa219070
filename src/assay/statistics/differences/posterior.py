"""The chance, given the data, that a difference is above, within or below a margin."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import UsageError


class PosteriorProbabilities(NamedTuple):
    """The posterior probability of each of three cases, one for each column."""

    worse: Floats
    alike: Floats
    better: Floats


def posterior_probabilities(
    differences: Floats, margin: float = 0.0, correlation: float = 0.0
) -> PosteriorProbabilities:
    """Where the mean difference lies: below minus the margin, within it, or above it.

    The Bayesian correlated t-test with the prior that favours nothing: the mean follows Student's
    t around what was seen, with variance σ²(1/n + ρ/(1 - ρ)). Queries are independent, ρ = 0;
    folds share training items, and ρ is the share of items that is tested.
    """
    from scipy.special import stdtr

    if margin < 0 or not 0 <= correlation < 1:
        raise UsageError("a margin is not negative, and a correlation is from 0 to below 1")
    size = len(differences)
    mean = differences.mean(axis=0)
    if size < 2:
        unknown = np.full(len(mean), np.nan)
        return PosteriorProbabilities(unknown, unknown, unknown)
    variance = differences.var(axis=0, ddof=1) * (1 / size + correlation / (1 - correlation))
    scale = np.sqrt(variance)
    settled = scale == 0
    safe = np.where(settled, 1.0, scale)
    worse = np.where(settled, mean < -margin, stdtr(size - 1, (-margin - mean) / safe))
    better = np.where(settled, mean > margin, stdtr(size - 1, (mean - margin) / safe))
    if margin == 0:
        # Equal systems are neither better nor worse: a continuous posterior cannot say so itself.
        return PosteriorProbabilities(worse, np.where(settled & (mean == 0), 1.0, 0.0), better)
    return PosteriorProbabilities(worse, np.clip(1 - worse - better, 0, 1), better)
