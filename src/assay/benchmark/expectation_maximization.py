"""Labels and the reliability of assessors at once, by expectation and maximisation.

A model says how likely an assessor gives each label to an item of each class. What is maximised
is the likelihood times the prior that smooths it; it never falls.
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
    """What came of it: the chance of each class for each item, and who can be relied on."""

    posterior: Floats
    """Item × class."""
    reliability: Floats
    """The chance that the assessor is right (for MACE: that it does not guess)."""
    objective: tuple[float, ...]
    """The logarithm of what is maximised, at each step."""
    converged: bool


class AssessorModel(Protocol):
    """How assessors come to their labels."""

    def maximize(self, ratings: RatingTable, posterior: Floats) -> ModelParameters:
        """The settings under which the expected classes are likeliest."""


@dataclass(frozen=True)
class ModelParameters:
    """The parameters of a model after one step."""

    classes: Floats
    """The commonness of each class."""
    answers: Floats
    """Assessor × class × label: the chance of each answer."""
    prior: float
    """The logarithm of the prior of these settings."""
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
    """Steps until no chance changes; ``gold`` holds the known class of items, −1 for unknown."""
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
            return ModelFit(posterior, settings.reliability, tuple(objective), True)
    return ModelFit(posterior, settings.reliability, tuple(objective), False)


def _vote(ratings: RatingTable) -> Floats:
    """The share of the votes, and equal chances where nobody voted."""
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
    """The chance of each class for each item, and the likelihood of all that was said."""
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
    """Assessor × class × label: how often each answer is expected to have met each class."""
    size = len(ratings.labels)
    table = np.empty((len(ratings.assessors), size, size))
    place = ratings.assessor * size + ratings.code
    for each in range(size):
        met = sum_at(place, posterior[ratings.item, each], len(ratings.assessors) * size)
        table[:, each] = met.reshape(-1, size)
    return table
