"""Values to pairs of true and predicted numbers."""

from __future__ import annotations

from assay.core.tables import Values
from assay.evidence.counting import (
    finite,
    refuse_empty,
    weights_of,
)
from assay.evidence.values import ValuePairs


def value_pairs(values: Values) -> ValuePairs:
    """The pairs of true and predicted numbers."""
    refuse_empty(values)
    items = tuple(values.frame["item"].to_list()) if "item" in values.frame.columns else None
    truth, predicted = finite(values, "truth"), finite(values, "predicted")
    return ValuePairs.of(truth, predicted, items, weights_of(values.frame))
