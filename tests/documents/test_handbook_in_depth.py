"""The examples of the handbook on diversity, preferences and incomplete judgments are run."""

from __future__ import annotations

import doctest

import pytest
from tests.conftest import ROOT

PAGES = ["diversity.md", "preferences.md", "incomplete-judgments.md"]


@pytest.mark.parametrize("name", PAGES)
def test_the_examples_are_true(name: str) -> None:
    page = ROOT / "docs" / "handbook" / name
    results = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert results.attempted > 3
    assert results.failed == 0
