"""Results whose units are all defined: reasons without memory, equal to those of a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.core.arrays import Ratio
from assay.engine.result import NoReasons


def test_no_reasons_are_as_many_as_the_units() -> None:
    reasons = NoReasons(3)
    assert list(reasons) == [None, None, None]
    assert reasons[-1] is None
    assert reasons[1:] == (None, None)
    assert reasons == (None, None, None)
    assert reasons != (None, "why", None)
    with pytest.raises(IndexError):
        reasons[3]


def test_results_are_equal_however_their_reasons_are_kept() -> None:
    (result,) = assay.regression([1.0, 2.0, 4.0], [1.0, 3.0, 3.0], "MSE", interval=None).results
    assert result == replace(result, reasons=(None, None, None))
    assert result != replace(result, reasons=("why", None, None))


def test_values_of_ratios_are_numbers_of_their_own_kind() -> None:
    whole = Ratio(np.asarray([1, 2]), np.asarray([1.0, 1.0]))
    assert whole.values.dtype == np.float64
    assert Ratio(np.asarray([0.5, 2.0]), np.ones(2)).values.tolist() == [0.5, 2.0]
    assert np.isnan(Ratio(np.asarray([0.5, 2.0]), np.asarray([0.0, 1.0])).values).tolist() == [1, 0]
