"""Simulated values like those of a retrieval measure, and how often an interval holds the truth."""

from __future__ import annotations

import math

import numpy as np

from assay.statistics.bootstrap import Bootstrap
from assay.statistics.findings import Setup
from assay.statistics.intervals import mean_ends
from assay.statistics.paired.test import find

UNITS = (10, 25, 50, 100, 200)
METHODS = ("expanded", "t", "percentile", "bca")
SHAPES = {"means": (0.5, 1.5, 0.25), "differences": (0.5, 1.5, 0.0)}
"""Parameters of a beta distribution, skewed like average precision, and the true mean."""


def values(shape: str, units: int, samples: int, seed: int = 1) -> np.ndarray:
    """A column for each sample; differences are of two systems on the same units."""
    a, b, _ = SHAPES[shape]
    random = np.random.default_rng([seed, units])
    first = random.beta(a, b, size=(units, samples))
    if shape == "means":
        return first
    # The systems go together: a unit that is hard for one is hard for the other.
    second = np.where(random.random(first.shape) < 0.5, first, random.beta(a, b, first.shape))
    third = np.where(random.random(first.shape) < 0.5, first, random.beta(a, b, first.shape))
    return third - second


def coverage(shape: str, units: int, method: str, samples: int = 3000) -> float:
    """How often a 95 % interval holds the true mean."""
    columns = values(shape, units, samples)
    low, high = mean_ends(columns, Bootstrap(resamples=1000, method=method))
    truth = SHAPES[shape][2]
    assert not math.isnan(float(low.sum()))
    return float(np.mean((low <= truth) & (truth <= high)))


TESTS = ("t", "wilcoxon", "sign", "randomization", "bootstrap-t", "bootstrap")


def size(name: str, units: int, samples: int = 3000) -> float:
    """How often a two-sided test at the level 5 % finds a difference where there is none."""
    columns = values("differences", units, samples)
    return float(np.mean(find(name)(columns, Setup(permutations=1000)).p <= 0.05))
