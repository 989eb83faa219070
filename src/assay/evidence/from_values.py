"""Values to pairs of true and predicted numbers, or to densities."""

from __future__ import annotations

import numpy as np

from assay.core.errors import DataError
from assay.core.tables import Values
from assay.evidence.counting import finite, item_names, refuse_empty
from assay.evidence.densities import Densities
from assay.evidence.from_decisions import checked_weights
from assay.evidence.values import ValuePairs


def value_pairs(values: Values) -> ValuePairs:
    """The pairs of true and predicted numbers."""
    refuse_empty(values)
    truth, predicted = finite(values, "truth"), finite(values, "predicted")
    return ValuePairs.of(truth, predicted, item_names(values) or None, checked_weights(values))


def densities(values: Values) -> Densities:
    """The density that a model gave to each held-out item, of which none may be negative."""
    refuse_empty(values)
    density = finite(values, "density")
    if len(below := np.flatnonzero(density < 0)):
        row = int(below[0])
        raise DataError(
            f"{values.source.place(row)}: the density is {density[row]:g};"
            " a number of at least 0 is expected"
        )
    return Densities.of(density, checked_weights(values), item_names(values))
