"""Accuracy."""

from __future__ import annotations

import numpy as np

from assay.core.catalogue import Ratio, define
from assay.evidence.confusion import Confusion


@define(
    "ACC",
    better="higher",
    bounds=(0, 1),
    aggregate="whole",
    aliases=["accuracy"],
    undefined="there are no items",
    label="accuracy",
    standard=True,
)
def accuracy(confusion: Confusion) -> Ratio:
    """The share of the items that is put into its true class.

    >>> measure("ACC")(confusion([[5, 0, 0], [1, 3, 0], [1, 2, 4]]))
    array([0.75])
    """
    right = np.trace(confusion.matrix, axis1=1, axis2=2)
    return Ratio(right, confusion.matrix.sum(axis=(1, 2)))
