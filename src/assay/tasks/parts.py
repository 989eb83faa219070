"""A file too large to hold, or data that comes in pieces: counted part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any

from assay.core.errors import DataError, UsageError
from assay.core.tables import Values
from assay.engine.scores import Scores
from assay.evidence.confusion import Confusion
from assay.evidence.from_decisions import confusion, threshold_table
from assay.evidence.from_values import value_pairs
from assay.evidence.label_order import Labels, label_order, merge_orders
from assay.evidence.moments import ValueMoments
from assay.evidence.thresholds import ThresholdTable
from assay.formats.containers import frame_of
from assay.formats.parts import read_parts
from assay.statistics.intervals import Bootstrap
from assay.tasks.answers import NEEDS as OF_ANSWERS
from assay.tasks.answers import Answers, read_answers
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import named_columns
from assay.tasks.labels import positive_class
from assay.tasks.regression import NEEDS as OF_VALUES
from assay.tasks.sklearn_profile import under_profile

ROWS = 1_000_000
"""So many rows of a file are held at once."""


def classification_in_parts(
    parts: Any,
    measures: Asked = None,
    *,
    truth: str = "truth",
    predicted: str | None = None,
    score: str | None = None,
    weight: str | None = None,
    positive: str | None = None,
    labels: Labels = None,
    profile: str = "assay",
    name: str = "classifier",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    rows: int = ROWS,
) -> Scores:
    """As ``classification``, from a file read in pieces or from any number of tables.

    Counts of parts add up exactly, so the result is that of the whole to the last bit. With a
    score the positive class must be named, since no part knows all labels. ``labels`` lists all
    classes in their order.
    """
    if score is not None and positive is None:
        raise UsageError("name the positive class: one part of the data does not know all labels")
    views: dict[type, Any] = {}
    items = 0
    order: tuple[str, ...] = ()
    for part in _tables(parts, rows):
        answers = read_answers(
            part, truth=truth, predicted=predicted, score=score, weight=weight, labels=labels
        )
        items += len(answers.decisions)
        order = merge_orders(order, answers.order) if answers.order else order
        for kind, view in _counted(answers, positive).items():
            views[kind] = views[kind] + view if kind in views else view
    if not items:
        raise DataError("there are no rows to evaluate")
    if Confusion in views:
        found = views[Confusion].reordered(label_order(views[Confusion].labels, order))
        views[Confusion] = replace(found, positive=positive or positive_class(found.labels))
    makers: dict[type, Callable[[], Any]] = {kind: partial(views.get, kind) for kind in views}
    asked = under_profile(chosen(measures, "classification", makers, OF_ANSWERS), profile)
    return Scores(
        task="classification",
        results=tuple(scored(name, asked, makers, bootstrap)),
        conventions=described({}, bootstrap, profile=profile, positive=positive, items=items),
    )


def _counted(answers: Answers, positive: str | None) -> dict[type, Any]:
    decisions = answers.decisions
    views: dict[type, Any] = {}
    if "predicted" in decisions.frame.columns:
        extra = () if positive is None else (positive,)
        views[Confusion] = replace(confusion(decisions, None, extra), positive=positive)
    if "score" in decisions.frame.columns and positive is not None:
        views[ThresholdTable] = threshold_table(decisions, positive)
    return views


def regression_in_parts(
    parts: Any,
    measures: Asked = None,
    *,
    truth: str = "truth",
    predicted: str = "predicted",
    weight: str | None = None,
    name: str = "predictor",
    rows: int = ROWS,
) -> Scores:
    """As ``regression`` for the measures that moments suffice for, from pieces of the data.

    Moments of parts merge by their centred form. There are no intervals: the items are gone.
    """
    columns = {"truth": truth, "predicted": predicted, "weight": weight}

    def moments() -> Iterator[ValueMoments]:
        for part in _tables(parts, rows):
            frame, source = frame_of(part, "the values")
            values = Values.of(named_columns(frame, source, columns), source)
            yield value_pairs(values).moments

    whole: ValueMoments = reduce(add, moments())
    views = {ValueMoments: lambda: whole}
    asked = chosen(measures, "regression", views, OF_VALUES)
    return Scores(
        task="regression",
        results=tuple(scored(name, asked, views, None)),
        conventions=described({}, None, items=float(whole.weight[0])),
    )


def _tables(parts: Any, rows: int) -> Iterable[Any]:
    return read_parts(parts, rows) if isinstance(parts, str | Path) else parts
