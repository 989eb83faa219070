"""What ``assay.learn`` offers: curves of capacity and size, bias and variance, the bootstrap."""

from __future__ import annotations

from typing import Any

from assay.selection.curves.capacity_curve import CapacityCurve, capacity_curve
from assay.selection.curves.learning_curve import LearningCurve, learning_curve
from assay.selection.curves.loss_curve import LossCurve, loss_curve, read_losses
from assay.selection.curves.ranker_curve import ranker_capacity, ranker_curve
from assay.selection.decomposition.bias_variance import BiasVariance
from assay.selection.decomposition.bias_variance import bias_variance as decompose
from assay.selection.decomposition.bootstrap_estimates import (
    BootstrapEstimates,
    bootstrap_estimates,
)
from assay.selection.learning.training_data import TrainingData, from_arrays, read_training_data
from assay.selection.learning_tasks.cluster_counts import clusters
from assay.selection.learning_tasks.densities import density
from assay.selection.learning_tasks.gradient_descent import regression
from assay.selection.learning_tasks.map_quality import som
from assay.selection.learning_tasks.missing_input import missing
from assay.selection.learning_tasks.outliers import outliers
from assay.selection.learning_tasks.preparation import preparation
from assay.selection.learning_tasks.reduction import reduction
from assay.selection.learning_tasks.semi_supervised import semisupervised

__all__ = [
    "bias_variance",
    "bootstrap",
    "capacity",
    "clusters",
    "curve",
    "density",
    "loss",
    "missing",
    "outliers",
    "preparation",
    "ranker_capacity",
    "ranker_curve",
    "reduction",
    "regression",
    "semisupervised",
    "som",
]


def capacity(learner: str, data: Any, target: Any, **options: Any) -> CapacityCurve:
    """Return training and validation error against the capacity of a learner.

    ``data`` is a table with the column ``target``, or an array of features with an array of
    targets. Options: ``features`` and ``task``, and ``values``, ``folds``, ``loss``, ``seed``.
    """
    return capacity_curve(learner, _read(data, target, options), **options)


def curve(learner: Any, data: Any, target: Any, **options: Any) -> LearningCurve:
    """Return training and validation error against the number of training items.

    ``learner`` is a name with its capacity, as ``tree:4``, or a scikit-learn estimator. Options:
    ``features`` and ``task``, and ``sizes``, ``folds``, ``loss``, ``seed``.
    """
    return learning_curve(learner, _read(data, target, options), **options)


def loss(data: Any, learner: Any = None, target: Any = None, **options: Any) -> LossCurve:
    """Return training and validation loss against the iterations of a learner.

    ``data`` is a table with the columns iteration, train and validation. With a ``learner``, an
    estimator that has ``staged_predict`` or ``partial_fit``, it is the data to train on, with the
    ``target``. Options then: ``features`` and ``task``, ``iterations``, ``folds``, ``loss``,
    ``seed``.
    """
    if learner is None:
        return read_losses(data)
    return loss_curve(learner, _read(data, target, options), **options)


def bias_variance(
    learner: Any, data: Any, target: Any, test: Any, test_target: Any = None, **options: Any
) -> BiasVariance:
    """Decompose the error of a learner on test data into bias, variance and noise.

    ``test`` is a table with the columns of ``data``, or features with ``test_target``. Options:
    ``features`` and ``task``, and ``loss``, ``rounds``, ``truth``, ``seed``.
    """
    trained = _read(data, target, options)
    answers = target if test_target is None else test_target
    tested = (
        read_training_data(test, answers, like=trained)
        if isinstance(answers, str)
        else from_arrays(test, answers, like=trained)
    )
    return decompose(learner, trained, tested, **options)


def bootstrap(learner: Any, data: Any, target: Any, **options: Any) -> BootstrapEstimates:
    """Estimate the error of a learner by the bootstrap: out-of-bag, .632 and .632+.

    Options: ``features`` and ``task``, and ``loss``, ``rounds``, ``seed``.
    """
    return bootstrap_estimates(learner, _read(data, target, options), **options)


def _read(data: Any, target: Any, options: dict[str, Any]) -> TrainingData:
    """Return features and target, and take their options out of the others."""
    features, task = options.pop("features", None), options.pop("task", None)
    if isinstance(target, str):
        return read_training_data(data, target, features, task)
    return from_arrays(data, target, task)
