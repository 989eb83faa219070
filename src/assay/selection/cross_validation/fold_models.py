"""What the models of the folds predict for the items that they were not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.arrays import Floats
from assay.core.errors import AssayError, DataError, UsageError
from assay.selection.cross_validation.folds import Fold
from assay.selection.learning.decision_scores import decision_scores
from assay.tasks.evidence import Progress

_SEARCH = ("estimator", "cv", "refit")
"""The parameters by which a search such as GridSearchCV is known."""

_WEIGHTS_OF_STEPS = (
    "a Pipeline hands `sample_weight` on to the steps that request it: call"
    " sklearn.set_config(enable_metadata_routing=True), and set_fit_request(sample_weight=True) of"
    " the model, sample_weight=False of other steps that could take weights"
)


@dataclass(frozen=True)
class TrainingItems:
    """The items, and what training gets beside them."""

    X: Any
    y: npt.NDArray[Any]
    groups: npt.NDArray[Any] | None = None
    weights: Floats | None = None

    @cached_property
    def classes(self) -> npt.NDArray[Any]:
        """The distinct targets in their order."""
        return np.unique(self.y)

    def options(self, estimator: Any, rows: npt.NDArray[np.int64]) -> dict[str, Any]:
        """Return the groups of a search and the weights of these rows, as options of ``fit``."""
        options: dict[str, Any] = {}
        if self.groups is not None and all(hasattr(estimator, name) for name in _SEARCH):
            options["groups"] = self.groups[rows]
        if self.weights is not None:
            options["sample_weight"] = self.weights[rows]
        return options


@dataclass
class Answers:
    """What the model of one fold predicted, item by item."""

    predicted: npt.NDArray[Any]
    scores: Floats | None = None
    """A score, or a probability of each class."""


@dataclass(frozen=True)
class WantedScores:
    """Which scores a classifier is asked for."""

    classes: npt.NDArray[Any]
    positive: Any

    def of(self, model: Any, tested: Any) -> Floats | None:
        """Return the probability of each class, 0 for classes that training lacked, or a score."""
        if hasattr(model, "predict_proba"):
            known = np.asarray(model.predict_proba(tested), dtype=np.float64)
            whole = np.zeros((len(known), len(self.classes)))
            whole[:, np.searchsorted(self.classes, model.classes_)] = known
            return whole
        return decision_scores(model, tested, self.positive) if len(self.classes) == 2 else None


def predict_folds(
    name: str,
    estimator: Any,
    items: TrainingItems,
    folds: Sequence[Fold],
    wanted: WantedScores | None,
    progress: Progress,
) -> list[Answers]:
    """Return the answers of each fold's model on the test rows of the fold."""
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    found = []
    for number, fold in enumerate(folds, 1):
        progress(f"{name}: fold {number} of {len(folds)}")
        try:
            model = clone(estimator).fit(
                _safe_indexing(items.X, fold.train),
                items.y[fold.train],
                **items.options(estimator, fold.train),
            )
            tested = _safe_indexing(items.X, fold.test)
            answers = Answers(np.asarray(model.predict(tested)))
            if wanted is not None:
                answers.scores = wanted.of(model, tested)
        except AssayError:
            raise
        except (TypeError, ValueError, IndexError, AttributeError) as failure:
            if hasattr(estimator, "steps") and "sample_weight parameter" in str(failure):
                raise UsageError(f"{name}: {_WEIGHTS_OF_STEPS}") from failure
            first = next(iter(str(failure).strip().splitlines()), type(failure).__name__)
            raise DataError(f"{name}, fold {fold.name}: {first}") from failure
        found.append(answers)
    return found
