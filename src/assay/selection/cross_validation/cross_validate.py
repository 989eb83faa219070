"""Cross-validation of scikit-learn estimators to Scores: pooled items, and the values of folds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import exact_mean
from assay.core.errors import UsageError
from assay.core.names import measure as measure_named
from assay.core.names import measures as measures_named
from assay.core.phrases import quantity
from assay.core.progress import with_progress
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.evidence.views.confusion import Confusion
from assay.formats.arrays import text_of
from assay.formats.splits import Splits
from assay.selection.cross_validation.fold_intervals import METHOD, Overlap
from assay.selection.cross_validation.fold_models import (
    Answers,
    TrainingItems,
    WantedScores,
    predict_folds,
)
from assay.selection.cross_validation.folds import Fold, read_folds
from assay.selection.cross_validation.sklearn_options import read_options
from assay.selection.learning.learners import require_sklearn
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.evidence import Measures, Progress
from assay.tasks.inputs.array_columns import read_arrays, require_length
from assay.tasks.regression.predictions import RegressionColumns
from assay.tasks.regression.regression import RegressionEvidence

FOLDS = "folds"
"""The slice whose units are the folds."""
Evidence = ClassificationEvidence | RegressionEvidence


@with_progress
def cross_validate(
    estimator: Any,
    X: Any,
    y: Any,
    measures: Any = None,
    *,
    cv: Any = 5,
    groups: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
    progress: Progress = lambda text: None,
    **options: Any,
) -> Scores:
    """Evaluate an estimator, or a dict of several, on items that its models were not trained on.

    ``cv`` is a number of folds, a splitter of scikit-learn, pairs of training and test rows, or
    splits of ``assay.split_items`` (numbered rows). ``groups`` reach the splitter and, where the
    estimator is a search such as GridSearchCV, the splitter inside it; a search inside a Pipeline
    gets no groups: put the Pipeline inside the search. The slice ``all`` pools the predictions of
    all folds; the slice ``folds`` has the value of each fold and their mean. Both have intervals
    that allow for the overlap of the training sets. Options of scikit-learn's function, such as
    ``n_jobs`` and ``return_estimator``, have no effect, which the warnings say.
    """
    require_sklearn()
    notes = read_options(options, ("measures", "cv", "groups", "sample_weight", "positive"))
    estimators = estimator if isinstance(estimator, Mapping) else {_name(estimator): estimator}
    classifies = _are_classifiers(estimators)
    task = "classification" if classifies else "regression"
    items = _read_items(X, y, groups, sample_weight)
    if isinstance(cv, str | Path):
        cv = Splits.read(cv, "item")
    folds = read_folds(cv, X, items.y, items.groups, classifier=classifies)
    wanted = None
    if classifies and _need_scores(measures, task):
        wanted = WantedScores(items.classes, positive)
    answers = {
        name: predict_folds(name, each, items, folds, wanted, progress)
        for name, each in estimators.items()
    }
    evaluation = _Evaluation(items, folds, answers, positive, classifies)
    scores = _scores(evaluation, measures, interval, _describe(cv, folds))
    return replace(scores, warnings=(*scores.warnings, *notes)) if notes else scores


def _name(estimator: Any) -> str:
    """Return what an estimator is called: its class, or that of a pipeline's last step."""
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    return type(last).__name__


def _are_classifiers(estimators: Mapping[str, Any]) -> bool:
    """Return whether the estimators classify; refuse a mixture, and what is no estimator."""
    from sklearn.base import is_classifier

    for name, each in estimators.items():
        if isinstance(each, type) or not (hasattr(each, "fit") and hasattr(each, "predict")):
            raise UsageError(
                f"`estimator`: {name} cannot be trained: an estimator of scikit-learn with fit and"
                " predict is expected, or a dict of these by name"
            )
    kinds = {bool(is_classifier(each)) for each in estimators.values()}
    if len(kinds) != 1:
        raise UsageError("the estimators are classifiers and others: evaluate them one by one")
    return True in kinds


def _read_items(X: Any, y: Any, groups: Any, sample_weight: Any) -> TrainingItems:
    """Return the items with their groups and weights; refuse arrays of other lengths."""
    truth = np.asarray(y)
    if truth.ndim != 1 or not len(truth):
        raise UsageError(
            f"`y` has the shape {truth.shape}: a target for each item is expected, in one column"
        )
    try:
        size = X.shape[0] if hasattr(X, "shape") else len(X)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError, IndexError):
        raise UsageError(
            "`X` is a table with a row for each item, and `sample_weight` has a number for each"
        ) from None
    labels = None if groups is None else np.asarray(groups)
    for name, length in (
        ("X", size),
        ("groups", None if labels is None else labels.size),
        ("sample_weight", None if weights is None else weights.size),
    ):
        if length is not None:
            require_length(length, len(truth), name)
    return TrainingItems(X, truth, labels, weights)


def _need_scores(measures: Measures, task: str) -> bool:
    """Return whether the measures are computed from more than predicted classes."""
    if measures is None:
        return True
    return any(each.definition.view is not Confusion for each in measures_named(measures, task))


@dataclass(frozen=True)
class _Evaluation:
    """The items in the order of the folds that test them, and what was predicted."""

    items: TrainingItems
    folds: Sequence[Fold]
    answers: Mapping[str, Sequence[Answers]]
    positive: Any
    classifies: bool

    @cached_property
    def times(self) -> npt.NDArray[np.int64]:
        """How often each item is tested."""
        tested = np.concatenate([fold.test for fold in self.folds])
        return np.bincount(tested, minlength=len(self.items.y))

    @property
    def tested_once(self) -> bool:
        """Whether no item is tested twice."""
        return bool(self.times.max() == 1)

    def evidence(self) -> Evidence:
        """Return the answers of all folds as evidence."""
        rows = np.concatenate([fold.test for fold in self.folds])
        columns: dict[str, Any] = {
            "predicted": {
                name: np.concatenate([each.predicted for each in own])
                for name, own in self.answers.items()
            },
            "item": rows + 1 if self.tested_once else None,
        }
        if self.items.weights is not None:
            columns["weight"] = self.items.weights[rows]
        truth = self.items.y[rows]
        if not self.classifies:
            return RegressionEvidence.read(*read_arrays(truth, RegressionColumns(**columns)))
        classes = self.items.classes.tolist()
        columns |= {
            "score": self._class_scores(),
            "positive": text_of(self.positive),
            "labels": [str(text_of(each)) for each in classes],
        }
        given = ClassificationColumns(**columns)
        return ClassificationEvidence.read(*read_arrays(truth, given, classes))

    def _class_scores(self) -> dict[str, npt.NDArray[np.float64]] | None:
        """Return the scores by system; None if one has none, or they are of two kinds."""
        found: dict[str, npt.NDArray[np.float64]] = {}
        for name, own in self.answers.items():
            parts = [each.scores for each in own if each.scores is not None]
            if len(parts) < len(own):
                return None
            found[name] = np.concatenate(parts)
        return found if len({each.ndim for each in found.values()}) == 1 else None

    def by_fold(self, evidence: Evidence, measures: Measures) -> Iterable[list[Result]]:
        """Yield the results of every system on each fold."""
        selected = evidence.select_measures(measures)
        number = np.repeat(np.arange(len(self.folds)), [len(fold.test) for fold in self.folds])
        slices = {f"{FOLDS} {at}": pl.Series(number == at) for at in range(len(self.folds))}
        parts = evidence.with_slices(slices)
        for name in slices:
            yield [
                each
                for system in parts.systems
                for each in parts.evaluate_slice(system, name, selected, None)
            ]


def _scores(
    evaluation: _Evaluation,
    measures: Measures,
    interval: Bootstrap | None,
    made: Mapping[str, Any],
) -> Scores:
    """Return the pooled results, and the results of the folds."""
    folds, evidence = evaluation.folds, evaluation.evidence()
    by_fold = list(evaluation.by_fold(evidence, measures))
    once = evaluation.tested_once
    whole = evidence.scores(measures, interval=interval if once else None)
    overlap = Overlap.of(folds)
    means = [
        _fold_result([own[at] for own in by_fold], each, folds, overlap, interval, evidence.task)
        for at, each in enumerate(whole.results)
    ]
    if once:
        pooled = [overlap.widen(each, evidence.task) for each in whole.results]
        notes = [
            f"the slice {FOLDS} has the mean over {len(folds)} folds; intervals of values allow for"
            " the overlap of their training sets"
        ]
    else:
        pooled = []
        means = [replace(each, slice=ALL) for each in means]
        notes = ["items are tested more than once, so that only the folds are evaluated"]
    left = int(np.count_nonzero(evaluation.times == 0))
    if left:
        notes.append(f"{quantity(left, 'item')} of {len(evaluation.times)} in no test fold")
    described = {**made, **({"widening": overlap.widening} if once else {})}
    return replace(
        whole,
        results=(*pooled, *means),
        evidence=whole.evidence if once else {},  # by folds, no item is compared
        conventions={**whole.conventions, "folds": described, "test_share": overlap.test_share},
        warnings=(*whole.warnings, *notes, *overlap.notes()),
    )


def _fold_result(
    results: Sequence[Result],
    whole: Result,
    folds: Sequence[Fold],
    overlap: Overlap,
    interval: Bootstrap | None,
    task: str,
) -> Result:
    """Return the values of the folds as one result, with their mean and its interval."""
    values = np.array([each.value for each in results])
    kept = values[np.isfinite(values)]
    reasons = tuple(
        None if math.isfinite(each.value) else next(iter(each.undefined), "undefined in the fold")
        for each in results
    )
    bounds = measure_named(whole.measure, task).definition.bounds
    low = high = math.nan
    if interval is not None:
        low, high = overlap.ends(kept, interval.confidence, bounds)
    return replace(
        whole,
        slice=FOLDS,
        units=tuple(fold.name for fold in folds),
        values=values,
        reasons=reasons,
        value=exact_mean(kept) if len(kept) else math.nan,
        aggregate="mean",
        unit_kind="fold",
        low=low,
        high=high,
        interval=METHOD if math.isfinite(low) else "",
    )


def _describe(cv: Any, folds: Sequence[Fold]) -> dict[str, Any]:
    """Return how the folds were made, for the conventions."""
    if isinstance(cv, Splits):
        return {**cv.made, "digest": cv.digest}
    made = f"{cv} folds" if isinstance(cv, int) else type(cv).__name__
    return {"made": made, "number": len(folds)}
