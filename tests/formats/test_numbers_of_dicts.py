"""Numbers of dicts are the floats that Python makes of them, whatever their types."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from assay.core.errors import DataError
from assay.formats.containers import to_run

OTHERS = [
    *(2, True, "2.5", np.float32(0.1), np.int64(3), np.bool_(True), 2**63 + 1, -0.0),
    *(Decimal("0.1"), Fraction(1, 3), float("inf"), float("nan"), np.array(3.0)),
]


@pytest.mark.parametrize("first", [1, 1.5, np.float64(2.5)])
@pytest.mark.parametrize("other", OTHERS)
def test_numbers_of_other_types(first: float, other: Any) -> None:
    scores = to_run({"q": {"a": first, "b": other}}).frame["score"].to_list()
    assert repr(scores) == repr([float(first), float(other)])


@pytest.mark.parametrize("first", [1, 1.5])
@pytest.mark.parametrize("other", ["high", 1j, 10**400, [1.5]])
def test_what_is_no_number(first: float, other: Any) -> None:
    with pytest.raises(DataError, match=r"document b for query q is .*, but a number is expected"):
        _ = to_run({"q": {"a": first, "b": other}}).frame
