"""Random small tables of predictions: rare classes, weights, ties, extreme probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True)
class Predictions:
    """The predictions of one case, for all kinds of measures."""

    seed: int
    classes: list[str]
    truth: list[str]
    answer: list[str]
    weight: Array
    binary: Array
    score: Array
    shares: Array
    """A row for each item, a column for each class."""
    value: Array
    estimate: Array
    group: list[int]
    cluster: list[int]
    points: Array

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.truth)

    @property
    def tied_shares(self) -> bool:
        """Whether two classes of an item have the same probability."""
        return any(len(set(row)) < len(row) for row in self.shares.tolist())


def draw_predictions(seed: int) -> Predictions:
    """Return a case; every third has probabilities 0 and 1, every tenth a constant truth."""
    random = np.random.default_rng(seed)
    size, classes = int(random.integers(2, 25)), list("abcd")[: random.integers(2, 5)]
    truth = random.choice(classes, size)
    answer = np.where(random.random(size) < 0.5, truth, random.choice(classes, size))
    binary = np.append(random.integers(0, 2, size - 2), [0, 1])
    shares = random.dirichlet(np.ones(len(classes)), size)
    if seed % 3 == 0:
        shares = np.eye(len(classes))[random.integers(0, len(classes), size)]
    value = random.integers(-3, 6, size).astype(float)
    if seed % 10 == 0:
        value[:] = 2.0
    group, cluster = random.integers(0, 4, size), random.integers(0, 3, size)
    if seed % 20 == 0:
        group[:] = 0
    if seed % 33 == 0:
        cluster = np.arange(size)
    return Predictions(
        seed,
        classes,
        truth.tolist(),
        answer.tolist(),
        random.integers(1, 4, size).astype(float) if seed % 2 else np.ones(size),
        binary,
        random.integers(0, 8, size) / 7,
        shares,
        value,
        value + random.normal(size=size).round(2),
        group.tolist(),
        cluster.tolist(),
        random.normal(size=(size, 2)).round(2),
    )
