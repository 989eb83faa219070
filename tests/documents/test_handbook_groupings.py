"""The examples of handbook pages on clusterings, orders, agreement and clicks run as printed."""

from __future__ import annotations

import doctest

import pytest
from tests.conftest import ROOT


@pytest.mark.parametrize("page", ["clusterings", "orders", "agreement", "clicks"])
def test_examples_of_the_page(page: str) -> None:
    path = ROOT / "docs" / "handbook" / f"{page}.md"
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert result.attempted
    assert not result.failed
