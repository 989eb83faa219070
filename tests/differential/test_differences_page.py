"""The handbook page on differences shows the numbers of today."""

from __future__ import annotations

import math

import pytest
from tests.differential.differences import DIFFERENCES, Difference, require_tool
from tests.differential.differences_page import PAGE, show_number, table

pytestmark = pytest.mark.oracle
ROWS = [(tool, each) for tool, rows in DIFFERENCES.items() for each in rows]


@pytest.mark.parametrize(("tool", "row"), ROWS, ids=[each.key for _, each in ROWS])
def test_a_row_shows_two_numbers_and_the_way_to_the_second(tool: str, row: Difference) -> None:
    require_tool(tool)
    theirs = row.theirs()
    assert show_number(row.ours()) != show_number(theirs)
    assert (row.matching is None) == (row.use == "—")
    assert row.matching is None or not row.excluded
    if row.matching is not None:
        assert row.matching() == pytest.approx(theirs, rel=1e-9, nan_ok=True)
        assert not math.isnan(theirs)


@pytest.mark.parametrize("tool", DIFFERENCES)
def test_the_page_has_the_table_of_each_tool(tool: str) -> None:
    require_tool(tool)
    renew = "renew it: python -m tests.differential.differences_page"
    assert table(tool) in PAGE.read_text(encoding="utf-8"), renew


def test_each_row_has_a_key_of_its_own() -> None:
    keys = [each.key for _, each in ROWS]
    assert len(set(keys)) == len(keys)
