"""Models of assessors, fitted by expectation maximization: Dawid and Skene, one coin, MACE.

A model says how likely an assessor gives each label to an item of each class. Labels and
reliabilities are estimated together. The objective is the likelihood times the prior that smooths
it; it never decreases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assay.core.arrays import Floats, Ints, sum_at
from assay.evidence.views.rating_table import RatingTable

TINY = 1e-300


@dataclass(frozen=True)
class ModelFit:
    """The probability of each class for each item, and the reliability of each assessor."""

    posterior: Floats
    """Item × class."""
    reliability: Floats
    """The probability that the assessor is right (for MACE: does not guess)."""
    answers: Floats
    """Assessor × class × label: the probability of each answer."""
    objective: tuple[float, ...]
    """The logarithm of the objective, at each step."""
    converged: bool


class AssessorModel(Protocol):
    """How assessors choose their labels."""

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """Return the parameters under which the expected classes are most likely."""


@dataclass(frozen=True)
class ModelParameters:
    """The parameters of a model after one step."""

    classes: Floats
    """The prevalence of each class."""
    answers: Floats
    """Assessor × class × label: the probability of each answer."""
    prior: float
    """The logarithm of the prior of these parameters."""
    reliability: Floats


def fit_model(
    ratings: RatingTable,
    model: AssessorModel,
    gold: Ints | None = None,
    *,
    start: Floats | None = None,
    steps: int = 500,
    tolerance: float = 1e-7,
) -> ModelFit:
    """Fit a model until no probability changes; ``gold`` has known classes, −1 for unknown."""
    posterior = _vote(ratings) if start is None else start
    posterior = _fix_gold_labels(posterior, gold)
    objective: list[float] = []
    for _ in range(steps):
        settings = model.maximize(ratings, posterior)
        fresh, likelihood = _expectation_step(ratings, settings, gold)
        objective.append(likelihood + settings.prior)
        change = float(np.abs(fresh - posterior).max(initial=0))
        posterior = fresh
        if change < tolerance:
            break
    parts = settings.reliability, settings.answers, tuple(objective)
    return ModelFit(posterior, *parts, converged=change < tolerance)


def _vote(ratings: RatingTable) -> Floats:
    """Return the share of the votes; equal shares for items without votes."""
    votes = ratings.counts.sum(axis=1, keepdims=True)
    equal = np.full_like(ratings.counts, 1 / len(ratings.labels))
    return np.divide(ratings.counts, votes, out=equal, where=votes > 0)


def _fix_gold_labels(posterior: Floats, gold: Ints | None) -> Floats:
    if gold is None:
        return posterior
    known = gold >= 0
    fixed = posterior.copy()
    fixed[known] = np.eye(posterior.shape[1])[gold[known]]
    return fixed


def _expectation_step(
    ratings: RatingTable, settings: ModelParameters, gold: Ints | None
) -> tuple[Floats, float]:
    """Return the probability of each class for each item, and the likelihood of all ratings."""
    said = np.log(np.maximum(settings.answers, TINY))
    joint = np.empty((len(ratings.items), len(ratings.labels)))
    for each in range(len(ratings.labels)):
        parts = said[ratings.assessor, each, ratings.code]
        joint[:, each] = sum_at(ratings.item, parts, len(ratings.items))
    joint += np.log(np.maximum(settings.classes, TINY))
    if gold is not None:
        wrong = (gold >= 0)[:, None] & (np.arange(len(ratings.labels)) != gold[:, None])
        joint[wrong] = -np.inf
    top = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - top)
    sums = scaled.sum(axis=1, keepdims=True)
    return scaled / sums, float((top + np.log(sums)).sum())


def expected_label_counts(ratings: RatingTable, posterior: Floats) -> Floats:
    """Return the expected count of each answer by assessor × class × label."""
    size = len(ratings.labels)
    table = np.empty((len(ratings.assessors), size, size))
    place = ratings.assessor * size + ratings.code
    for each in range(size):
        met = sum_at(place, posterior[ratings.item, each], len(ratings.assessors) * size)
        table[:, each] = met.reshape(-1, size)
    return table


@dataclass(frozen=True)
class DawidSkene:
    """Each assessor has its own confusion matrix (Dawid and Skene 1979)."""

    smoothing: float = 0.01
    """Added to every count, so that nothing is impossible after few answers."""

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """Return confusion matrices and classes from expected counts."""
        counts = expected_label_counts(ratings, posterior) + self.smoothing
        answers = counts / counts.sum(axis=2, keepdims=True)
        classes = posterior.mean(axis=0)
        right = np.einsum("j,rjj->r", classes, answers)
        return ModelParameters(
            classes, answers, self.smoothing * float(np.log(answers).sum()), right
        )


@dataclass(frozen=True)
class OneCoin:
    """Each assessor is right with one probability for all classes, else gives any other label."""

    smoothing: float = 1.0

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """Return one probability for each assessor."""
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
    """Each assessor knows the answer or guesses by its own habits (Hovy and others 2013).

    A model keeps the parameters of its last step, from which the next one continues.
    """

    def __init__(self, assessors: int, labels: int, seed: int, smoothing: float = 0.1) -> None:
        random = np.random.default_rng(seed)
        self.knows = random.uniform(0.3, 0.9, assessors)
        self.habits = random.dirichlet(np.full(labels, 5.0), assessors)
        self.smoothing = smoothing

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """Return who knew and who guessed, from the probabilities of the last step."""
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
        """Return the probabilities of answers that follow from knowing and guessing."""
        labels = self.habits.shape[1]
        answers = (1 - self.knows)[:, None, None] * self.habits[:, None, :]
        answers = answers + self.knows[:, None, None] * np.eye(labels)
        logs = np.log(self.knows).sum() + np.log1p(-self.knows).sum() + np.log(self.habits).sum()
        equal = np.full(labels, 1 / labels)
        return ModelParameters(equal, answers, self.smoothing * float(logs), self.knows)


def fit_mace(
    ratings: RatingTable, gold: Ints | None = None, restarts: int = 10, seed: int = 1
) -> ModelFit:
    """Return the best fit of several starts, since the likelihood has many local maxima."""
    fits = [
        fit_model(ratings, Mace(len(ratings.assessors), len(ratings.labels), seed + n), gold)
        for n in range(restarts)
    ]
    return max(fits, key=lambda each: each.objective[-1])
