"""Values that are too large to be compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import DataError
from assay.engine.result import Result

LARGEST_VALUE = 1e150
"""Squares of greater values cannot be added up."""


def refuse_extreme_values(results: Sequence[Result], units: Sequence[str], values: Floats) -> None:
    """Refuse values whose differences and squares no number can hold."""
    rows, columns = np.nonzero(np.abs(values) > LARGEST_VALUE)
    if len(rows):
        found = results[int(columns[0])]
        raise DataError(
            f"{found.measure} of {found.system} is {values[rows[0], columns[0]]:g} for the unit"
            f" {units[int(rows[0])]}; only values up to {LARGEST_VALUE:g} can be compared: correct"
            " it, or leave the unit out"
        )
