"""One label from several by counting: majority, median, mean, minimum."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, Ints, ratio
from assay.evidence.views.rating_table import RatingTable


def label_shares(ratings: RatingTable) -> Floats:
    """Item × label: the share of the assessors that gave it."""
    return ratio(ratings.counts, ratings.counts.sum(axis=1, keepdims=True))


def majority_labels(ratings: RatingTable) -> Ints:
    """The label that most gave; of several, the lowest."""
    return np.argmax(ratings.counts, axis=1)


def median_labels(ratings: RatingTable) -> Ints:
    """The label in the middle; of two, the lower."""
    reached = np.cumsum(ratings.counts, axis=1)
    return np.argmax(2 * reached >= reached[:, -1:], axis=1)


def minimum_labels(ratings: RatingTable) -> Ints:
    """The lowest label that anyone gave."""
    return np.argmax(ratings.counts > 0, axis=1)


def mean_labels(ratings: RatingTable) -> Floats:
    """The mean of the labels, which must be numbers."""
    return ratio(ratings.counts @ ratings.numbers(), ratings.counts.sum(axis=1))
