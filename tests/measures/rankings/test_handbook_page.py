"""The examples of the handbook page on sets and rankings are run."""

from __future__ import annotations

import doctest

from tests.conftest import ROOT


def test_examples() -> None:
    page = ROOT / "docs" / "handbook" / "rankings.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 8
    assert found.failed == 0
