"""Intervals of areas in closed form, at the edges."""

from __future__ import annotations

import math

import pytest

import assay
from assay.core.names import measure
from assay.testing import scored


@pytest.mark.parametrize("name", ["AUC", "Gini", "AP"])
def test_one_positive_item_has_no_interval(name: str) -> None:
    data = {"truth": [1, 0, 0, 0], "score": [0.7, 0.9, 0.2, 0.1]}
    found = assay.classification(data, name, score="score", positive="1").results[0]
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@pytest.mark.parametrize("name", ["AUC", "Gini", "AP"])
def test_a_perfect_table_has_an_interval_without_width(name: str) -> None:
    asked = measure(name, "classification")
    closed = asked.definition.closed_form[0]
    assert closed(scored("PPPNNN"), 0.95, *asked.arguments) == (1.0, 1.0)
