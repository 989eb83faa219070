"""The effect of preparation: features left out, normalized and cleansed data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.errors import UsageError, unknown_name
from assay.core.names import measure as named_measure
from assay.core.phrases import quantity
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.selection.curves.fold_errors import fold_rows
from assay.selection.learning.learners import require_sklearn
from assay.selection.learning.training_data import TrainingData
from assay.selection.learning_tasks.item_table import ItemTable, read_item_table
from assay.selection.learning_tasks.preparation_changes import (
    FoldTest,
    changes_by_slice,
    changes_of,
    fold_scores,
)
from assay.selection.learning_tasks.task_result import (
    TaskResult,
    learning_task,
    score_predictions,
)
from assay.selection.scaling import standard_scale
from assay.statistics.intervals.table_intervals import clip_to_bounds
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Measures, Progress

PLAIN = "as it is"
MOST_FEATURES = 20
"""Of more features the first are left out one by one."""
FAR = 3.0
"""Training items with a feature beyond so many standard deviations are outliers."""
Prepared = tuple[Floats, Any, Floats]
"""Training features, training target and test features."""
Step = Callable[[Floats, Any, Floats], Prepared]


def _plain(train: Floats, target: Any, test: Floats) -> Prepared:
    return train, target, test


def _standardize(train: Floats, target: Any, test: Floats) -> Prepared:
    center, scale = standard_scale(train)
    return (train - center) / scale, target, (test - center) / scale


def _min_max(train: Floats, target: Any, test: Floats) -> Prepared:
    low, width = train.min(axis=0), np.ptp(train, axis=0)
    scale = np.where(width > 0, width, 1.0)
    return (train - low) / scale, target, (test - low) / scale


def _decorrelate(train: Floats, target: Any, test: Floats) -> Prepared:
    """Turn the standardized features to their main components, all with variance 1."""
    train, target, test = _standardize(train, target, test)
    values, axes = np.linalg.eigh(np.atleast_2d(np.cov(train.T, bias=True)))
    kept = values > 1e-10 * max(float(values.max()), 1e-300)
    turn = axes[:, kept] / np.sqrt(values[kept])
    return train @ turn, target, test @ turn


def _cleanse(train: Floats, target: Any, test: Floats) -> Prepared:
    """Leave training items with an extreme feature out; test items stay."""
    away = np.abs(_standardize(train, target, train)[0])
    kept = (away <= FAR).all(axis=1)
    if kept.sum() < 2 or len(np.unique(target[kept])) < 2:
        kept = np.ones(len(train), dtype=np.bool_)
    return train[kept], target[kept], test


def _clip(train: Floats, target: Any, test: Floats) -> Prepared:
    """Move extreme features to three standard deviations from the mean."""
    center, spread = train.mean(axis=0), train.std(axis=0)
    low, high = center - FAR * spread, center + FAR * spread
    return np.clip(train, low, high), target, np.clip(test, low, high)


STEPS: Mapping[str, Step] = {
    "standardized": _standardize,
    "min-max": _min_max,
    "decorrelated": _decorrelate,
    "outliers removed": _cleanse,
    "outliers clipped": _clip,
}
"""Preparations by name; each learns from the training items alone."""


def _leave_out(columns: Ints) -> Step:
    return lambda train, target, test: (
        np.delete(train, columns, axis=1), target, np.delete(test, columns, axis=1)
    )  # fmt: skip


def _leave_each_out(table: ItemTable) -> dict[str, Step]:
    """Return a step for each of the first features; a category is left out with all its columns."""
    if len(table.names) < 2:
        return {}
    widths = [max(1, count) for count in table.category_counts]
    parts = np.split(np.arange(sum(widths)), np.cumsum(widths)[:-1])
    pairs = list(zip(table.names, parts, strict=True))[:MOST_FEATURES]
    return {f"without {name}": _leave_out(columns) for name, columns in pairs}


def _learner(name: Any, task: str) -> Any:
    """Return an estimator that does not scale features by itself."""
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    if not isinstance(name, str):
        return name
    numbers = task == "regression"
    known = {
        "neighbors": KNeighborsRegressor if numbers else KNeighborsClassifier,
        "linear": Ridge if numbers else lambda: LogisticRegression(max_iter=2000),
        "tree": lambda: (DecisionTreeRegressor if numbers else DecisionTreeClassifier)(
            random_state=0, max_depth=5
        ),
        **({} if numbers else {"bayes": GaussianNB}),
    }
    if name not in known:
        raise unknown_name("learner", name, known)
    return known[name]()


@dataclass(frozen=True, repr=False, kw_only=True)
class Preparation(TaskResult):
    """A learner with each preparation, and the change in the measure."""

    title: ClassVar[str] = "Effect of preparation"
    systems: ClassVar[str] = "preparations"

    changes: pl.DataFrame
    """A row for each preparation: the measure, its change, the interval and the test."""
    measure: str


@learning_task
def preparation(
    data: Any,
    target: Any,
    *,
    features: Sequence[str] | str | None = None,
    task: str | None = None,
    learner: Any = "neighbors",
    steps: Mapping[str, Step] | None = None,
    folds: int = 5,
    measures: Measures = None,
    by: Any = (),
    seed: int = 1,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
) -> Preparation:
    """Evaluate a learner on data as it is and prepared, with the change in the measure.

    Each feature is left out once; features are standardized, scaled to 0 and 1, and decorrelated;
    outliers among the training items are removed or clipped. ``steps`` are further preparations by
    name: functions of training features, training target and test features that return all three.
    ``learner`` is neighbors, linear, tree, bayes or a scikit-learn estimator. All see the same
    folds; the change has the corrected resampled t-test over folds.
    """
    require_sklearn()
    table = read_item_table(data, target, features, task, by=by)
    table.require_differences()
    estimator = _learner(learner, table.task)
    without = _leave_each_out(table)
    variants: dict[str, Step] = {PLAIN: _plain, **STEPS, **(steps or {}), **without}
    parts = fold_rows(TrainingData(table.matrix(), table.truth, table.task), folds, seed)
    answers = {}
    for name, step in variants.items():
        progress(name)
        answers[name] = _predict(estimator, step, table, parts)
    share = float(np.mean([len(test) / len(train) for train, test in parts]))
    pooled = score_predictions(table, answers, measures, interval=interval)
    scores = _widen(pooled, float(np.sqrt(1 + len(parts) * share)), table.task)
    measure = scores.measures[0]
    by_fold = fold_scores(table, answers, parts, measure)
    settings = FoldTest(PLAIN, share, interval or Bootstrap())
    changes = changes_of(scores, by_fold, settings)
    by_slice, too_few = changes_by_slice(scores, by_fold, settings)
    rest = len(table.names) - len(without) if without else 0
    return Preparation(
        scores=scores,
        comparison=None,
        tables={"changes": changes} | by_slice,
        notes=(*_notes(folds, rest), *too_few, *table.feature_notes()),
        changes=changes,
        measure=measure,
    )


def _predict(estimator: Any, step: Step, table: ItemTable, parts: Sequence[Any]) -> Any:
    """Return what a learner predicts for each item, trained without its fold."""
    from sklearn.base import clone

    matrix, truth = table.matrix(), table.truth
    answers = np.empty(len(table), dtype=truth.dtype)
    for train, test in parts:
        prepared, target, tested = step(matrix[train], truth[train], matrix[test])
        try:
            answers[test] = clone(estimator).fit(prepared, target).predict(tested)
        except (ValueError, TypeError) as failure:
            raise UsageError(
                f"{table.source.name}: the learner cannot be trained on"
                f" {quantity(len(target), 'item')}: {failure}"
            ) from None
    return answers


def _widen(scores: Scores, factor: float, task: str) -> Scores:
    """Return intervals of pooled folds, wider since the training sets overlap."""

    def wider(each: Result) -> Result:
        """Move both ends away from the value, within the bounds of the measure."""
        low, high = (each.value + factor * (end - each.value) for end in (each.low, each.high))
        low, high = clip_to_bounds(named_measure(each.measure, task), low, high)
        return replace(each, low=low, high=high)

    return replace(scores, results=tuple(wider(each) for each in scores.results))


def _notes(folds: int, rest: int) -> list[str]:
    """Return how changes are tested, and how many features were not left out."""
    tested = (
        f"{quantity(folds, 'fold')}; changes are means over folds, by the corrected resampled"
        " t-test, p-values corrected by holm"
    )
    return [tested, *([f"{quantity(rest, 'further feature')} not left out"] if rest else [])]
