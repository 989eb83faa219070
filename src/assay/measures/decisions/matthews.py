"""Matthews' correlation coefficient."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Undefined, define
from assay.evidence.views.confusion import Confusion
from assay.measures.trace_tables import trace_lines


@define(
    "MCC",
    bounds=(-1, 1),
    aggregate="whole",
    aliases=["matthews", "matthews_corrcoef", "phi"],
    undefined=Undefined(
        truth="all items are truly of one class",
        answer="all items were predicted to be of one class",
    ),
    label="Matthews' correlation coefficient",
    standard=True,
)
def matthews(confusion: Confusion) -> Floats:
    """The correlation between true and predicted class, for any number of classes.

    1 is perfect, 0 is what chance gives, −1 is always wrong (with two classes).

    >>> measure("MCC")(outcomes(tp=95, fp=30, fn=5, tn=70)).round(2)
    array([0.67])
    """
    covariance, of_truth, of_prediction = _spreads(confusion.matrix)
    return np.clip(ratio(covariance, np.sqrt(of_truth) * np.sqrt(of_prediction)), -1, 1)


def _spreads(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    total = matrix.sum(axis=(1, 2))
    right = np.trace(matrix, axis1=1, axis2=2)
    true, said = matrix.sum(axis=2), matrix.sum(axis=1)
    return (
        right * total - (true * said).sum(axis=1),
        total**2 - (true**2).sum(axis=1),
        total**2 - (said**2).sum(axis=1),
    )


@matthews.trace
def matthews_trace(confusion: Confusion) -> Columns:
    """The quantities of the formula, line by line."""
    covariance, of_truth, of_prediction = (part[0] for part in _spreads(confusion.matrix))
    matrix = confusion.matrix[0]
    return trace_lines(
        {
            "items": matrix.sum(),
            "right": np.trace(matrix),
            "covariance: right · items − Σ true · predicted": covariance,
            "spread of the truth: items² − Σ true²": of_truth,
            "spread of the prediction: items² − Σ predicted²": of_prediction,
            "MCC: covariance / √(spread · spread)": matthews(confusion)[0],
        }
    )
