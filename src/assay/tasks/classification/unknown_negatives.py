"""Counts without true negatives: measures that need none of them, and a reason for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from assay.core.names import Measure
from assay.engine.result import Result
from assay.evidence.views.confusion import Confusion

NOT_GIVEN = "tn is not given"
"""The reason where a measure needs the true negatives."""


def known_part(matrix: Confusion) -> Confusion:
    """Return the matrix of the items that are counted."""
    return replace(matrix, matrix=np.nan_to_num(matrix.matrix))


def needs_negatives(measure: Measure) -> bool:
    """Return whether a measure depends on the number of true negatives."""
    if measure.definition.view is not Confusion:
        return True
    probe = Confusion.of(np.asarray([[1.0, 1.0], [1.0, np.nan]]), ("yes", "no"), "yes")
    return bool(np.isnan(measure(probe)).any())


def without_negatives(
    asked: Sequence[Measure], evaluate: Callable[[Sequence[Measure]], list[Result]]
) -> list[Result]:
    """Evaluate on the counted items; measures that need true negatives have no value."""
    return [
        _undefine(result) if needs_negatives(measure) else result
        for measure, result in zip(asked, evaluate(asked), strict=True)
    ]


def _undefine(result: Result) -> Result:
    """Return the result without any value."""
    return replace(
        result,
        values=np.full(len(result.values), np.nan),
        reasons=(NOT_GIVEN,) * len(result.values),
        value=np.nan,
        low=np.nan,
        high=np.nan,
        interval="",
    )
