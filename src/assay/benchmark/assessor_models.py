"""How assessors come to their labels: Dawid and Skene, one coin, and MACE."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.benchmark.expectation_maximization import (
    TINY,
    ModelFit,
    ModelParameters,
    expected_label_counts,
    fit_model,
)
from assay.core.arrays import Floats, Ints, sum_at
from assay.evidence.views.rating_table import RatingTable


@dataclass(frozen=True)
class DawidSkene:
    """Each assessor has a confusion matrix of its own (Dawid and Skene 1979)."""

    smoothing: float = 0.01
    """Added to every count, so that nothing is impossible after few answers."""

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """Confusion matrices and classes from expected counts."""
        counts = expected_label_counts(ratings, posterior) + self.smoothing
        answers = counts / counts.sum(axis=2, keepdims=True)
        classes = posterior.mean(axis=0)
        right = np.einsum("j,rjj->r", classes, answers)
        return ModelParameters(
            classes, answers, self.smoothing * float(np.log(answers).sum()), right
        )


@dataclass(frozen=True)
class OneCoin:
    """Each assessor is right with one chance, whatever the class; else any other label."""

    smoothing: float = 1.0

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """One chance for each assessor."""
        size = len(ratings.labels)
        counts = expected_label_counts(ratings, posterior)
        right = np.trace(counts, axis1=1, axis2=2)
        given = counts.sum(axis=(1, 2))
        chance = (right + self.smoothing) / (given + 2 * self.smoothing)
        wrong = (1 - chance) / max(size - 1, 1)
        same = np.eye(size, dtype=bool)
        answers = np.where(same, chance[:, None, None], wrong[:, None, None])
        prior = self.smoothing * float((np.log(chance) + np.log(1 - chance)).sum())
        return ModelParameters(posterior.mean(axis=0), answers, prior, chance)


class Mace:
    """Each assessor knows the answer, or else guesses by habits of its own (Hovy and others 2013).

    A model holds the settings of its last step, from which the next one goes on.
    """

    def __init__(self, assessors: int, labels: int, seed: int, smoothing: float = 0.1) -> None:
        random = np.random.default_rng(seed)
        self.knows = random.uniform(0.3, 0.9, assessors)
        self.habits = random.dirichlet(np.full(labels, 5.0), assessors)
        self.smoothing = smoothing

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """Who knew and who guessed, from the chances of the last step."""
        who, said = ratings.assessor, ratings.code
        guessed = (1 - self.knows[who]) * self.habits[who, said]
        knew = self.knows[who] / np.maximum(self.knows[who] + guessed, TINY)
        knew = posterior[ratings.item, said] * knew
        size = len(ratings.assessors)
        given, known = sum_at(who, np.ones(len(who)), size), sum_at(who, knew, size)
        place = who * len(ratings.labels) + said
        habits = sum_at(place, 1 - knew, size * len(ratings.labels)).reshape(size, -1)
        self.knows = (known + self.smoothing) / (given + 2 * self.smoothing)
        self.habits = habits + self.smoothing
        self.habits /= self.habits.sum(axis=1, keepdims=True)
        return self.settings()

    def settings(self) -> ModelParameters:
        """The chances of answers that follow from knowing and guessing."""
        labels = self.habits.shape[1]
        answers = (1 - self.knows)[:, None, None] * self.habits[:, None, :]
        answers = answers + self.knows[:, None, None] * np.eye(labels)
        logs = np.log(self.knows).sum() + np.log1p(-self.knows).sum() + np.log(self.habits).sum()
        equal = np.full(labels, 1 / labels)
        return ModelParameters(equal, answers, self.smoothing * float(logs), self.knows)


def fit_mace(
    ratings: RatingTable, gold: Ints | None = None, restarts: int = 10, seed: int = 1
) -> ModelFit:
    """The best of several starts, since the likelihood has many hills."""
    fits = [
        fit_model(ratings, Mace(len(ratings.assessors), len(ratings.labels), seed + n), gold)
        for n in range(restarts)
    ]
    return max(fits, key=lambda each: each.objective[-1])
