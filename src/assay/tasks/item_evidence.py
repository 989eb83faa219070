"""The items behind the tables of a system, for comparing systems by drawing items together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from assay.core.arrays import Floats
from assay.core.tables import Assignments, Decisions, Values
from assay.evidence.confusion import Confusion
from assay.evidence.contingency import Contingency
from assay.evidence.from_assignments import contingency
from assay.evidence.from_values import value_pairs
from assay.evidence.item_cells import (
    ItemCells,
    of_confusion,
    of_contingency,
    of_probabilities,
    of_thresholds,
    of_values,
)
from assay.evidence.moments import ValueMoments
from assay.evidence.probabilities import Probabilities
from assay.evidence.thresholds import ThresholdTable
from assay.evidence.values import ValuePairs
from assay.tasks.assembly import Views


class Answered(Protocol):
    """What a classifier answered."""

    @property
    def decisions(self) -> Decisions:
        """Truth and answers, item by item."""

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


def items_of_answers(answers: Answered) -> Views:
    """How to find the items of a classifier in each view that its columns allow."""
    views = answers.views()
    made = {
        Confusion: lambda: of_confusion(answers.decisions, views[Confusion]()),
        ThresholdTable: lambda: of_thresholds(
            _with_score(answers), str(answers.positive), views[ThresholdTable]()
        ),
        Probabilities: lambda: of_probabilities(views[Probabilities]()),
    }
    return {kind: make for kind, make in made.items() if kind in views}


def _with_score(answers: Answered) -> Decisions:
    """The decisions with a score: where there is none, the probability of the positive class."""
    decisions = answers.decisions
    if "score" in decisions.frame.columns or answers.matrix is None:
        return decisions
    column = answers.matrix[:, answers.classes.index(str(answers.positive))]
    return Decisions(decisions.frame.with_columns(score=column), decisions.source)


def items_of_values(values: Values) -> Views:
    """How to find the items of a predictor in each view that its columns allow."""
    if "predicted" not in values.frame.columns:
        return {}

    def made(moments: bool) -> ItemCells:
        pairs = value_pairs(values)
        return of_values(pairs, pairs.moments if moments else pairs)

    return {ValuePairs: lambda: made(False), ValueMoments: lambda: made(True)}


def items_of_assignments(read: Callable[[], Assignments]) -> Views:
    """How to find the items of a clustering in its table."""

    def made() -> ItemCells:
        assignments = read()
        return of_contingency(assignments, contingency(assignments))

    return {Contingency: made}
