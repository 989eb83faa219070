"""The trace of numbers that come from the four counts of a class."""

from __future__ import annotations

from assay.core.curves import Columns
from assay.core.definition import Definition
from assay.core.facts import Settings
from assay.evidence.views.confusion import Confusion
from assay.measures.trace_tables import trace_lines


def show_counts(definition: Definition, formula: str) -> None:
    """Declare that a measure shows the four counts, and then its formula."""

    @definition.trace
    def trace(confusion: Confusion, s: Settings = ()) -> Columns:
        return trace_lines(
            {
                "TP": confusion.tp[0],
                "FP": confusion.fp[0],
                "FN": confusion.fn[0],
                "TN": confusion.tn[0],
                f"{definition.name}: {formula}": definition(confusion, *s)[0],
            }
        )
