"""The share of right decisions: plain, its complement, and balanced over classes."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio, sorted_sum
from assay.core.curves import Columns
from assay.core.definition import Ratio, define
from assay.core.facts import Settings
from assay.core.parameters import Flag
from assay.evidence.views.confusion import Confusion
from assay.measures.trace_tables import running_mean

NO_ITEMS = "there are no items"


@define(
    "ACC",
    aliases=["accuracy", "accuracy_score"],
    undefined=NO_ITEMS,
    label="accuracy",
    standard=True,
)
def accuracy(confusion: Confusion) -> Ratio:
    """The share of the items whose predicted class is the actual class.

    >>> measure("ACC")(confusion([[5, 0, 0], [1, 3, 0], [1, 2, 4]]))
    array([0.75])
    """
    return Ratio(np.trace(confusion.matrix, axis1=1, axis2=2), confusion.items)


@accuracy.trace
def accuracy_trace(confusion: Confusion) -> Columns:
    """Return for each class its items, the correct ones, and the share so far."""
    right = np.diagonal(confusion.matrix[0])
    return {
        "class": list(confusion.labels),
        "items": confusion.matrix[0].sum(axis=1),
        "right": right,
        "right so far": np.cumsum(right),
        "all items": np.full(len(right), confusion.items[0]),
        "ACC": ratio(np.cumsum(right), confusion.items[0]),
    }


@define(
    "ERR",
    better="lower",
    aliases=["error", "error_rate", "zero_one_loss"],
    undefined=NO_ITEMS,
    label="error rate",
)
def error(confusion: Confusion) -> Ratio:
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
    label="balanced accuracy",
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


@error.trace
def error_trace(confusion: Confusion) -> Columns:
    """Return for each class its items, the wrong ones, and the share so far."""
    items = confusion.matrix[0].sum(axis=1)
    wrong = items - np.diagonal(confusion.matrix[0])
    return {
        "class": list(confusion.labels),
        "items": items,
        "wrong": wrong,
        "wrong so far": np.cumsum(wrong),
        "all items": np.full(len(wrong), confusion.items[0]),
        "ERR": ratio(np.cumsum(wrong), confusion.items[0]),
    }


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
