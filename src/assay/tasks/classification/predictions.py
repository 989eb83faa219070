"""What a classifier answered, with the truth: read and checked once, measured in many ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.tables import Decisions, Source
from assay.engine.scores import Result, Scores
from assay.evidence.item_cells import classified_items
from assay.evidence.label_order import (
    Labels,
    column_order,
    label_order,
    listed_labels,
    refuse_unlisted,
)
from assay.evidence.views.confusion import Confusion, build_confusion, require_known_classes
from assay.evidence.views.probabilities import (
    Probabilities,
    build_binary_probabilities,
    build_probabilities,
)
from assay.evidence.views.threshold_table import ThresholdTable, build_threshold_table
from assay.formats.containers import to_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.class_labels import label_warnings, positive_class
from assay.tasks.classification.probability_columns import (
    Wide,
    probability_columns,
    probability_matrix,
)
from assay.tasks.evaluation import Measures, describe_conventions, evaluate_system, select_measures
from assay.tasks.inputs.missing_values import ROW, Policy, handle_missing, number_rows
from assay.tasks.inputs.named_columns import named_columns
from assay.tasks.inputs.row_slices import row_slices
from assay.tasks.sklearn_profile import apply_profile

NEEDS = {
    Confusion: "predicted classes: name their column with `predicted`; or decide by a score with"
    " `threshold`, for which 'assay threshold' finds a number",
    ThresholdTable: "scores and a positive class: name them with `score` and `positive`",
    Probabilities: "probabilities: name their columns with `probabilities`, or a `score` of 0 to 1",
}
CLASSES = ("truth", "predicted")
"""The columns that hold classes."""
BY_PROBABILITIES = {Confusion: "top", ThresholdTable: "AUC_OvR"}
"""What probabilities of classes tell by default, where there is no such view: accuracy and area."""


@dataclass(frozen=True)
class Predictions:
    """Truth, and predicted classes, scores or probabilities of the same items."""

    decisions: Decisions
    labels: tuple[str, ...]
    """In their order."""
    positive: str | None
    classes: tuple[str, ...] = ()
    """The classes of the columns of probabilities."""
    matrix: Floats | None = None
    slices: Mapping[str, pl.Series] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    policy: Policy = "error"
    item: str | None = None
    """The column that names the items."""
    threshold: float | None = None
    """From which score on an item was decided to be positive, if scores decided."""
    order: tuple[str, ...] = ()
    """The labels whose order was declared, by a list or by the type of a column."""

    def views(self, rows: pl.Series | None = None) -> dict[type, Callable[[], Any]]:
        """How to make each view that the columns allow, for all items or those of a slice."""
        part, matrix = self.decisions, self.matrix
        if rows is not None:
            part = Decisions(part.frame.filter(rows), Source(part.source.name))
            matrix = None if matrix is None else matrix[rows.to_numpy()]
        made: dict[type, Callable[[], Any]] = {}
        if "predicted" in part.frame.columns:
            made[Confusion] = lambda: build_confusion(part, self.positive, self.labels)
        if "score" in part.frame.columns and self.positive is not None:
            positive = self.positive
            made[ThresholdTable] = lambda: build_threshold_table(part, positive)
            if bool(part.frame["score"].is_between(0, 1).all()):
                made[Probabilities] = lambda: build_binary_probabilities(
                    part, positive, self.labels
                )
        if matrix is not None:
            made[Probabilities] = lambda: build_probabilities(
                part, matrix, self.classes, self.positive
            )
            if self.positive in self.classes and len(self.classes) == 2:
                scores = matrix[:, self.classes.index(self.positive)]
                of_positive = Decisions(part.frame.with_columns(score=scores), part.source)
                made.setdefault(
                    ThresholdTable, lambda: build_threshold_table(of_positive, str(self.positive))
                )
        return made

    def scores(
        self,
        measures: Measures = None,
        *,
        profile: str = "assay",
        name: str = "classifier",
        bootstrap: Bootstrap | None = None,
    ) -> Scores:
        """The measures of all items, then of each slice."""
        views = self.views()
        asked = select_measures(measures, "classification", views, NEEDS)
        if measures is None and self.matrix is not None:
            asked += [
                measure_named(name, "classification")
                for view, name in BY_PROBABILITIES.items()
                if view not in views
            ]
        asked = apply_profile(asked, profile)
        results = evaluate_system(name, asked, views, bootstrap)
        for part, rows in self.slices.items():
            results += self._select_slice(asked, name, bootstrap, part, rows)
        return Scores(
            task="classification",
            results=tuple(results),
            conventions=describe_conventions(
                {"decisions": self.decisions},
                bootstrap,
                profile=profile,
                positive=self.positive,
                threshold="at or above",
                decided_at=self.threshold,
                missing=self.policy,
                items=len(self.decisions),
                item=self.item,
                labels=self.order or None,
                slices={part: int(rows.sum()) for part, rows in self.slices.items()},
            ),
            warnings=self.warnings,
            evidence={name: classified_items(self)},
        )

    def _select_slice(
        self,
        asked: list[Measure],
        name: str,
        bootstrap: Bootstrap | None,
        part: str,
        rows: pl.Series,
    ) -> list[Result]:
        return evaluate_system(name, asked, self.views(rows), bootstrap, slice_name=part)


def read_predictions(
    data: Any,
    *,
    truth: str = "truth",
    predicted: str | None = None,
    score: str | None = None,
    probabilities: Wide = None,
    item: str | None = None,
    weight: str | None = None,
    positive: str | None = None,
    by: Sequence[str] = (),
    missing: Policy = "error",
    threshold: float | None = None,
    labels: Labels = None,
) -> Predictions:
    """Read the named columns, check them, and settle the classes and which one is positive.

    With a ``threshold`` the scores decide: at or above it an item is predicted to be positive.
    ``labels`` lists all classes in their order.
    """
    if predicted is None and score is None and probabilities is None:
        raise UsageError(
            "name the column with the predicted class (`predicted`), a score (`score`), or columns"
            " of probabilities (`probabilities`)"
        )
    frame, source = to_frame(data, "the decisions")
    order = listed_labels(labels)
    wide = probability_columns(frame, source, probabilities, order)
    named = {"truth": truth, "predicted": predicted, "score": score, "weight": weight, "item": item}
    given = named_columns(frame, source, named)
    row_slices(frame, source, by)  # What a complaint lists are the columns as they were given.
    needed: dict[str, list[str | None]] = {
        "truth": [truth],
        "prediction": [predicted, score, *wide.values()],
    }
    whole = handle_missing(number_rows(frame, item), source, needed, missing)
    frame, source = whole.frame, whole.source
    if frame.is_empty():
        raise DataError(f"{source.name}: there are no rows to evaluate")
    if item is None and (by or whole.notes):
        named["item"] = ROW
    decisions = Decisions.of(named_columns(frame, source, named), source)
    found = Predictions(
        decisions,
        labels=(),
        positive=positive,
        classes=tuple(wide),
        matrix=probability_matrix(frame, source, wide),
        slices=row_slices(frame, source, by),
        warnings=whole.notes,
        policy=missing,
        item=item,
        order=order or column_order(*(given[each] for each in CLASSES if each in given.columns)),
    )
    if order:
        present = [name for name in CLASSES if name in decisions.frame.columns]
        refuse_unlisted(decisions, present, order)
    labeled = _settle_labels(found, score is not None)
    return labeled if threshold is None else _apply_threshold(labeled, threshold)


def _apply_threshold(answers: Predictions, threshold: float) -> Predictions:
    """The same answers with the classes that the scores predict."""
    columns = answers.decisions.frame.columns
    if math.isnan(threshold):
        raise UsageError("a `threshold` is a number to reach, not nan")
    if "score" not in columns or "predicted" in columns:
        raise UsageError("a `threshold` decides by scores: name them with `score`, not `predicted`")
    if len(answers.labels) != 2 or answers.positive is None:
        raise DataError(
            f"{answers.decisions.source.name}: a `threshold` parts two classes, but there are"
            f" {len(answers.labels)}: {', '.join(answers.labels[:10])}"
        )
    negative = next(each for each in answers.labels if each != answers.positive)
    reached = pl.when(pl.col("score") >= threshold)
    said = reached.then(pl.lit(answers.positive)).otherwise(pl.lit(negative))
    frame = answers.decisions.frame.with_columns(predicted=said)
    return replace(
        answers, decisions=Decisions(frame, answers.decisions.source), threshold=threshold
    )


def _settle_labels(answers: Predictions, has_score: bool) -> Predictions:
    """The same answers with all labels known, the positive class settled and doubts told."""
    frame = answers.decisions.frame
    true = frame["truth"].unique().to_list()
    said = frame["predicted"].unique().to_list() if "predicted" in frame.columns else []
    labels = label_order([*true, *said, *answers.classes], answers.order)
    positive = answers.positive
    if positive is not None:
        require_known_classes(
            labels, [positive], f"{answers.decisions.source.name}: the positive class"
        )
    positive = positive or positive_class(labels)
    warnings = label_warnings(true, said or answers.classes)
    if has_score and positive is None:
        warnings.append(
            "the score is left out: there are more than two classes and none is positive"
        )
    told = (*warnings, *answers.warnings)
    return replace(answers, labels=labels, positive=positive, warnings=told)
