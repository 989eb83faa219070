"""Classification: decisions to Scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from assay.core.errors import UsageError
from assay.core.tables import Decisions
from assay.engine.scores import Scores
from assay.evidence.confusion import Confusion
from assay.evidence.from_decisions import confusion, threshold_table
from assay.evidence.thresholds import ThresholdTable
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked, chosen, described, scored
from assay.tasks.columns import columns_of

NEEDS = {
    Confusion: "predicted classes: name their column as predicted",
    ThresholdTable: "scores and a positive class: name the column as score, and the positive class",
}
_POSITIVE_WORDS = ("1", "yes", "true", "positive", "pos", "y", "t", "p", "+", "+1")


def classification(
    data: Any,
    measures: Asked = None,
    *,
    truth: str = "truth",
    predicted: str | None = None,
    score: str | None = None,
    weight: str | None = None,
    positive: str | None = None,
    name: str = "classifier",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate the decisions of a classifier, its scores, or both.

    ``data`` is a path, a frame or a dict of columns; the other arguments name its columns. With
    two classes the rates are those of the positive one; with more, of each class against the rest,
    averaged.
    """
    if predicted is None and score is None:
        raise UsageError("name the column with the predicted class (predicted), a score, or both")
    columns = {"truth": truth, "predicted": predicted, "score": score, "weight": weight}
    decisions = Decisions.of(*columns_of(data, columns, "the decisions"))
    chosen_class = positive or _positive_class(decisions.frame)
    warnings = []
    views: dict[type, Callable[[], Any]] = {}
    if predicted is not None:
        views[Confusion] = lambda: confusion(decisions, chosen_class)
    if score is not None and chosen_class is not None:
        views[ThresholdTable] = lambda: threshold_table(decisions, chosen_class)
    elif score is not None:
        warnings.append(
            "the score is left out: there are more than two classes and none is positive"
        )
    asked = chosen(measures, "classification", views, NEEDS)
    return Scores(
        task="classification",
        results=tuple(scored(name, asked, views, bootstrap)),
        conventions=described(
            {"decisions": decisions}, bootstrap, positive=chosen_class, threshold="at or above"
        ),
        warnings=tuple(warnings),
    )


def _positive_class(frame: pl.DataFrame) -> str | None:
    """The class a yes-or-no question is about; None where there are more than two classes."""
    seen = [frame[name] for name in ("truth", "predicted") if name in frame.columns]
    labels = sorted(
        {label for column in seen for label in column.unique().to_list()}, key=str.encode
    )
    if len(labels) != 2:
        return None
    return next((each for each in labels if each.casefold() in _POSITIVE_WORDS), labels[1])
