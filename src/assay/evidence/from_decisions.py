"""Decisions to confusion matrices and threshold tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.core.tables import Decisions, Table
from assay.evidence.confusion import Confusion, known_classes
from assay.evidence.counting import codes_of, finite, refuse_empty, weights_of
from assay.evidence.effective import effective_size
from assay.evidence.label_order import label_order
from assay.evidence.thresholds import ThresholdTable


def confusion(
    decisions: Decisions, positive: str | None = None, labels: Sequence[str] = ()
) -> Confusion:
    """Return the confusion matrix of the decisions over ``labels``, then those that occur besides.

    ``labels`` keep their order; the others are in the usual one.
    """
    refuse_empty(decisions)
    counted = _counted(decisions)
    names = label_order([*counted["truth"].to_list(), *counted["predicted"].to_list()], labels)
    known_classes(names, [] if positive is None else [positive], "the positive class")
    matrix = np.zeros((len(names), len(names)))
    places = codes_of(counted["truth"], names), codes_of(counted["predicted"], names)
    matrix[places] = counted["size"].to_numpy()
    return Confusion.of(matrix, names, positive, effective_size(checked_weights(decisions)))


def _counted(decisions: Decisions) -> pl.DataFrame:
    """How many items, or how much weight, each pair of true and predicted class has."""
    weights = checked_weights(decisions)
    frame = decisions.frame.select("truth", "predicted")
    if weights is None:
        return frame.group_by("truth", "predicted").agg(size=pl.len().cast(pl.Float64))
    # Sorted before they are added, so that the order of the rows does not change a bit.
    ordered = frame.with_columns(weight=weights).sort("truth", "predicted", "weight")
    return ordered.group_by("truth", "predicted", maintain_order=True).agg(
        size=pl.col("weight").sum()
    )


def threshold_table(decisions: Decisions, positive: str) -> ThresholdTable:
    """The counts of positive and negative items at each distinct score."""
    refuse_empty(decisions)
    score = finite(decisions, "score")
    truth = (decisions.frame["truth"] == positive).to_numpy()
    return ThresholdTable.of(score, truth, checked_weights(decisions))


def checked_weights(table: Table) -> Floats | None:
    """The weights, of which none may be negative and not all may be 0."""
    weights = weights_of(table.frame)
    if weights is None:
        return None
    finite(table, "weight")
    if len(below := np.flatnonzero(weights < 0)):
        row = int(below[0])
        raise DataError(
            f"{table.source.place(row)}: the weight is {weights[row]:g};"
            " a number of at least 0 is expected"
        )
    return weights
