"""What needs no skill, beside the result: always saying no, and always the most frequent class."""

from __future__ import annotations

import numpy as np

from assay.core.names import Measure, measure
from assay.engine.local import evaluate
from assay.evidence.views.confusion import Confusion
from assay.reports.text.table_text import Rows, number

WHOLE_MEASURES = ("ACC", "BA", "MCC")
SHOWN_MEASURES = ("ACC", "BA", "TPR", "TNR", "PPV", "NPV", "F", "MCC")


def constant_classifier(confusion: Confusion, label: str) -> Confusion:
    """The matrix of a classifier that says the same of every item."""
    matrix = np.zeros_like(confusion.matrix[0])
    matrix[:, confusion.labels.index(label)] = confusion.matrix[0].sum(axis=1)
    return Confusion.of(matrix, confusion.labels, confusion.positive)


def baselines(confusion: Confusion) -> dict[str, Confusion]:
    """The baselines by name: with two classes the one that always says no; the majority class."""
    found = {}
    if confusion.positive is not None and len(confusion.labels) == 2:
        other = next(each for each in confusion.labels if each != confusion.positive)
        found[f"always no ({other})"] = constant_classifier(confusion, other)
    frequent = confusion.labels[int(confusion.matrix[0].sum(axis=1).argmax())]
    found[f"majority class ({frequent})"] = constant_classifier(confusion, frequent)
    return found


def baseline_rows(
    confusion: Confusion, digits: int, shown: tuple[str, ...] = SHOWN_MEASURES
) -> Rows:
    """The result and the baselines, a row each."""
    if len(confusion.labels) > 2:
        # Averages over classes leave out those that a constant never predicts: they flatter it.
        shown = tuple(name for name in shown if name in WHOLE_MEASURES)
    measures = [measure(name, "classification") for name in shown]
    rows = [["", *shown], _row("this", confusion, measures, digits)]
    known: list[Confusion] = []
    for name, view in baselines(confusion).items():
        if any(np.array_equal(view.matrix, other.matrix) for other in known):
            rows[-1][0] += " = the majority class"
            continue
        known.append(view)
        rows.append(_row(name, view, measures, digits))
    return rows


def _row(name: str, view: Confusion, measures: list[Measure], digits: int) -> list[str]:
    results = evaluate(view, measures, name)
    return [name, *(number(each.value, digits) for each in results)]
