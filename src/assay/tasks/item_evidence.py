"""The items behind the tables of a system, for comparing systems by drawing items together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from assay.core.arrays import Floats
from assay.core.tables import Assignments, Decisions, Values
from assay.evidence.builders.from_assignments import build_contingency
from assay.evidence.builders.from_values import build_value_pairs
from assay.evidence.builders.item_cells import (
    ItemCells,
    confusion_cells,
    contingency_cells,
    probability_cells,
    threshold_cells,
    value_cells,
)
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.contingency import Contingency
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.evidence.views.value_moments import ValueMoments
from assay.evidence.views.value_pairs import ValuePairs
from assay.tasks.evaluation import Views


class ClassifiedItems(Protocol):
    """What a classifier predicted."""

    @property
    def table(self) -> Decisions:
        """True and predicted classes, item by item."""

    @property
    def positive(self) -> str | None:
        """The positive class."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the columns of probabilities."""

    @property
    def matrix(self) -> Floats | None:
        """The probabilities."""

    def views(self) -> Views:
        """How to make each view."""


def classified_items(answers: ClassifiedItems) -> Views:
    """How to find the items of a classifier in each view that its columns allow."""
    views = answers.views()
    made = {
        Confusion: lambda: confusion_cells(answers.table, views[Confusion]()),
        ThresholdTable: lambda: threshold_cells(
            _add_score(answers), str(answers.positive), views[ThresholdTable]()
        ),
        Probabilities: lambda: probability_cells(views[Probabilities]()),
    }
    return {kind: make for kind, make in made.items() if kind in views}


def _add_score(answers: ClassifiedItems) -> Decisions:
    """The decisions with a score: where there is none, the probability of the positive class."""
    decisions = answers.table
    if "score" in decisions.frame.columns or answers.matrix is None:
        return decisions
    column = answers.matrix[:, answers.classes.index(str(answers.positive))]
    return Decisions(decisions.frame.with_columns(score=column), decisions.source)


def predicted_items(values: Values) -> Views:
    """How to find the items of a predictor in each view that its columns allow."""
    if "predicted" not in values.frame.columns:
        return {}

    def made(moments: bool) -> ItemCells:
        pairs = build_value_pairs(values)
        return value_cells(pairs, pairs.moments if moments else pairs)

    return {ValuePairs: lambda: made(False), ValueMoments: lambda: made(True)}


def clustered_items(read: Callable[[], Assignments]) -> Views:
    """How to find the items of a clustering in its table."""

    def made() -> ItemCells:
        assignments = read()
        return contingency_cells(assignments, build_contingency(assignments))

    return {Contingency: made}
