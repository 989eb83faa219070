"""The log-likelihood of held-out numbers."""

from __future__ import annotations

import numpy as np

from assay.core.definition import Ratio, define
from assay.core.parameters import Weight
from assay.evidence.views.densities import Densities

FLOOR = 1e-15


@define(
    "LogLik",
    bounds=(-np.inf, np.inf),
    unit="item",
    aggregate="micro",
    aliases=["log_likelihood"],
    undefined="the item has no weight",
    label="mean log-likelihood",
    standard=True,
)
def log_likelihood(densities: Densities, floor: Weight = FLOOR) -> Ratio:
    """The logarithm of the density that the model gave to what came, averaged over held-out items.

    A density below ``floor`` counts as that much, so that one impossible item does not decide
    alone. Only models of the same quantity in the same unit can be compared.

    >>> measure("LogLik")(densities([1, 0.5]).by("item")).round(3)
    array([ 0.   , -0.693])
    """
    logs = np.log(np.maximum(densities.density, floor))
    return Ratio(densities.weight * logs, densities.weight)
