"""How often intervals of numbers of dependent items cover the true value, by simulation.

A population draws a data set of so many items. The true value of a number is its mean over many
data sets of that size; that of the stability is the mean over many pairs of samples of the items.
Populations are other ones than those on which the method was chosen (decision 2401).

python -m tests.selection.learning.interval_coverage     the table of the handbook
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.selection.learning_tasks.assumptions import check_assumptions
from assay.selection.learning_tasks.cluster_counts import clusters
from assay.selection.learning_tasks.cluster_criteria import stability
from assay.selection.learning_tasks.draw_intervals import draw_interval
from assay.selection.learning_tasks.embedding_quality import (
    draw_samples,
    item_measures,
    principal_components,
    sample_places,
    whole_results,
)
from assay.selection.learning_tasks.item_table import read_item_table
from assay.selection.learning_tasks.task_result import unit_scores
from assay.selection.scaling import standardize
from assay.statistics.intervals.interval_settings import NO_WIDTH
from assay.statistics.intervals.unit_intervals import Bootstrap

Random = np.random.Generator
Data = tuple[Any, Any]
Found = dict[str, tuple[float, float, float]]
"""Value, low and high end by the name of a number."""
SIZES = (100, 300)
DATA_SETS = {100: 240, 300: 140}
REPEATS = {100: 400, 300: 240}
"""Data sets whose mean is the true value."""
NEIGHBORS = 5
COUNTS = (2, 3, 4)


def skewed(random: Random, size: int) -> Data:
    """Log-normal features, by which two classes differ unequally."""
    y = random.integers(0, 2, size)
    logs = 0.7 * random.normal(size=(size, 4)) + y[:, None] * [1, 0.6, 0.3, 0]
    return np.exp(logs), y


def unequal(random: Random, size: int) -> Data:
    """Four groups of unequal size and spread in two dimensions."""
    y = random.choice(4, size, p=[0.5, 0.25, 0.15, 0.1])
    centers = np.array([[0, 0], [4, 0], [0, 4], [5, 5]])
    spread = np.array([1.3, 0.8, 0.6, 0.4])[y][:, None]
    return random.normal(size=(size, 2)) * spread + centers[y], y


def tails(random: Random, size: int) -> Data:
    """Three groups of Student's t with 5 degrees of freedom in five dimensions."""
    y = random.integers(0, 3, size)
    return random.standard_t(5, size=(size, 5)) + 3 * np.eye(3, 5)[y], y


def ring(random: Random, size: int) -> Data:
    """A ring around a disk, in three dimensions with noise."""
    y, turn = random.integers(0, 2, size), 2 * np.pi * random.random(size)
    radius = np.where(y == 0, 0.5, 2.0)
    places = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(size)])
    return places + 0.4 * random.normal(size=(size, 3)), y


POPULATIONS: Mapping[str, Callable[[Random, int], Data]] = {
    "skewed": skewed,
    "unequal": unequal,
    "tails": tails,
    "ring": ring,
}


def in_one_thread(function: Callable[..., dict[str, float]]) -> Callable[..., dict[str, float]]:
    """Let scikit-learn use one thread: on so few items several only wait for each other."""

    @wraps(function)
    def limited(*arguments: Any) -> dict[str, float]:
        import sklearn.cluster  # noqa: F401 (only threads of loaded libraries are limited)
        from threadpoolctl import threadpool_limits

        with threadpool_limits(limits=1):
            return function(*arguments)

    return limited


def _pca(matrix: Any) -> Any:
    from sklearn.decomposition import PCA

    return PCA(min(2, matrix.shape[1] - 1)).fit_transform(matrix)


def _reduction(data: Data, interval: Bootstrap | None) -> Found:
    table = read_item_table(data[0], data[1], None, "classification")
    matrix = standardize(table.matrix())
    places = {"pca": _pca(matrix)}
    near, halves = (
        sample_places(matrix, places, samples, {"pca": _pca})
        for samples in draw_samples(matrix, NEIGHBORS, interval, 1)
    )
    columns = item_measures(table, matrix, places, (NEIGHBORS, 1), near, lambda text: None)
    results = [*unit_scores(columns, table.items, None, interval).results]
    results += whole_results("pca", matrix, places["pca"], halves, interval)
    found = {
        each.measure: (each.value, each.low, each.high) for each in results if each.system == "pca"
    }
    first = principal_components(matrix, halves, interval).row(0, named=True)
    return found | {"first component": (first["share"], first["low"], first["high"])}


def _assumptions(data: Data, interval: Bootstrap | None) -> Found:
    rows = check_assumptions(standardize(data[0]), data[1], interval, 1).iter_rows(named=True)
    return {row["assumption"]: (row["value"], row["low"], row["high"]) for row in rows}


def _clusters(data: Data, interval: Bootstrap | None) -> Found:
    made = clusters(data[0], counts=COUNTS, rounds=20 if interval else 5, interval=interval)
    return {
        f"{row['criterion']}, k = {row['k']}": (row["value"], row["low"], row["high"])
        for row in made.criteria.iter_rows(named=True)
        if row["criterion"] != "stability"
    }


PARTS = (_reduction, _assumptions, _clusters)


@in_one_thread
def coverage(population: str, size: int, data_sets: int, repeats: int) -> dict[str, float]:
    """Return the share of data sets whose interval covers the true value, by number."""
    draw = POPULATIONS[population]
    random = np.random.default_rng([size, len(population), sum(map(ord, population))])
    shares = {}
    for part in PARTS:
        values = [part(draw(random, size), None) for _ in range(repeats)]
        made = [part(draw(random, size), Bootstrap()) for _ in range(data_sets)]
        for name in values[0]:
            truth = np.mean([each[name][0] for each in values])
            ends = np.array([each[name][1:] for each in made])
            shares[name] = float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())
    return shares


@in_one_thread
def stability_coverage(population: str, size: int) -> dict[str, float]:
    """Return how often the interval of 20 pairs covers the mean of 600 pairs, by clusters."""
    random = np.random.default_rng([size, 5])
    covered: dict[str, list[bool]] = {}
    for _ in range(10):
        scaled = standardize(POPULATIONS[population](random, size)[0])
        for k in COUNTS:
            pairs = stability(scaled, k, 600, 1)
            own = covered.setdefault(f"stability, k = {k}", [])
            own += covered_by_draws(pairs, 20, (-1.0, 1.0))
    return {name: float(np.mean(own)) for name, own in covered.items()}


def covered_by_draws(values: Floats, size: int, bounds: tuple[float, float]) -> list[bool]:
    """Return for each group of draws whether its interval covers the mean of all draws."""
    found = [draw_interval(part, Bootstrap(), bounds) for part in values.reshape(-1, size)]
    mean = values.mean()
    return [low <= mean <= high for low, high, method in found if method != NO_WIDTH]


if __name__ == "__main__":
    for name in sys.argv[1:] or POPULATIONS:
        for size in SIZES:
            shares = coverage(name, size, DATA_SETS[size], REPEATS[size])
            shares |= stability_coverage(name, size)
            for number, share in shares.items():
                sys.stdout.write(f"{name} | {size} | {number} | {share:.3f}\n")
