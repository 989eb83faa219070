"""The forms in which traces arrive at their number: line by line, or in a column that runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns


def trace_lines(quantities: Mapping[str, float]) -> Columns:
    """Return the quantities of a formula, one below the other; the last is the number."""
    return {"quantity": list(quantities), "value": np.asarray(list(quantities.values()), float)}


def running_mean(values: Floats, weight: Floats) -> Floats:
    """Return the weighted mean of the values so far, at each value; undefined ones do not count."""
    counts = np.where(np.isnan(values), 0, weight)
    return ratio(np.cumsum(np.where(counts > 0, counts * values, 0)), np.cumsum(counts))


def disagreement_table(seen: Floats, chance: Floats, apart: Floats, name: str) -> Columns:
    """Return observed and chance disagreement for each pair of labels, and 1 − their ratio."""
    observed, expected = np.cumsum(seen * apart), np.cumsum(chance * apart)
    return {
        "seen": seen,
        "by chance": chance,
        "apart": apart,
        "disagreement so far": observed,
        "by chance so far": expected,
        name: 1 - ratio(observed, expected),
    }
