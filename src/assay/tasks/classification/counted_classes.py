"""Classes and scores in a Spark frame, counted there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assay.evidence.views.confusion import Confusion
from assay.evidence.views.threshold_table import ThresholdTable
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.predictions import NEEDS, read_predictions
from assay.tasks.counted_systems import COUNT, CountedSystems, are_counts, count_rows
from assay.tasks.evidence import Measures
from assay.tasks.table_evidence import SystemInput, columns_of_systems

_SINGLE_ITEMS = ("probabilities", "item", "weight", "by", "threshold", "split", "splits")


def can_count_classes(columns: ClassificationColumns, measures: Measures) -> bool:
    """Return whether counts of equal rows are enough for these columns and measures."""
    unused = ClassificationColumns()
    if any(getattr(columns, name) != getattr(unused, name) for name in _SINGLE_ITEMS):
        return False
    if measures is None:
        return columns.score is None
    return are_counts(measures, "classification", (Confusion, ThresholdTable))


def count_classes(data: Any, columns: ClassificationColumns) -> CountedSystems:
    """Count the rows of each system by true and predicted class, and by score if there is one."""
    members: dict[str, dict[Any, Any]] = {}
    sizes: set[int] = set()
    answers = columns_of_systems(columns.system_columns)
    for label, own in answers:
        name = label if len(answers) > 1 else columns.name
        table = count_rows(data, [columns.truth, *own.values()], "the decisions")
        system = SystemInput(name, table, own)
        read = read_predictions(system, replace(columns, weight=COUNT))
        sizes.add(int(read.table.frame["weight"].sum()))
        found = read.views()
        # The weights are numbers of items, so that the view is worth as many.
        members[name] = {
            kind: replace(found[kind](), effective=None)
            for kind in (Confusion, ThresholdTable)
            if kind in found
        }
    settled = {"profile": columns.profile, "missing": columns.missing}
    # Systems that miss different items have no number of items in common.
    items = {"items": sizes.pop()} if len(sizes) == 1 else {}
    return CountedSystems("classification", NEEDS, members, {**settled, **items})
