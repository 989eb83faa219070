"""Learners of items of which few have a label: induction, transduction, and scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Bools, Floats, Ints
from assay.selection.learning.learners import make_estimator
from assay.selection.learning_tasks.transduction import partition

NEIGHBORS = 7
MOST_STEPS = 10_000
UNKNOWN = -1
Learn = Callable[[Floats, Ints, Bools], npt.NDArray[Any]]
"""Takes features, numbered labels and which items are labeled; returns the label of each item."""


def _induce(features: Floats, labels: Ints, labeled: Bools) -> npt.NDArray[Any]:
    """Train on the labeled items alone."""
    if len(np.unique(labels[labeled])) < 2:
        return np.full(len(labels), labels[labeled][0])
    model = make_estimator("logistic:1", "classification")
    answers: npt.NDArray[Any] = model.fit(features[labeled], labels[labeled]).predict(features)
    return answers


def _partition(features: Floats, labels: Ints, labeled: Bools) -> npt.NDArray[Any]:
    return partition(features, labels, labeled).labels


def _propagate(features: Floats, labels: Ints, labeled: Bools) -> npt.NDArray[Any]:
    from sklearn.semi_supervised import LabelPropagation

    count = min(NEIGHBORS, len(features) - 1)
    model = LabelPropagation(kernel="knn", n_neighbors=count, max_iter=MOST_STEPS)
    model.fit(features, np.where(labeled, labels, UNKNOWN))
    answers: npt.NDArray[Any] = model.transduction_
    return answers


def _train_itself(features: Floats, labels: Ints, labeled: Bools) -> npt.NDArray[Any]:
    from sklearn.semi_supervised import SelfTrainingClassifier

    if len(np.unique(labels[labeled])) < 2:
        return _induce(features, labels, labeled)
    model = SelfTrainingClassifier(make_estimator("logistic:1", "classification"))
    answers: npt.NDArray[Any] = model.fit(features, np.where(labeled, labels, UNKNOWN)).predict(
        features
    )
    return answers


LEARNERS: Mapping[str, Learn] = {
    "induction": _induce,
    "partitioning": _partition,
    "label-propagation": _propagate,
    "self-training": _train_itself,
}
"""Induction (logistic regression), the partitioning transduction, and scikit-learn's learners."""
