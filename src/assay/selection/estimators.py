"""scikit-learn estimators: scorers for cross-validation, and the evaluation of fitted ones."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.curves import Columns
from assay.core.errors import NeedsInput, UnknownMeasure, UsageError, unknown_name
from assay.core.names import Measure, measure_text
from assay.core.names import measure as measure_named
from assay.engine.scores import Scores
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.formats.arrays import text_of
from assay.measures.scores.curves import RATES, thresholds
from assay.selection.estimator_checks import (
    estimators_by_name,
    known_columns,
    require_one_target,
    require_one_task,
    require_rows,
    require_usable,
)
from assay.selection.learning.decision_scores import decision_scores, same_kind_of_scores
from assay.selection.threshold_goals import measure_goal
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import ClassificationEvidence, classification
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.evidence import Measures
from assay.tasks.inputs.array_columns import is_one_measure, read_arrays
from assay.tasks.label_sets import labelsets
from assay.tasks.regression.regression import regression

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|<|>)\s*([0-9.eE+-]+)\s*")
_RELATIONS: dict[str, Callable[[Any, float], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class Scorer:
    """A measure as scikit-learn calls it: ``scorer(estimator, X, y)``; more is always better."""

    def __init__(self, name: str, at: str | None, positive: Any, profile: str) -> None:
        self.name, self.at, self.positive, self.profile = name, at, positive, profile
        self._requests: dict[str, Any] = {}

    def __repr__(self) -> str:
        at = f", at={self.at!r}" if self.at else ""
        return f"assay.scorer({self.name!r}{at})"

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the value of the measure; a measure of which less is better is negated."""
        task = "regression" if _is_regressor(estimator) else "classification"
        sought = measure_named(self.name, task)
        if task == "regression":
            given = regression(y, estimator.predict(X), sought, weight=sample_weight, interval=None)
            value = next(iter(given[sought.name].values()))
        elif self.at is None:
            value = self._measure(estimator, X, y, sample_weight, sought)
        else:
            value = self._best_at(estimator, X, y, sample_weight)
        return -value if sought.definition.better == "lower" else value

    def _measure(
        self, estimator: Any, items: Any, truth: Any, weight: Any, sought: Measure
    ) -> float:
        evidence = self._evidence(estimator, items, truth, weight, sought.definition.view)
        scores = evidence.scores([sought], interval=None)
        return next(iter(scores[scores.measures[0]].values()))

    def _best_at(self, estimator: Any, items: Any, truth: Any, weight: Any) -> float:
        """Return the best value of the measure at the thresholds that meet the condition."""
        evidence = self._evidence(estimator, items, truth, weight, ThresholdTable)
        table = evidence.first.thresholds
        if table is None:
            raise NeedsInput("a condition needs the scores of two classes; name the `positive` one")
        at = thresholds(table, with_end=True)
        goal = measure_goal(self.name)
        values = goal.value(at)
        usable = _meets(self.at or "", at) & ~np.isnan(values)
        return float(goal.shown(values[usable].max())) if usable.any() else math.nan

    def _evidence(
        self, estimator: Any, items: Any, truth: Any, weight: Any, view: Any
    ) -> ClassificationEvidence:
        answers = _predicted_columns(estimator, items, view, self.positive)
        classes = answers.pop("classes", None)
        columns = ClassificationColumns(
            positive=text_of(self.positive), weight=weight, profile=self.profile, **answers
        )
        return ClassificationEvidence.read(*read_arrays(truth, columns, classes))

    def set_score_request(self, **requests: Any) -> Scorer:
        """Return a scorer that asks scikit-learn's metadata routing for these, as sample_weight."""
        asking = copy(self)
        asking._requests = {**self._requests, **requests}
        return asking

    def get_metadata_routing(self) -> Any:
        """Return what this scorer asks scikit-learn's metadata routing for."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        for name, alias in {"sample_weight": None, **self._requests}.items():
            request.score.add_request(param=name, alias=alias)
        return request


def scorer(
    measure: Any, *, at: str | None = None, positive: Any = None, profile: str = "assay"
) -> Scorer:
    """Return a measure as a scorer for scikit-learn's cross-validation and searches.

    Classes, scores or probabilities are taken from the estimator as the measure needs them. ``at``
    is a condition on a rate, as in ``scorer("TPR", at="FPR<=0.05")``: the best value at a threshold
    that meets it. scikit-learn maximizes, so a measure of which less is better (RMSE, LogLoss) is
    negated. ``positive`` is the positive class.

    >>> import assay
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> assay.scorer("ACC")(model, [[0], [1], [2], [3]], [0, 0, 1, 1])
    1.0
    """
    if not is_one_measure(measure):
        raise UsageError(
            "a scorer has one measure; give scikit-learn a dict of several, such as"
            ' scoring={"MCC": assay.scorer("MCC"), "AUC": assay.scorer("AUC")}'
        )
    measure = measure_text(measure)
    _require_known(measure)
    if at is not None:
        if not isinstance(at, str):
            raise UsageError(f"{at!r} is not a condition on a rate; write at='FPR<=0.05'")
        _rate(_parse_condition(at)[0])
        measure_goal(measure)
    return Scorer(measure, at, positive, profile)


def _require_known(measure: str) -> None:
    """Refuse a name that is a measure of neither classification nor regression."""
    try:
        measure_named(measure, "classification")
    except UnknownMeasure as unknown:
        try:
            measure_named(measure, "regression")
        except UnknownMeasure:
            raise unknown from None


def _label_scores(estimator: Any, X: Any) -> Any:
    """Return items × label: the probability of each label, or its score; None without either."""
    if not hasattr(estimator, "predict_proba"):
        decide = getattr(estimator, "decision_function", None)
        return None if decide is None else decide(X)
    found = estimator.predict_proba(X)
    return np.stack([each[:, 1] for each in found], axis=1) if isinstance(found, list) else found


def evaluate(
    estimator: Any,
    X: Any,
    y: Any,
    measures: Measures = None,
    *,
    by: Any = (),
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    labels: Sequence[Any] | None = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate a fitted classifier or regressor on held-out items, with all measures that apply.

    ``estimator`` may be a list of estimators, or a dict by name. ``by`` names columns of ``X``
    whose values define slices, or holds such columns. Classifiers give predicted classes, and
    probabilities or scores if they have them. ``weight``, or ``sample_weight``, weighs the items; a
    ``y`` of indicators has several labels for each item.

    >>> import assay
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> assay.evaluate(model, [[0], [3], [1]], [0, 1, 1], "ACC")["ACC"]
    {'LogisticRegression': 0.6666666666666666}
    """
    several = estimators_by_name(estimator)
    for name, each in several.items():
        require_usable(name, each)
    require_rows(X, y)
    options: dict[str, Any] = {"interval": interval, "name": next(iter(several), "")}
    weights = sample_weight if weight is None else weight
    rows: dict[str, Any] = {"by": _slices(by, X), "weight": weights}
    items = {name: known_columns(each, X, by) for name, each in several.items()}
    regressors = {name: _is_regressor(each) for name, each in several.items()}
    require_one_task(regressors)
    if all(regressors.values()):
        require_one_target(y)
        predictions = {name: each.predict(items[name]) for name, each in several.items()}
        return regression(y, predictions, measures, **rows, **options)
    if getattr(y, "ndim", 1) == 2 and getattr(y, "shape", (0, 1))[1] > 1:
        if weights is not None:
            raise UsageError("items with several labels have no weights; leave `weight` out")
        sets = {name: each.predict(items[name]) for name, each in several.items()}
        scores = {name: _label_scores(each, items[name]) for name, each in several.items()}
        known = None if any(each is None for each in scores.values()) else scores
        options |= {"by": rows["by"], "classes": labels}
        return labelsets(y, sets, measures, y_score=known, **options)
    answers = {n: _predicted_columns(e, items[n], None, positive) for n, e in several.items()}
    known_scores, notes = same_kind_of_scores(answers, positive)
    found = classification(
        y,
        {name: each["predicted"] for name, each in answers.items()},
        measures,
        y_score=known_scores,
        classes=next(iter(answers.values())).get("classes"),
        positive=positive,
        **rows,
        **options,
    )
    return replace(found, warnings=(*found.warnings, *notes)) if notes else found


def _is_regressor(estimator: Any) -> bool:
    from sklearn.base import is_regressor

    return bool(is_regressor(estimator))


def _predicted_columns(estimator: Any, items: Any, view: Any, positive: Any) -> dict[str, Any]:
    """Return what an estimator predicts for the items, as far as a view needs it."""
    found: dict[str, Any] = {}
    if view in (None, Confusion):
        found["predicted"] = estimator.predict(items)
    if view is not Confusion and hasattr(estimator, "predict_proba"):
        return found | {"score": estimator.predict_proba(items), "classes": estimator.classes_}
    scores = None if view is Confusion else decision_scores(estimator, items, positive)
    if scores is not None:
        found["score"] = scores
    if view is Probabilities or (view is ThresholdTable and "score" not in found):
        name = type(estimator).__name__
        raise NeedsInput(f"this measure needs probabilities or scores, which {name} does not have")
    return found


def _slices(by: Any, items: Any) -> Any:
    """Return the columns that define slices; names are those of the items."""
    names = [by] if isinstance(by, str) else by
    if not isinstance(names, list | tuple) or not all(isinstance(each, str) for each in names):
        return by
    for name in names:
        if name not in getattr(items, "columns", ()):
            raise UsageError(f"there is no column '{name}' in X to slice by; give its values")
    return {name: items[name] for name in names}


def _parse_condition(text: str) -> tuple[str, str, float]:
    """Return the rate, the relation and the limit of a condition."""
    found = _CONDITION.fullmatch(text)
    try:
        return found[1], found[2], float(found[3])  # type: ignore[index]
    except (TypeError, ValueError):
        raise UsageError(f"'{text}' is not a condition on a rate; write at='FPR<=0.05'") from None


def _meets(condition: str, at: Columns) -> Any:
    """Return which thresholds meet a condition such as FPR<=0.05."""
    name, relation, limit = _parse_condition(condition)
    return _RELATIONS[relation](_rate(name)(at), limit)


def _rate(name: str) -> Callable[[Columns], Floats]:
    """Return how a rate or another measure of decisions is computed at each threshold."""
    if name in ("threshold", "TP", "FP", "FN", "TN", *RATES):
        return operator.itemgetter(name)
    try:
        goal = measure_goal(name)
    except UsageError:
        raise unknown_name("rate", name, RATES) from None
    return lambda at: goal.shown(goal.value(at))
