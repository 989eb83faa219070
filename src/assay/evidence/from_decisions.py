"""Decisions to confusion matrices and threshold tables."""

from __future__ import annotations

import polars as pl

from assay.core.errors import DataError, did_you_mean
from assay.core.tables import Decisions
from assay.evidence.confusion import Confusion
from assay.evidence.counting import (
    cross,
    finite,
    refuse_empty,
    sorted_labels,
    weights_of,
)
from assay.evidence.thresholds import ThresholdTable


def confusion(decisions: Decisions, positive: str | None = None) -> Confusion:
    """The confusion matrix of the decisions, over all labels that occur."""
    refuse_empty(decisions)
    frame = decisions.frame
    labels = sorted_labels(frame["truth"], frame["predicted"])
    matrix = cross(frame, "truth", "predicted", labels, labels)
    return Confusion.of(matrix, labels, positive)


def threshold_table(decisions: Decisions, positive: str) -> ThresholdTable:
    """The counts of positive and negative items at each distinct score."""
    refuse_empty(decisions)
    frame = decisions.frame
    score = finite(decisions, "score")
    labels = sorted_labels(frame["truth"])
    if positive not in labels:
        raise DataError(
            f"{decisions.source.name}: the positive class '{positive}' does not occur"
            f" among {', '.join(labels[:10])}." + did_you_mean(positive, labels)
        )
    truth = (frame["truth"] == positive).cast(pl.Float64).to_numpy()
    return ThresholdTable.of(score, truth, weights_of(frame))
