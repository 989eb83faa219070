"""Scores of the positive class from the decision function of a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.evidence.labels import positive_class
from assay.formats.arrays import text_of

OUTLIER_CLASSES = (-1, 1)
"""The classes of outlier detectors, which have no ``classes_``."""


def decision_scores(model: Any, items: Any, positive: Any) -> Floats | None:
    """Return the scores of the positive class; None if there is not one score for each item.

    scikit-learn scores the second of two classes, so the scores of the first are negated.
    """
    if not hasattr(model, "decision_function"):
        return None
    scores = np.asarray(model.decision_function(items), dtype=np.float64)
    if scores.ndim != 1:
        return None
    labels = [str(text_of(each)) for each in getattr(model, "classes_", OUTLIER_CLASSES)]
    wanted = positive_class(labels) if positive is None else text_of(positive)
    return -scores if wanted == labels[0] else scores


def same_kind_of_scores(
    answers: Mapping[str, Mapping[str, Any]], positive: Any
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the scores of classifiers by name, of one kind for all, and notes on what is left out.

    Where some have probabilities of two classes and others a score, those of the positive class are
    scores too. Of more classes only probabilities are used, if all have them.
    """
    scores = {name: each["score"] for name, each in answers.items() if "score" in each}
    wide = [name for name, each in scores.items() if np.ndim(each) == 2]
    if len(wide) < len(scores) and wide:
        scores |= {
            name: _of_positive(scores[name], answers[name]["classes"], positive) for name in wide
        }
    lacking = [name for name in answers if name not in scores]
    if not lacking:
        return scores, []
    said = f"{', '.join(lacking)}: no probabilities or scores, so that those of others are not used"
    return None, [said] if scores else []


def _of_positive(matrix: Any, classes: Any, positive: Any) -> Any:
    """Return the column of the positive class, of two."""
    labels = [str(text_of(each)) for each in classes]
    wanted = positive_class(labels) if positive is None else text_of(positive)
    return matrix[:, labels.index(str(wanted))]
