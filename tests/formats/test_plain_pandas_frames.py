"""Frames of pandas with text among objects are converted without a search for missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from assay.formats import records
from assay.formats.arrays import plain_pandas_frame
from assay.formats.containers import to_frame


def frame(*ids: Any, **columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"id": pd.Series([*ids], dtype=object), **columns})


def test_texts_and_numbers() -> None:
    given = frame("a", "", "ü", n=[1, 2, 3], x=[0.5, np.nan, 2.0], b=[True, False, True])
    found = plain_pandas_frame(given.iloc[::-1])
    assert found is not None
    assert found.schema == {"id": pl.String, "n": pl.Int64, "x": pl.Float64, "b": pl.Boolean}
    assert found["id"].to_list() == ["ü", "", "a"]
    assert found["n"].to_list() == [3, 2, 1]
    assert str(found["x"].to_list()) == "[2.0, nan, 0.5]"


@pytest.mark.parametrize("other", [None, np.nan, pd.NA, 7, 7.5, b"bytes", True, "\ud800"])
def test_other_objects_are_left_to_the_conversion_that_looks_at_each(other: Any) -> None:
    assert plain_pandas_frame(frame("a", other)) is None
    assert plain_pandas_frame(frame(other, "a")) is None


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_missing_texts_are_null(missing: Any) -> None:
    found, _ = to_frame(frame("a", missing, "b"), "a table")
    assert found["id"].to_list() == ["a", None, "b"]


def test_a_run_of_many_rows_is_not_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(records, "are_query_lists", lambda data: seen.append(type(data)))
    run = pd.DataFrame({"query": ["q", "q"], "doc": ["a", "b"], "score": [2.0, 1.0]})
    assert records.as_table_or_dict(run, ranked=True) is run
    assert not seen


def test_other_tables() -> None:
    categories = pd.DataFrame({"id": pd.Categorical(["a", "b"])})
    assert plain_pandas_frame(categories) is None
    assert plain_pandas_frame(pl.DataFrame({"id": ["a"]})) is None
    assert plain_pandas_frame(frame()) is None
    twice = pd.DataFrame([["a", "b"]], columns=["id", "id"], dtype=object)
    assert plain_pandas_frame(twice) is None


RUNS = {
    "queries": ["q1"] * 90 + ["q2"] * 60 + [""] * 30 + ["q1"],
    "ids": [f"d{n}" for n in range(181)],
}


@pytest.mark.parametrize("column", RUNS)
def test_equal_objects_in_a_row_are_converted_once(column: str) -> None:
    given = frame(*RUNS[column])
    found = plain_pandas_frame(given)
    assert found is not None
    assert found["id"].to_list() == RUNS[column]


@pytest.mark.parametrize("other", [None, np.nan, pd.NA, 7, b"bytes", np.array([1, 2])])
@pytest.mark.parametrize("row", [70, 100, 180])
def test_other_objects_among_equal_ones(other: Any, row: int) -> None:
    objects: list[Any] = [*RUNS["queries"]]
    objects[row] = other
    assert plain_pandas_frame(frame(*objects)) is None
