"""Values to pairs of true and predicted numbers, or to densities.

Items are put into an order of their own, so that what is drawn from them does not depend on the
order of the lines; each keeps its name, or the number of its line.
"""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.core.tables import Values
from assay.evidence.builders.from_decisions import check_weights
from assay.evidence.column_values import canonical_order, finite_numbers, item_names, refuse_empty
from assay.evidence.views.densities import Densities
from assay.evidence.views.value_pairs import ValuePairs


def build_value_pairs(values: Values) -> ValuePairs:
    """The pairs of true and predicted numbers."""
    refuse_empty(values)
    truth, predicted = finite_numbers(values, "truth"), finite_numbers(values, "predicted")
    items = item_names(values)
    named = np.asarray(items) if items else None
    weights = check_weights(values)
    keys = [truth, predicted, *_read_column(weights)]
    order = canonical_order(*(keys if named is None else [*keys, named]))
    names = order + 1 if named is None else named[order]
    return ValuePairs.of(
        truth[order],
        predicted[order],
        tuple(map(str, names.tolist())),
        None if weights is None else weights[order],
    )


def _read_column(weights: Floats | None) -> list[Floats]:
    return [] if weights is None else [weights]


def build_densities(values: Values) -> Densities:
    """The density that a model gave to each held-out item, of which none may be negative."""
    refuse_empty(values)
    density = finite_numbers(values, "density")
    if len(below := np.flatnonzero(density < 0)):
        row = int(below[0])
        raise DataError(
            f"{values.source.place(row)}: the density is {density[row]:g};"
            " a number of at least 0 is expected"
        )
    weights, items = check_weights(values), item_names(values)
    keys = [density, *_read_column(weights)]
    order = canonical_order(*([*keys, np.asarray(items)] if items else keys))
    return Densities.of(
        density[order],
        None if weights is None else weights[order],
        row=order + 1,
        items=tuple(items[n] for n in order.tolist()) if items else (),
    )
