"""The benchmark of tables says what it measured."""

from __future__ import annotations

import importlib.util
import types
from pathlib import Path

import pytest


@pytest.fixture
def tables() -> types.ModuleType:
    path = Path(__file__).parents[2] / "bench" / "tables.py"
    found = importlib.util.spec_from_file_location("bench_tables", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_titles_are_of_the_size_that_was_measured(tables: types.ModuleType) -> None:
    assert tables.rows(Path(), 1)[0][0] == "5 M scores, csv"
    assert tables.rows(Path(), 1000)[0][0] == "5,000 scores, csv"


def test_times_are_medians_and_memory_is_the_greatest(tables: types.ModuleType) -> None:
    assert tables.summarize([(1, 9, 100), (2, 8, 300), (6, 7, 200)]) == (2, 8, 300)
