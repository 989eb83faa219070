"""Clusters beside true classes in a Spark frame, counted there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.evidence.views.contingency import Contingency, count_contingency
from assay.tasks.counted_systems import COUNT, CountedSystems, are_counts, count_rows
from assay.tasks.evidence import Measures


def can_count_clusters(measures: Measures, *others: Any) -> bool:
    """Return whether counts of equal rows are enough for these measures."""
    if any(each not in (None, (), []) for each in others):
        return False
    return measures is None or are_counts(measures, "clustering", (Contingency,))


def count_clusters(
    data: Any, clusters: Sequence[str], classes: str, needs: Mapping[Any, str]
) -> CountedSystems:
    """Count the rows of each clustering by cluster and class."""
    members, total = {}, 0
    for column in clusters:
        table = count_rows(data, [column, classes], "the clusters")
        total = int(table.frame[COUNT].sum())
        cells = table.frame.rename({column: "cluster", classes: "class", COUNT: "size"})
        members[column] = {Contingency: count_contingency(cells)}
    return CountedSystems("clustering", needs, members, {"items": total})
