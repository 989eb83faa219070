"""The share of right decisions: plain, balanced over classes, and beyond chance."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.closed_form_intervals import FEW_OUTCOMES, share_reach
from assay.core.curves import Columns
from assay.core.definition import Exemption, Ratio, Undefined, define
from assay.core.facts import Settings
from assay.core.parameters import Flag
from assay.evidence.views.confusion import Confusion
from assay.measures.agreement.pair_agreement import Weights, disagreement_weights, kappa_table
from assay.measures.trace_tables import Lines, running_mean, show_formula

NO_ITEMS = "there are no items"


@define("ACC", aliases=["accuracy", "accuracy_score"], undefined=NO_ITEMS, standard=True)
def accuracy(confusion: Confusion) -> Ratio:
    """The share of the items whose predicted class is the actual class.

    >>> measure("ACC")(confusion([[5, 0, 0], [1, 3, 0], [1, 2, 4]]))
    array([0.75])
    """
    matrix = confusion.matrix
    return Ratio(np.trace(matrix, axis1=1, axis2=2), matrix.sum(axis=(1, 2)))


@accuracy.trace
def accuracy_trace(confusion: Confusion) -> Columns:
    """Return for each class its items, the correct ones, and the share so far."""
    return _class_shares(confusion, "right", np.diagonal(confusion.matrix[0]), "ACC")


def _class_shares(confusion: Confusion, kind: str, counts: Floats, name: str) -> Columns:
    """Return a count of each class, and its share of all items so far."""
    return {
        "class": list(confusion.labels),
        "items": confusion.matrix[0].sum(axis=1),
        kind: counts,
        f"{kind} so far": np.cumsum(counts),
        "all items": np.full(len(counts), confusion.items[0]),
        name: ratio(np.cumsum(counts), confusion.items[0]),
    }


@define(
    "ERR",
    better="lower",
    aliases=["error", "error_rate", "misclassification", "misclassification_rate", "zero_one_loss"],
    undefined=NO_ITEMS,
)
def error_rate(confusion: Confusion) -> Ratio:
    """The share of the items whose predicted class is not the actual class.

    >>> measure("ERR")(confusion([[5, 0, 0], [1, 3, 0], [1, 2, 4]]))
    array([0.25])
    """
    right = np.trace(confusion.matrix, axis1=1, axis2=2)
    return Ratio(confusion.items - right, confusion.items)


@define(
    "BA",
    bounds=(-1, 1),
    aliases=["balanced_accuracy", "balanced_accuracy_score", "bal_accuracy"],
    undefined=NO_ITEMS,
    variants=["BA(adjusted=true)"],
)
def balanced_accuracy(confusion: Confusion, adjusted: Flag = False) -> Floats:
    """The mean recall over the classes.

    Classes without a true item are left out. ``adjusted`` moves chance to 0: (BA − 1/k) /
    (1 − 1/k) with k classes.

    >>> measure("BA")(outcomes(tp=20, fp=180, fn=10, tn=1820)).round(3)
    array([0.788])
    """
    true = confusion.matrix.sum(axis=2)
    found = ratio(np.diagonal(confusion.matrix, axis1=1, axis2=2), true)
    classes = (true > 0).sum(axis=1)
    mean = ratio(sorted_sum(np.where(true > 0, found, 0)), classes)
    if not adjusted:
        return mean
    chance = ratio(1, classes)
    return ratio(mean - chance, 1 - chance)


@balanced_accuracy.interval
def balanced_interval(
    confusion: Confusion, confidence: float, s: Settings
) -> tuple[float, float] | None:
    """Return the interval from Wilson's of each class, if a class has few hits or few misses.

    Classes are independent, so the squares of the distances to their ends add up.
    """
    right, true = np.diagonal(confusion.matrix[0]), confusion.matrix[0].sum(axis=1)
    right, true = right[true > 0], true[true > 0]
    if confusion.effective is not None:
        right, true = (each * confusion.effective / true.sum() for each in (right, true))
    few = np.minimum(right, true - right) < FEW_OUTCOMES
    if not few.any() or not 0 < right.sum() < true.sum() or (s.adjusted and len(true) < 2):
        return None
    below, above = share_reach(right, true, confidence)
    mean, size = float((right / true).mean()), len(true)
    low, high = mean - math.hypot(*below) / size, mean + math.hypot(*above) / size
    chance = 1 / size if s.adjusted else 0.0
    return (low - chance) / (1 - chance), (high - chance) / (1 - chance)


@error_rate.trace
def error_trace(confusion: Confusion) -> Columns:
    """Return for each class its items, the wrong ones, and the share so far."""
    wrong = confusion.matrix[0].sum(axis=1) - np.diagonal(confusion.matrix[0])
    return _class_shares(confusion, "wrong", wrong, "ERR")


@balanced_accuracy.trace
def balanced_trace(confusion: Confusion, s: Settings) -> Columns:
    """Return for each class its recall, and the mean so far."""
    items = confusion.matrix[0].sum(axis=1)
    found = ratio(np.diagonal(confusion.matrix[0]), items)
    mean = running_mean(found, np.ones(len(found)))
    columns = {
        "class": list(confusion.labels),
        "items": items,
        "right": np.diagonal(confusion.matrix[0]),
        "share": found,
        "mean so far": mean,
    }
    if not s.adjusted:
        return columns
    chance = ratio(1, (items > 0).sum())
    return columns | {"beyond chance": ratio(mean - chance, 1 - chance)}


@define(
    "MCC",
    bounds=(-1, 1),
    aliases=["matthews", "matthews_corrcoef", "phi"],
    undefined=Undefined(
        truth="all items belong to one class", answer="all items were predicted to be of one class"
    ),
    label="Matthews correlation coefficient",
    standard=True,
)
def matthews(confusion: Confusion) -> Floats:
    """The correlation between true and predicted class, for any number of classes.

    1 is perfect, 0 is what chance gives, −1 is always wrong (with two classes).

    >>> measure("MCC")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.67])
    """
    covariance, of_truth, of_prediction = _spreads(confusion.matrix)
    return np.clip(ratio(covariance, np.sqrt(of_truth) * np.sqrt(of_prediction)), -1, 1)


def _spreads(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    total = matrix.sum(axis=(1, 2))
    right = np.trace(matrix, axis1=1, axis2=2)
    true, said = matrix.sum(axis=2), matrix.sum(axis=1)
    return (
        right * total - (true * said).sum(axis=1),
        total**2 - (true**2).sum(axis=1),
        total**2 - (said**2).sum(axis=1),
    )


@show_formula(matthews, "covariance / √(spread · spread)")
def matthews_trace(confusion: Confusion) -> Lines:
    """Return the quantities of the formula, line by line."""
    covariance, of_truth, of_prediction = (part[0] for part in _spreads(confusion.matrix))
    matrix = confusion.matrix[0]
    return {
        "items": matrix.sum(),
        "right": np.trace(matrix),
        "covariance: right · items − Σ true · predicted": covariance,
        "spread of the truth: items² − Σ true²": of_truth,
        "spread of the prediction: items² − Σ predicted²": of_prediction,
    }


@define(
    "kappa",
    bounds=(-1, 1),
    aliases=["cohen_kappa", "cohen_kappa_score", "kap"],
    undefined="all items are of one class, in truth and prediction",
    variants=["kappa(weights=linear)", "kappa(weights=quadratic)"],
    label="Cohen's kappa",
    exempt=Exemption(
        "correction",
        "with weights, one more item in a class changes the agreement by chance",
        ([[0, 3, 5, 1], [5, 0, 3, 5], [0, 6, 4, 0], [1, 1, 0, 1]], 1, 0),
    ),
)
def kappa(confusion: Confusion, weights: Weights = "none") -> Floats:
    """Agreement of actual and predicted classes beyond what their frequencies give by chance.

    ``weights`` counts a mistake by the distance of the classes in their order, or its square.

    >>> measure("kappa")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.65])
    """
    penalty = disagreement_weights(len(confusion.labels), weights)
    matrix = confusion.matrix
    chance = ratio(
        matrix.sum(axis=2)[:, :, None] * matrix.sum(axis=1)[:, None, :],
        confusion.items[:, None, None],
    )
    size_of = (len(matrix), -1)
    seen = sorted_sum((matrix * penalty).reshape(size_of))
    expected = sorted_sum((chance * penalty).reshape(size_of))
    return np.clip(1 - ratio(seen, expected), -1, 1)


@kappa.trace
def kappa_trace(confusion: Confusion, s: Settings) -> Columns:
    """Return for each cell the items, those expected by chance, and kappa."""
    labels = confusion.labels
    columns = {
        "true": [each for each in labels for _ in labels],
        "predicted": list(labels) * len(labels),
    }
    return columns | kappa_table(confusion.matrix[0], s.weights)
