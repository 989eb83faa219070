"""Classification: decisions to Scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.engine.scores import Scores
from assay.evidence.label_order import Labels
from assay.evidence.views.confusion import Confusion
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.class_labels import positive_class
from assay.tasks.classification.predictions import NEEDS, Predictions
from assay.tasks.classification.predictions import read_predictions as read_predictions
from assay.tasks.classification.probability_columns import Wide
from assay.tasks.evaluation import Measures, describe_conventions, evaluate_system, select_measures
from assay.tasks.inputs.missing_values import Policy
from assay.tasks.sklearn_profile import apply_profile


def classification(
    data: Any,
    measures: Measures = None,
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
    profile: str = "assay",
    name: str = "classifier",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate the decisions of a classifier, its scores, its probabilities, or several of these.

    ``data`` is a path, a frame, a dict of columns or a confusion matrix; the other arguments name
    its columns. With two classes the rates are those of the positive one; with more, of each class
    against the rest, averaged. ``by`` names columns whose values make slices. ``item`` names the
    items, by which classifiers are paired; else they are numbered as they are given. With a
    ``threshold`` the scores decide: at or above it an item is predicted to be positive. ``labels``
    lists all classes in their order, which weighted kappa depends on; by default an Enum or ordered
    Categorical column sets it, numbers are ordered by value and words by name.
    """
    if isinstance(data, Confusion):
        if labels is not None:
            data = data.listed(labels)
        return confusion_scores(data, measures, name=name, profile=profile, bootstrap=bootstrap)
    answers = (
        data
        if isinstance(data, Predictions)
        else read_predictions(
            data,
            truth=truth,
            predicted=predicted,
            score=score,
            probabilities=probabilities,
            item=item,
            weight=weight,
            positive=positive,
            by=by,
            missing=missing,
            threshold=threshold,
            labels=labels,
        )
    )
    return answers.scores(measures, profile=profile, name=name, bootstrap=bootstrap)


def confusion_scores(
    matrix: Confusion,
    measures: Measures = None,
    *,
    name: str = "classifier",
    profile: str = "assay",
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """The measures of a confusion matrix that exists already."""
    settled = settle_positive_class(matrix)
    views = {Confusion: lambda: settled}
    asked = apply_profile(select_measures(measures, "classification", views, NEEDS), profile)
    return Scores(
        task="classification",
        results=tuple(evaluate_system(name, asked, views, bootstrap)),
        conventions=describe_conventions({}, bootstrap, profile=profile, positive=settled.positive),
    )


def settle_positive_class(matrix: Confusion) -> Confusion:
    """The matrix with its positive class settled, if there are two classes and none is named."""
    if matrix.positive is not None:
        return matrix
    return replace(matrix, positive=positive_class(matrix.labels))
