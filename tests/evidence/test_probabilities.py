"""Parts of a set of forecasts make the whole, or say why they do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.core.errors import DataError
from assay.core.names import measure
from assay.testing import forecasts


def test_true_distributions_of_both_parts_are_kept() -> None:
    first, second = forecasts("ab", [[0.9, 0.1], [0.3, 0.7]]), forecasts("a", [[0.6, 0.4]])
    first = replace(first, expected=np.asarray([[0.8, 0.2], [0.5, 0.5]]))
    second = replace(second, classes=first.classes, expected=np.asarray([[0.7, 0.3]]))
    both = first + second
    assert both.expected is not None
    assert both.expected.tolist() == [[0.8, 0.2], [0.5, 0.5], [0.7, 0.3]]
    assert len(measure("CE", "classification")(both.by("item"))) == 3
    assert both.by("item").units == ("1", "2", "3")


def test_parts_of_different_kinds_are_refused() -> None:
    first, second = forecasts("ab", [[0.9, 0.1], [0.3, 0.7]]), forecasts("ab", [[0.6, 0.4]] * 2)
    with pytest.raises(DataError, match="not parts of one set"):
        replace(first, expected=np.ones((2, 2)) / 2) + second
