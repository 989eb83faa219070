"""Features on a common scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.core.arrays import Floats


def standard_scale(matrix: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of each column that is known; 1 in place of 0."""
    spread = np.nanstd(matrix, axis=0)
    return np.nanmean(matrix, axis=0), np.where(spread > 0, spread, 1.0)


def standardize(matrix: Floats, by: Any = slice(None)) -> Floats:
    """Return columns less their mean and divided by their standard deviation over some rows."""
    center, scale = standard_scale(matrix[by])
    return np.asarray((matrix - center) / scale)
