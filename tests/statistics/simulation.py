"""Simulated values like those of a retrieval measure, and how often an interval holds the truth."""

from __future__ import annotations

import math

import numpy as np

from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.intervals.ratio_intervals import bound_interval
from assay.statistics.intervals.unit_intervals import mean_ends
from assay.statistics.significance_tests import ComparisonSettings, find_test, paired_tests

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


NULLS = ("normal", "differences", "heavy")
"""Differences of systems that could be exchanged: normal, of a skewed measure, with heavy tails."""
TESTS = tuple(
    name
    for name, test in paired_tests().items()
    if not name.startswith(("mcnemar", "5x2", "corrected")) and not test.least_units
)
"""The tests of differences of any kind; those with a warning below so many units stand apart."""


SAMPLES = 3000
"""How many samples a size is counted over."""


def without_difference(shape: str, units: int, samples: int = SAMPLES) -> np.ndarray:
    """A column for each sample of differences whose mean is 0."""
    random = np.random.default_rng([7, units])
    if shape == "normal":
        return random.normal(size=(units, samples))
    if shape == "heavy":
        return random.standard_t(3, size=(units, samples))
    return values("differences", units, samples)


def size(name: str, units: int, shape: str, alternative: str = "two-sided") -> float:
    """How often a test at the level 5 % finds a difference where there is none."""
    columns = without_difference(shape, units)
    setup = ComparisonSettings(alternative=alternative, permutations=1000)
    return float(np.mean(find_test(name)(columns, setup).p <= 0.05))


def attainable_size(name: str, columns: np.ndarray, alternative: str) -> float:
    """The most that a test of signs, or of signed ranks, can reach below 5 %.

    It depends on how many differences of a sample are not 0: the mean over the samples.
    """
    counts, often = np.unique(np.count_nonzero(columns, axis=0), return_counts=True)
    level = 0.05 / (2 if alternative == "two-sided" else 1)
    sizes = []
    for count in counts:
        cases = np.ones(1)
        for rank in range(1, count + 1):
            step = 1 if name == "sign" else rank
            cases = np.append(cases, np.zeros(step)) + np.append(np.zeros(step), cases)
        tails = np.cumsum(cases) / 2.0**count
        sizes.append(max(tails[tails <= level], default=0.0) * 0.05 / level)
    return float(np.average(sizes, weights=often))


def largest_size(name: str, units: int) -> float:
    """The size of the two-sided test where it is largest."""
    return max(size(name, units, shape) for shape in NULLS)


FEW = tuple(range(2, 11))
"""Numbers of units that are too few for resampling."""
KINDS = ("normal", "exponential", "skewed share", "0-1, .5", "0-1, .2", "0-1, .9")


def few_values(kind: str, units: int, seed: int, samples: int) -> tuple[np.ndarray, float]:
    """A column for each sample of a kind of values, and their true mean."""
    random = np.random.default_rng([seed, units])
    if kind == "normal":
        return random.normal(size=(units, samples)), 0.0
    if kind == "exponential":
        return random.exponential(size=(units, samples)), 1.0
    if kind == "log-normal":
        return random.lognormal(size=(units, samples)), math.exp(0.5)
    if kind == "skewed share":
        return random.beta(0.5, 1.5, size=(units, samples)), 0.25
    share = float(kind.split()[-1])
    return (random.random((units, samples)) < share).astype(float), share


def few_coverage(kind: str, units: int, seed: int, samples: int = 2000) -> float:
    """How often the default 95 % interval of a mean of few units holds the true mean."""
    columns, truth = few_values(kind, units, seed, samples)
    bounds = (
        (-math.inf, math.inf) if kind in ("normal", "exponential", "log-normal") else (0.0, 1.0)
    )
    low, high = mean_ends(columns, Bootstrap(), None, bounds)
    for place in np.flatnonzero(np.ptp(columns, axis=0) == 0):
        low[place], high[place], _ = bound_interval(columns[0, place], units, bounds, 0.95)
    assert not np.isnan(low).any()
    return float(np.mean((low <= truth) & (truth <= high)))
