"""Assignments to contingency tables."""

from __future__ import annotations

from assay.core.tables import Assignments
from assay.evidence.contingency import Contingency
from assay.evidence.counting import (
    cross,
    refuse_empty,
    refuse_repeated_items,
    sorted_labels,
)


def contingency(assignments: Assignments) -> Contingency:
    """How many items of each class each cluster holds."""
    refuse_empty(assignments)
    refuse_repeated_items(assignments)
    frame = assignments.frame
    clusters, classes = sorted_labels(frame["cluster"]), sorted_labels(frame["class"])
    counts = cross(frame, "cluster", "class", clusters, classes)
    return Contingency.of(counts, clusters, classes)
