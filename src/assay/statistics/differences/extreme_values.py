"""Values that are too large to be compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.engine.result import Result

LARGEST_VALUE = 1e150
"""Squares of greater values cannot be added up."""


def extreme_value(results: Sequence[Result], units: Sequence[str], values: Floats) -> DataError:
    """Return the error for the first value that is too large."""
    row, column = np.argwhere(np.abs(values) > LARGEST_VALUE)[0]
    found = results[int(column)]
    return DataError(
        f"{found.measure} of {found.system} is {values[row, column]:g} for the unit"
        f" {units[int(row)]}; only values up to {LARGEST_VALUE:g} can be compared: correct it, or"
        " leave the unit out"
    )
