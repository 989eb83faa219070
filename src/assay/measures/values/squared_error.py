"""Mean squared error."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.catalogue import define
from assay.evidence.values import ValuePairs


@define(
    "MSE",
    better="lower",
    bounds=(0, np.inf),
    unit="item",
    aliases=["mean_squared_error"],
    label="mean squared error",
    standard=True,
)
def squared_error(pairs: ValuePairs) -> Floats:
    """The square of the difference between a value and its prediction, averaged over the items.

    >>> measure("MSE")(values([1, 2, 3], [1, 2, 5]).by("item"))
    array([0., 0., 4.])
    """
    return (pairs.predicted - pairs.truth) ** 2
