"""Naive Bayes that leaves out the inputs that are missing, in training and in prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats

SMALLEST_SHARE = 1e-9
"""The variance that each feature has at least, as a share of the largest variance of a feature."""
PSEUDO_COUNT = 1.0
"""How often each category is counted before the first item."""


@dataclass(frozen=True)
class NaiveBayes:
    """P(class) and, for each class and feature, a Gaussian or the shares of the categories."""

    classes: npt.NDArray[Any]
    priors: Floats
    means: Floats
    variances: Floats
    shares: tuple[Floats | None, ...]
    """Classes × category for each categorical feature; None for numbers."""

    def log_joint(self, features: Floats) -> Floats:
        """Return log P(class) + Σ log P(x | class) over the features that are not missing.

        A missing feature adds nothing: the integral of its density over all its values is 1.
        """
        total = np.tile(np.log(self.priors), (len(features), 1))
        for place, column in enumerate(features.T):
            known = ~np.isnan(column)
            shares = self.shares[place]
            if shares is not None:
                total[known] += np.log(shares[:, column[known].astype(np.int64)]).T
                continue
            variance, away = self.variances[:, place], column[known, None] - self.means[:, place]
            total[known] -= 0.5 * (np.log(2 * np.pi * variance) + away**2 / variance)
        return total

    def probabilities(self, features: Floats) -> Floats:
        """Return P(class | the features that are not missing), a row for each item."""
        joint = self.log_joint(features)
        odds = np.exp(joint - joint.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def predict(self, features: Floats) -> npt.NDArray[Any]:
        """Return the most probable class of each item."""
        return self.classes[np.argmax(self.log_joint(features), axis=1)]


def fit_naive_bayes(
    features: Floats, target: npt.NDArray[Any], category_counts: Sequence[int] | None = None
) -> NaiveBayes:
    """Learn P(class) and P(x | class); a missing value is ignored for its feature alone.

    A class in which a feature is always missing has the distribution of all classes together.
    ``category_counts`` has the number of categories of each feature, which are numbered from 0; it
    is 0 for numbers.
    """
    classes, codes = np.unique(target, return_inverse=True)
    counts = category_counts or [0] * features.shape[1]
    kinds = np.array(counts) > 0
    size = (len(classes), features.shape[1])
    means, variances = np.zeros(size), np.ones(size)
    shares: list[Floats | None] = []
    numbers = features[:, ~kinds]
    spread = np.nanvar(numbers, axis=0).max() if numbers.shape[1] else 0.0
    floor = SMALLEST_SHARE * (spread or 1.0)
    for place, column in enumerate(features.T):
        known = ~np.isnan(column)
        own = [column[known & (codes == code)] for code in range(len(classes))]
        own = [each if len(each) else column[known] for each in own]
        if kinds[place]:
            seen = [np.bincount(each.astype(np.int64), minlength=counts[place]) for each in own]
            counted = np.array(seen) + PSEUDO_COUNT
            shares.append(counted / counted.sum(axis=1, keepdims=True))
        else:
            means[:, place] = [each.mean() for each in own]
            variances[:, place] = [each.var() + floor for each in own]
            shares.append(None)
    return NaiveBayes(classes, np.bincount(codes) / len(codes), means, variances, tuple(shares))
