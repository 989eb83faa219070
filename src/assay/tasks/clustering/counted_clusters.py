"""Clusters beside true classes in a Spark frame, counted there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.evidence.views.contingency import Contingency, count_contingency
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.statistics.intervals.jackknife import (
    add_jackknife_intervals,
    describe_jackknife,
    require_jackknife,
)
from assay.tasks.counted_systems import COUNT, CountedSystems, are_counts, count_rows
from assay.tasks.evidence import IntervalSettings, Measures


@dataclass(frozen=True)
class CountedClusterings(CountedSystems):
    """Clusterings whose rows were counted elsewhere, with the intervals that clusterings have."""

    intervals: ClassVar[IntervalSettings] = staticmethod(add_jackknife_intervals)

    def describe_interval(self, interval: Bootstrap | None) -> dict[str, Any] | None:
        """Return the settings of the jackknife."""
        if interval is None:
            return None
        require_jackknife(interval)
        return describe_jackknife(interval.confidence)


def can_count_clusters(measures: Measures, *others: Any) -> bool:
    """Return whether counts of equal rows are enough for these measures."""
    if any(each not in (None, (), []) for each in others):
        return False
    return measures is None or are_counts(measures, "clustering", (Contingency,))


def count_clusters(
    data: Any, clusters: Sequence[str], classes: str, needs: Mapping[Any, str]
) -> CountedClusterings:
    """Count the rows of each clustering by cluster and class."""
    members, total = {}, 0
    for column in clusters:
        table = count_rows(data, [column, classes], "the clusters")
        total = int(table.frame[COUNT].sum())
        cells = table.frame.rename({column: "cluster", classes: "class", COUNT: "size"})
        members[column] = {Contingency: count_contingency(cells)}
    return CountedClusterings("clustering", needs, members, {"items": total})
