"""Scores of the positive class from the decision function of a classifier."""

from __future__ import annotations

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
