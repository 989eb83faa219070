"""Tables of scores with other names of columns, matrices, and numbers with a decimal comma."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.formats.decimal_commas import read_decimal_commas

LONG = "dataset;model;ACC\nx;a;0,3\ny;a;0,4\nx;b;0,5\ny;b;0,9\n"
MATRIX = "dataset;a;b\nx;0,3;0,5\ny;0,4;0,9\n"


@pytest.mark.parametrize(("text", "system"), [(LONG, "model"), (MATRIX, None)])
def test_named_columns_and_matrices(tmp_path: Path, text: str, system: str | None) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text)
    found = assay.read_score_table(
        path, system_column=system, unit_column="dataset", decimal_comma=True
    )
    assert found[found.measures[0]] == pytest.approx({"a": 0.35, "b": 0.7})
    named = ["--system-column", system] if system else []
    done = call(
        "compare", str(path), *named, "--unit-column", "dataset", "--decimal-comma",
        "--format", "json",
    )  # fmt: skip
    assert done.code == 0, done.err
    pairs = assay.compare(found).pairs
    assert pairs["difference"].to_list() == pytest.approx([0.35])
    assert '"difference": 0.35' in done.out


def test_an_unknown_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(LONG)
    with pytest.raises(AssayError, match="'modell'"):
        assay.read_score_table(path, system_column="modell", unit_column="dataset")
    done = call("compare", str(path), "--unit-column", "data")
    assert done.code == 2
    assert "there is no column 'data'" in done.err


def test_only_numbers_are_numbers() -> None:
    given = {"a": ["1,5", " -2 ", ""], "b": ["1,5", "x", "2"], "c": ["1", "2", "3"], "d": [1, 2, 3]}
    frame = read_decimal_commas(given).frame
    assert frame["a"].to_list() == [1.5, -2.0, None]
    assert [str(frame[name].dtype) for name in "bcd"] == ["String", "String", "Int64"]
    assert frame["c"].dtype == pl.String


@pytest.mark.parametrize("task", ["regression", "classification"])
def test_tasks_read_decimal_commas(tmp_path: Path, task: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text("truth;p\n0;0,25\n1;0,75\n1;0,5\n")
    column = "--predicted" if task == "regression" else "--score"
    options = ["--positive", "1"] if task == "classification" else []
    done = call(task, str(path), column, "p", *options, "--decimal-comma", "--resamples", "0")
    assert done.code == 0, done.err
    assert ("AUC      1.0000" if options else "MAE      0.3333") in done.out
