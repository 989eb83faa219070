"""Comparison where some systems lack a measure."""

from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.core.errors import DataError

ROWS = [
    *((system, str(unit), "AP", 0.1 * unit) for system in "abc" for unit in range(1, 7)),
    *(("a", str(unit), "RR", 0.2 * unit) for unit in range(1, 6)),
]
TABLE = pl.DataFrame(ROWS, schema=["system", "unit", "measure", "value"], orient="row")


def test_a_measure_of_one_system_is_an_error() -> None:
    with pytest.raises(DataError, match="RR: only a has values, not b, c: there is nothing to"):
        assay.compare(TABLE, "RR")


def test_a_measure_of_one_system_among_others_is_a_note() -> None:
    found = assay.compare(TABLE)
    assert found.pairs["measure"].unique().to_list() == ["AP"]
    assert any(note.startswith("RR: only a has values") for note in found.warnings)


def test_a_baseline_without_the_measure_is_an_error() -> None:
    both = pl.concat([TABLE, TABLE.filter(measure="RR").with_columns(system=pl.lit("b"))])
    assert assay.compare(both, "RR", baseline="a").pairs["system"].to_list() == ["b"]
    with pytest.raises(DataError, match="RR: the baseline c has no value; choose another"):
        assay.compare(both, "RR", baseline="c")
