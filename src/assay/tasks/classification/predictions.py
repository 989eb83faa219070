"""What classifiers predicted, beside the true classes: read and checked once, evaluated often."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, no_rows
from assay.core.phrases import quantity
from assay.core.tables import Decisions, Table
from assay.engine.result import ALL
from assay.evidence.column_values import select_rows
from assay.evidence.item_cells import confusion_cells, probability_cells, threshold_cells
from assay.evidence.labels import (
    column_order,
    listed_labels,
    refuse_unlisted,
    settle_labels,
    similar_labels_hint,
)
from assay.evidence.views.confusion import (
    Confusion,
    ConfusionCells,
    build_confusion,
)
from assay.evidence.views.probabilities import (
    Probabilities,
    build_binary_probabilities,
    build_probabilities,
)
from assay.evidence.views.threshold_table import ThresholdTable, build_threshold_table
from assay.formats.containers import to_frame
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.probability_columns import (
    probability_columns,
    probability_matrix,
)
from assay.tasks.evidence import Views
from assay.tasks.inputs.missing_values import PREDICTION
from assay.tasks.inputs.table_columns import read_items
from assay.tasks.table_evidence import SystemInput

NEEDS = {
    Confusion: "predicted classes: name their column with `predicted` (arrays are `y_pred`); or"
    " decide by a score with `threshold`, for which 'assay threshold' finds a number",
    ThresholdTable: "scores and a positive class: name them with `score` (arrays are `y_score`) and"
    " `positive`",
    Probabilities: "probabilities: name their columns with `probabilities` (arrays are `y_score`),"
    " or a `score` of 0 to 1",
}
MOST_PROBABLE = "highest probability"
"""How probabilities decide."""
CLASSES = ("truth", "predicted")
"""The columns that hold classes."""


@dataclass(frozen=True)
class ClassPredictions:
    """The true classes of items, and the predicted classes, scores or probabilities of a system."""

    table: Decisions
    labels: tuple[str, ...]
    """In their order."""
    positive: str | None
    classes: tuple[str, ...] = ()
    """The classes of the columns of probabilities."""
    matrix: Floats | None = None
    slices: Mapping[str, pl.Series] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    threshold: float | None = None
    """Score from which an item was predicted to be positive, if scores decided."""
    decided: str | None = None
    """How the classes were predicted, if probabilities decided."""
    view_notes: Mapping[Any, str] = field(default_factory=dict)
    """By view, a note on its measures: how items that probabilities do not decide are predicted."""
    order: tuple[str, ...] = ()
    """The labels whose order was declared, by a list or by the type of a column."""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """The columns of the system, by kind."""

    def views(self, slice_name: str = ALL) -> Views:
        """Return how to build each view that the columns allow."""
        part, matrix = self.table, self.matrix
        rows = None if slice_name == ALL else self.slices[slice_name]
        made: dict[type, Callable[[], Any]] = {}
        if "predicted" in part.frame.columns:
            made[Confusion] = partial(self._count_classes, rows)
        if "score" not in part.frame.columns and matrix is None:
            return made
        if rows is not None:
            part = select_rows(part, rows)
            matrix = None if matrix is None else matrix[rows.to_numpy()]
        positive, labels = self.positive, self.labels
        if "score" in part.frame.columns and positive is not None:
            count = cache(partial(build_threshold_table, part, positive))
            made[ThresholdTable] = count
            if bool(self.table.frame["score"].is_between(0, 1).all()):
                made[Probabilities] = partial(
                    build_binary_probabilities, part, positive, labels, count
                )
        if matrix is not None:
            made[Probabilities] = partial(build_probabilities, part, matrix, self.classes, positive)
            if positive in self.classes and len(self.classes) == 2:
                scored = self._add_score(part, matrix)
                made.setdefault(ThresholdTable, partial(build_threshold_table, scored, positive))
        return made

    def _count_classes(self, rows: pl.Series | None) -> Confusion:
        """Return the confusion matrix of some rows, without weights from the cells of all."""
        if "weight" in self.table.frame.columns:
            part = self.table if rows is None else select_rows(self.table, rows)
            return build_confusion(part, self.positive, self.labels)
        if not (self.table.frame.height if rows is None else rows.any()):
            raise no_rows(self.table.source.name)
        return self._cells.count(self.positive, None if rows is None else rows.to_numpy())

    @cached_property
    def _cells(self) -> ConfusionCells:
        """The cell of each row, found once for all slices."""
        return ConfusionCells.of(self.table, self.labels)

    def _add_score(self, part: Decisions, matrix: Floats) -> Decisions:
        """Return the decisions with the probability of the positive class as their score."""
        scores = matrix[:, self.classes.index(str(self.positive))]
        return Decisions(part.frame.with_columns(score=scores), part.source)

    def items(self) -> Views:
        """Return how to find the items behind each view."""
        views, table = self.views(), self.table
        if (
            self.matrix is not None
            and ThresholdTable in views
            and "score" not in table.frame.columns
        ):
            table = self._add_score(table, self.matrix)
        made: Views = {
            Confusion: lambda: confusion_cells(table, views[Confusion]()),
            ThresholdTable: lambda: threshold_cells(
                table, str(self.positive), views[ThresholdTable]()
            ),
            Probabilities: lambda: probability_cells(views[Probabilities]()),
        }
        return {kind: make for kind, make in made.items() if kind in views}

    @cached_property
    def confusion(self) -> Confusion | None:
        """The confusion matrix, if there are predicted classes."""
        make = self.views().get(Confusion)
        return make() if make else None

    @cached_property
    def thresholds(self) -> ThresholdTable | None:
        """The counts at each distinct score, if there are scores of a positive class."""
        make = self.views().get(ThresholdTable)
        return make() if make else None

    def against_rest(self) -> dict[str, ThresholdTable]:
        """Return each class that occurs and has probabilities, against the other classes."""
        frame, source = self.table.frame, self.table.source
        found = {}
        for place, name in enumerate(self.classes):
            if 0 < (frame["truth"] == name).sum() < frame.height:
                scored = frame.with_columns(score=self.matrix[:, place])  # type: ignore[index]
                found[name] = build_threshold_table(Decisions(scored, source), name)
        return found


def read_predictions(system: SystemInput, columns: ClassificationColumns) -> ClassPredictions:
    """Read the columns of one system, check them, and settle the classes and the positive one."""
    table, answers = columns.select_items(system.table, columns.item), system.columns
    if not answers:
        raise UsageError(
            "name the column with the predicted class (`predicted`), a score (`score`), or columns"
            " of probabilities (`probabilities`)"
        )
    listed = () if columns.labels is None else listed_labels(columns.labels)
    wide: dict[str, str] = {}
    if asked := answers.get("probabilities"):
        wide = probability_columns(table.frame, table.source, asked, listed)
    names = {
        "truth": columns.truth,
        **{kind: answers.get(kind) for kind in ("predicted", "score")},
        "weight": columns.weight,
        "item": columns.item,
    }
    needed = {
        "truth": [names["truth"]],
        PREDICTION: [names["predicted"], names["score"], *wide.values()],
    }
    rows = read_items(table, names, needed, columns.by, columns.missing)
    if rows.frame.is_empty():
        raise no_rows(rows.source.name)
    decisions = Decisions.of(rows.named, rows.source)
    if listed:
        present = [name for name in CLASSES if name in decisions.frame.columns]
        refuse_unlisted(decisions, present, listed)
    # Where no order of the classes was declared, the types of their columns may have one.
    given = [table.frame[str(names[each])] for each in CLASSES if names[each]]
    order = listed or column_order(*given)
    settled = settle_labels(decisions, tuple(wide), order, columns.positive)
    found = ClassPredictions(
        decisions,
        labels=settled.labels,
        positive=settled.positive,
        classes=tuple(wide),
        matrix=probability_matrix(rows.frame, rows.source, wide) if wide else None,
        slices=rows.slices,
        notes=(*settled.notes, *rows.notes),
        order=order,
        columns=answers,
    )
    if columns.threshold is not None:
        return _apply_threshold(found, columns.threshold)
    decided = "predicted" in decisions.frame.columns
    return found if decided else _decide_by_probability(found)


def _decide_by_probability(answers: ClassPredictions) -> ClassPredictions:
    """Return the answers with the class of the highest probability, the first of several such.

    Answers without probabilities stay as they are.
    """
    frame, positive = answers.table.frame, answers.positive
    if answers.matrix is not None:
        matrix = answers.matrix
        highest = pl.Series(answers.classes).gather(matrix.argmax(axis=1))
        equal = (matrix == matrix.max(axis=1, keepdims=True)).sum(axis=1) > 1
        tied = quantity(int(equal.sum()), "item")
        note = f"several classes have the highest probability for {tied}: the first is predicted"
    elif "score" in frame.columns and positive and len(answers.labels) == 2:
        if not frame["score"].is_between(0, 1).all():
            return answers
        negative = next(each for each in answers.labels if each != positive)
        highest = (frame["score"] > 0.5).replace_strict({True: positive, False: negative})
        equal = (frame["score"] == 0.5).to_numpy()
        tied = quantity(int(equal.sum()), "item")
        note = (
            f"a score of exactly 0.5 ({tied}) favors neither class and is predicted '{negative}';"
            f" with `threshold` 0.5 it is '{positive}'"
        )
    else:
        return answers
    decided = Decisions(frame.with_columns(predicted=highest), answers.table.source)
    ties = {Confusion: note} if equal.any() else {}
    return replace(answers, table=decided, decided=MOST_PROBABLE, view_notes=ties)


def read_table(data: Any, columns: ClassificationColumns) -> ClassPredictions:
    """Read one system from one table."""
    answers = {kind: each for kind, each in columns.system_columns.items() if each}
    if "probabilities" in answers:
        answers["probabilities"] = answers["probabilities"][0]
    table = Table(*to_frame(data, "the decisions"))
    return read_predictions(SystemInput(columns.name, table, answers), columns)


def _apply_threshold(answers: ClassPredictions, threshold: float) -> ClassPredictions:
    """Return the same answers with the classes that the scores predict."""
    columns = answers.table.frame.columns
    if math.isnan(threshold):
        raise UsageError("`threshold` must be a number, not nan")
    if "score" not in columns or "predicted" in columns:
        raise UsageError("a `threshold` decides by scores: name them with `score`, not `predicted`")
    if len(answers.labels) != 2 or answers.positive is None:
        raise DataError(
            f"{answers.table.source.name}: a `threshold` separates two classes, found"
            f" {len(answers.labels)}: {', '.join(answers.labels[:10])}"
            + similar_labels_hint(answers.labels)
        )
    negative = next(each for each in answers.labels if each != answers.positive)
    reached = pl.when(pl.col("score") >= threshold)
    predicted = reached.then(pl.lit(answers.positive)).otherwise(pl.lit(negative))
    frame = answers.table.frame.with_columns(predicted=predicted)
    return replace(answers, table=Decisions(frame, answers.table.source), threshold=threshold)
