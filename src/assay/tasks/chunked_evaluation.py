"""Evaluation of a file too large for memory, or of data in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any

from assay.core.errors import UsageError, no_rows
from assay.core.tables import Values
from assay.engine.scores import Scores
from assay.evidence.label_order import Labels, label_order, merge_orders
from assay.evidence.views.confusion import Confusion, build_confusion
from assay.evidence.views.threshold_table import ThresholdTable, build_threshold_table
from assay.evidence.views.value_pairs import ValueMoments, build_value_pairs
from assay.formats.containers import read_chunks, to_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.class_labels import positive_class
from assay.tasks.classification.predictions import NEEDS as OF_ANSWERS
from assay.tasks.classification.predictions import (
    ClassificationColumns,
    ClassPredictions,
    read_table,
)
from assay.tasks.evidence import Measures, describe_conventions, evaluate_system, select_measures
from assay.tasks.inputs.table_columns import named_columns
from assay.tasks.regression.regression import NEEDS as OF_VALUES
from assay.tasks.sklearn_profile import apply_profile

ROWS = 1_000_000
"""How many rows of a file are in memory at once."""


def classification_in_parts(
    parts: Any,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: str | None = None,
    score: str | None = None,
    weight: str | None = None,
    positive: str | None = None,
    labels: Labels = None,
    profile: str = "assay",
    name: str = "classifier",
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    rows: int = ROWS,
) -> Scores:
    """Return the scores of ``classification``, from a file read in parts or from several tables.

    Counts of parts add up exactly, so the result equals that of the whole to the last bit. With a
    score the positive class must be named, since no part knows all labels. ``labels`` lists all
    classes in their order.
    """
    if score is not None and positive is None:
        raise UsageError("name the positive class: one part of the data does not know all labels")
    columns = ClassificationColumns(truth, predicted, score, weight=weight, labels=labels)
    views: dict[type, Any] = {}
    items = 0
    order: tuple[str, ...] = ()
    for part in _read_tables(parts, rows):
        answers = read_table(part, columns)
        items += len(answers.table)
        order = merge_orders(order, answers.order) if answers.order else order
        for kind, view in _count_parts(answers, positive).items():
            views[kind] = views[kind] + view if kind in views else view
    if not items:
        raise no_rows()
    if Confusion in views:
        found = views[Confusion].reorder(label_order(views[Confusion].labels, order))
        views[Confusion] = replace(found, positive=positive or positive_class(found.labels))
    makers: dict[type, Callable[[], Any]] = {kind: partial(views.get, kind) for kind in views}
    asked = apply_profile(select_measures(measures, "classification", makers, OF_ANSWERS), profile)
    return Scores(
        task="classification",
        results=tuple(evaluate_system(name, asked, makers, interval)),
        conventions=describe_conventions(
            {}, interval, profile=profile, positive=positive, items=items
        ),
    )


def _count_parts(answers: ClassPredictions, positive: str | None) -> dict[type, Any]:
    decisions = answers.table
    views: dict[type, Any] = {}
    if "predicted" in decisions.frame.columns:
        extra = () if positive is None else (positive,)
        views[Confusion] = replace(build_confusion(decisions, None, extra), positive=positive)
    if "score" in decisions.frame.columns and positive is not None:
        views[ThresholdTable] = build_threshold_table(decisions, positive)
    return views


def regression_in_parts(
    parts: Any,
    measures: Measures = None,
    *,
    truth: str = "truth",
    predicted: str = "predicted",
    weight: str | None = None,
    name: str = "predictor",
    rows: int = ROWS,
) -> Scores:
    """Return the scores of ``regression`` for measures of moments, from parts of the data.

    Moments of parts merge in centered form. There are no intervals, since items are not kept.
    """
    columns = {"truth": truth, "predicted": predicted, "weight": weight}

    def moments() -> Iterator[ValueMoments]:
        for part in _read_tables(parts, rows):
            frame, source = to_frame(part, "the values")
            values = Values.of(named_columns(frame, source, columns), source)
            yield build_value_pairs(values).moments

    whole: ValueMoments = reduce(add, moments())
    views = {ValueMoments: lambda: whole}
    asked = select_measures(measures, "regression", views, OF_VALUES)
    return Scores(
        task="regression",
        results=tuple(evaluate_system(name, asked, views, None)),
        conventions=describe_conventions({}, None, items=float(whole.weight[0])),
    )


def _read_tables(parts: Any, rows: int) -> Iterable[Any]:
    return read_chunks(parts, rows) if isinstance(parts, str | Path) else parts
