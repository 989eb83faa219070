"""A joint Gaussian of features and target, from which missing inputs are integrated out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.selection.scaling import standard_scale

STEPS = 100
NEAR = 1e-8


@dataclass(frozen=True)
class JointGaussian:
    """Means and covariances of all features and, last, the target."""

    mean: Floats
    covariance: Floats
    center: Floats
    scale: Floats
    """What is subtracted from each column, and by what the rest is divided, before all else."""

    def predict(self, features: Floats) -> Floats:
        """Return the expected target given the features that are not missing."""
        missing_target = np.column_stack([features, np.full(len(features), np.nan)])
        scaled = (missing_target - self.center) / self.scale
        filled, _ = _expect(scaled, self.mean, self.covariance)
        return filled[:, -1] * self.scale[-1] + self.center[-1]


def fit_joint_gaussian(features: Floats, target: Floats) -> JointGaussian:
    """Learn a joint Gaussian from items with missing features, by expectation maximization."""
    raw = np.column_stack([features, target])
    center, scale = standard_scale(raw)
    data = (raw - center) / scale
    mean, covariance = np.zeros(len(center)), np.eye(len(center))
    for _ in range(STEPS):
        filled, missing_covariance = _expect(data, mean, covariance)
        new_mean = filled.mean(axis=0)
        away = filled - new_mean
        new = (away.T @ away + missing_covariance) / len(data)
        moved = np.abs(new - covariance).max()
        mean, covariance = new_mean, new
        if moved < NEAR:
            break
    return JointGaussian(mean, covariance, center, scale)


def _expect(data: Floats, mean: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Return the data with missing values at their expectation, and their summed covariance."""
    filled, added = data.copy(), np.zeros_like(covariance)
    patterns, places = np.unique(np.isnan(data), axis=0, return_inverse=True)
    for number, missing in enumerate(patterns):
        rows = np.flatnonzero(places.ravel() == number)
        if missing.any():
            weights, rest = _conditional(covariance, missing)
            away = data[np.ix_(rows, ~missing)] - mean[~missing]
            filled[np.ix_(rows, missing)] = mean[missing] + away @ weights.T
            added[np.ix_(missing, missing)] += len(rows) * rest
    return filled, added


def _conditional(covariance: Floats, missing: Bools) -> tuple[Floats, Floats]:
    """Return the weights of the known on the missing values, and what stays uncertain."""
    across = covariance[np.ix_(missing, ~missing)]
    weights = across @ np.linalg.pinv(covariance[np.ix_(~missing, ~missing)], hermitian=True)
    return weights, covariance[np.ix_(missing, missing)] - weights @ across.T
