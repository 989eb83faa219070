"""Cross-validation of scikit-learn estimators to Scores: pooled items, and the values of folds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.arrays import exact_mean
from assay.core.errors import UsageError
from assay.core.phrases import quantity
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.formats.arrays import text_of
from assay.formats.splits import Splits
from assay.selection.cross_validation.folds import Fold, read_folds
from assay.selection.learning.decision_scores import decision_scores
from assay.selection.learning.learners import require_sklearn
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.statistics.paired.folds import corrected_ends
from assay.statistics.significance_tests import ComparisonSettings
from assay.tasks.classification.classification import classification
from assay.tasks.evidence import Progress
from assay.tasks.regression.regression import regression

FOLDS = "folds"
"""The slice whose units are the folds."""
_SEARCH = ("estimator", "cv", "refit")
"""The parameters by which a search such as GridSearchCV is known."""
METHOD = "Student's t, corrected for overlapping folds"


@dataclass
class _Answers:
    """What the models of one estimator predicted, item by item."""

    predicted: npt.NDArray[Any]
    scores: npt.NDArray[np.float64] | None = None
    """A score, or a probability of each class."""


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
) -> Scores:
    """Evaluate an estimator, or a dict of several, on items that its models were not trained on.

    ``cv`` is a number of folds, a splitter of scikit-learn, pairs of training and test rows, or
    splits of ``assay.split_items`` (numbered rows). ``groups`` reach the splitter and, where the
    estimator is a search such as GridSearchCV, the splitter inside it; a search inside a Pipeline
    gets no groups. The slice ``all`` pools the
    predictions of all folds; the slice ``folds`` has the value of each fold, and their mean with an
    interval that allows for the overlap of the training sets.
    """
    require_sklearn()
    from sklearn.base import is_classifier

    estimators = estimator if isinstance(estimator, Mapping) else {_name(estimator): estimator}
    truth = np.asarray(y)
    kinds = {is_classifier(each) for each in estimators.values()}
    if len(kinds) > 1 or not estimators:
        raise UsageError("the estimators are classifiers and others: evaluate them one by one")
    folds = read_folds(cv, X, truth, groups, classifier=True in kinds)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    answers = {
        name: _predict(
            each, X, truth, folds, groups, weights, positive, partial(_say, progress, name)
        )
        for name, each in estimators.items()
    }
    evaluate = _Evaluation(truth, answers, measures, positive, weights, True in kinds)
    return _scores(evaluate, folds, interval, cv)


def _say(progress: Progress, name: str, text: str) -> None:
    progress(f"{name}: {text}")


def _name(estimator: Any) -> str:
    """Return what an estimator is called: its class, or that of a pipeline's last step."""
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    return type(last).__name__


def _predict(
    estimator: Any,
    X: Any,
    truth: npt.NDArray[Any],
    folds: Sequence[Fold],
    groups: Any,
    weights: npt.NDArray[np.float64] | None,
    positive: Any,
    progress: Progress,
) -> list[_Answers]:
    """Return the answers of each fold's model on the test rows of the fold."""
    from sklearn.base import clone, is_classifier
    from sklearn.utils import _safe_indexing

    found = []
    for number, fold in enumerate(folds, 1):
        progress(f"fold {number} of {len(folds)}")
        options: dict[str, Any] = {}
        if groups is not None and all(hasattr(estimator, name) for name in _SEARCH):
            options["groups"] = np.asarray(groups)[fold.train]
        if weights is not None:
            options["sample_weight"] = weights[fold.train]
        model = clone(estimator).fit(_safe_indexing(X, fold.train), truth[fold.train], **options)
        tested = _safe_indexing(X, fold.test)
        answers = _Answers(model.predict(tested))
        if is_classifier(estimator):
            answers.scores = _class_scores(model, tested, np.unique(truth), positive)
        found.append(answers)
    return found


def _class_scores(
    model: Any, tested: Any, classes: npt.NDArray[Any], positive: Any
) -> npt.NDArray[np.float64] | None:
    """Return the probability of each class, with 0 for classes that training lacked, or a score."""
    if hasattr(model, "predict_proba"):
        known = np.asarray(model.predict_proba(tested), dtype=np.float64)
        whole = np.zeros((len(known), len(classes)))
        whole[:, np.searchsorted(classes, model.classes_)] = known
        return whole
    return decision_scores(model, tested, positive) if len(classes) == 2 else None


@dataclass(frozen=True)
class _Evaluation:
    """What is needed to evaluate some of the answers."""

    truth: npt.NDArray[Any]
    answers: Mapping[str, Sequence[_Answers]]
    measures: Any
    positive: Any
    weights: npt.NDArray[np.float64] | None
    classifies: bool

    def scores(
        self, folds: Sequence[Fold], numbers: Sequence[int], interval: Bootstrap | None
    ) -> Scores:
        """Return the scores of the answers of some folds together."""
        rows = np.concatenate([folds[n].test for n in numbers])
        predicted = {
            name: np.concatenate([own[n].predicted for n in numbers])
            for name, own in self.answers.items()
        }
        options: dict[str, Any] = {"item": rows + 1, "interval": interval}
        if self.weights is not None:
            options["weight"] = self.weights[rows]
        if not self.classifies:
            return regression(self.truth[rows], predicted, self.measures, **options)
        options |= {"y_score": self._class_scores(numbers), "positive": self.positive}
        classes = np.unique(self.truth)
        scored = options["y_score"] is not None
        options |= {"classes": classes.tolist()} if scored else {}
        labels = [str(text_of(each)) for each in classes.tolist()]
        return classification(self.truth[rows], predicted, self.measures, labels=labels, **options)

    def _class_scores(self, numbers: Sequence[int]) -> dict[str, Any] | None:
        """Return the scores by system; the positive column of two classes; None if one has none."""
        found: dict[str, Any] = {}
        for name, own in self.answers.items():
            parts = [own[n].scores for n in numbers]
            if any(part is None for part in parts):
                return None
            found[name] = np.concatenate(parts)  # type: ignore[arg-type]
        wide = {each.ndim for each in found.values()}
        if wide == {1, 2}:
            return None
        return found


def _scores(
    evaluation: _Evaluation, folds: Sequence[Fold], interval: Bootstrap | None, cv: Any
) -> Scores:
    """Return the pooled results, and the results of the folds."""
    by_fold = [evaluation.scores(folds, [n], None) for n in range(len(folds))]
    tested = np.concatenate([fold.test for fold in folds])
    once = len(np.unique(tested)) == len(tested)
    whole = evaluation.scores(folds, range(len(folds)), interval if once else None)
    pooled = whole.results if once else ()
    notes = list(whole.warnings)
    if not once:
        notes.append("items are tested more than once, so that only the folds are evaluated")
    else:
        notes.append(
            f"the slice {FOLDS} has the mean over {len(folds)} folds, with an interval that allows"
            " for the overlap of their training sets"
        )
    left = len(evaluation.truth) - len(np.unique(tested))
    if left:
        notes.append(f"{quantity(left, 'item')} of {len(evaluation.truth)} in no test fold")
    notes += _coverage_notes(folds, once)
    means = [
        _fold_result(
            [scores.results[at] for scores in by_fold],
            each,
            folds,
            interval,
            FOLDS if once else ALL,
        )
        for at, each in enumerate(whole.results)
    ]
    conventions = {**whole.conventions, "folds": _describe(cv, folds)}
    return replace(whole, results=(*pooled, *means), conventions=conventions, warnings=tuple(notes))


def _fold_result(
    results: Sequence[Result],
    whole: Result,
    folds: Sequence[Fold],
    interval: Bootstrap | None,
    slice_name: str,
) -> Result:
    """Return the values of the folds as one result, with their mean and its interval."""
    values = np.array([each.value for each in results])
    kept = values[np.isfinite(values)]
    reasons = tuple(
        None if math.isfinite(each.value) else next(iter(each.undefined), "undefined in the fold")
        for each in results
    )
    low = high = math.nan
    if interval is not None and len(kept) > 1:
        share = float(np.mean([len(fold.test) / len(fold.train) for fold in folds]))
        settings = ComparisonSettings(test_share=share)
        low, high = (
            float(np.squeeze(end))
            for end in corrected_ends(kept[:, None], settings, interval.confidence)
        )
    return replace(
        whole,
        slice=slice_name,
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


def _coverage_notes(folds: Sequence[Fold], once: bool) -> list[str]:
    """Return how far the intervals over folds can be trusted."""
    if not once:
        return ["the interval over repeated folds is too narrow: at 95 % it covers about 76 %"]
    if len(folds) >= 10:
        return ["the interval over 10 and more folds is too narrow: at 95 % it covers about 85 %"]
    return []


def _describe(cv: Any, folds: Sequence[Fold]) -> dict[str, Any]:
    """Return how the folds were made, for the conventions."""
    if isinstance(cv, Splits):
        return {**cv.made, "digest": cv.digest}
    made = f"{cv} folds" if isinstance(cv, int) else type(cv).__name__
    return {"made": made, "number": len(folds)}
