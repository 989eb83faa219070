"""Decisions to confusion matrices and threshold tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.core.tables import Decisions, Table
from assay.evidence.column_values import finite_numbers, label_codes, refuse_empty, row_weights
from assay.evidence.effective_size import effective_size
from assay.evidence.label_order import label_order
from assay.evidence.views.confusion import Confusion, require_known_classes
from assay.evidence.views.threshold_table import ThresholdTable


def build_confusion(
    decisions: Decisions, positive: str | None = None, labels: Sequence[str] = ()
) -> Confusion:
    """Return the confusion matrix of the decisions over ``labels``, then those that occur besides.

    ``labels`` keep their order; the others are in the usual one.
    """
    refuse_empty(decisions)
    counted = _count_cells(decisions)
    names = label_order([*counted["truth"].to_list(), *counted["predicted"].to_list()], labels)
    require_known_classes(names, [] if positive is None else [positive], "the positive class")
    matrix = np.zeros((len(names), len(names)))
    places = label_codes(counted["truth"], names), label_codes(counted["predicted"], names)
    matrix[places] = counted["size"].to_numpy()
    return Confusion.of(matrix, names, positive, effective_size(check_weights(decisions)))


def _count_cells(decisions: Decisions) -> pl.DataFrame:
    """How many items, or how much weight, each pair of true and predicted class has."""
    weights = check_weights(decisions)
    frame = decisions.frame.select("truth", "predicted")
    if weights is None:
        return frame.group_by("truth", "predicted").agg(size=pl.len().cast(pl.Float64))
    # Sorted before they are added, so that the order of the rows does not change a bit.
    ordered = frame.with_columns(weight=weights).sort("truth", "predicted", "weight")
    return ordered.group_by("truth", "predicted", maintain_order=True).agg(
        size=pl.col("weight").sum()
    )


def build_threshold_table(decisions: Decisions, positive: str) -> ThresholdTable:
    """The counts of positive and negative items at each distinct score."""
    refuse_empty(decisions)
    score = finite_numbers(decisions, "score")
    truth = (decisions.frame["truth"] == positive).to_numpy()
    return ThresholdTable.of(score, truth, check_weights(decisions))


def check_weights(table: Table) -> Floats | None:
    """The weights, of which none may be negative and not all may be 0."""
    weights = row_weights(table.frame)
    if weights is None:
        return None
    finite_numbers(table, "weight")
    if len(below := np.flatnonzero(weights < 0)):
        row = int(below[0])
        raise DataError(
            f"{table.source.place(row)}: the weight is {weights[row]:g};"
            " a number of at least 0 is expected"
        )
    return weights
