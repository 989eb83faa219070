"""A file that is read in parts: its classes, its digest, and what is refused."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import assay
from assay.cli.application import application
from assay.tasks.classification.classes_in_parts import classification_in_parts
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.regression.predictions import RegressionColumns
from assay.tasks.regression.values_in_parts import regression_in_parts, sum_parts

NUMBERS = RegressionColumns(truth="y", predicted="yhat")
MANY = 120_000
"""More rows than are kept from the first reading."""


def numbers(size: int = MANY) -> pl.DataFrame:
    random = np.random.default_rng(2)
    truth = random.normal(size=size).round(3)
    return pl.DataFrame({"y": truth, "yhat": (truth + random.normal(size=size)).round(3)})


def classes(negative: str, positive: str, size: int = 900) -> pl.DataFrame:
    """Return classes sorted by truth, so that the first parts know one class alone."""
    random = np.random.default_rng(3)
    truth = np.sort(random.random(size) < 0.4)
    score = (random.normal(size=size) + truth).round(2)
    names = np.asarray([negative, positive])
    columns = {"truth": names[truth.astype(int)], "guess": names[(score > 0.5).astype(int)]}
    return pl.DataFrame({**columns, "score": score})


def digest(path: Path) -> str:
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


@pytest.mark.parametrize(
    ("negative", "yes", "asked"), [("false", "true", "1"), ("0", "1", "true"), ("no", "yes", "yes")]
)
def test_the_positive_class_is_written_as_in_the_file(
    tmp_path: Path, negative: str, yes: str, asked: str
) -> None:
    path = tmp_path / "data.csv"
    classes(negative, yes).write_csv(path)
    columns = {"predicted": "guess", "score": "score", "positive": asked}
    names = "TPR PPV F ACC AUC AP"
    whole = assay.classification(path, names, **columns, interval=None)
    parts = classification_in_parts(
        path, names, ClassificationColumns(**columns), interval=None, rows=70
    )
    assert list(parts.results) == list(whole.results)
    assert parts.conventions["positive"] == whole.conventions["positive"] == yes


def test_the_class_that_was_chosen_is_a_convention(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    classes("no", "yes").write_csv(path)
    whole, parts = (
        assay.classification(path, "TPR", predicted="guess", engine=engine, interval=None)
        for engine in ("local", "streaming")
    )
    assert parts.conventions["positive"] == whole.conventions["positive"] == "yes"
    assert parts.conventions["inputs"] == whole.conventions["inputs"] == {"decisions": digest(path)}


@pytest.mark.parametrize("kind", ["--predicted=guess", "--score=score"])
def test_a_positive_class_that_does_not_occur_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "data.csv"
    classes("0", "1").write_csv(path)
    words = ["classification", str(path), kind, "--positive", "zzz"]
    whole, parts = (
        CliRunner().invoke(application, [*words, "--engine", engine])
        for engine in ("local", "streaming")
    )
    assert whole.exit_code == parts.exit_code == 1
    assert str(parts.exception) == str(whole.exception)
    assert "'zzz' does not occur among 0, 1." in str(parts.exception)


def test_a_positive_class_of_two_names_is_refused() -> None:
    tables = [classes("false", "true"), classes("0", "1")]
    columns = ClassificationColumns(score="score", positive="1")
    with pytest.raises(assay.AssayError, match="is '1' in some parts of the data and 'true' in"):
        classification_in_parts(tables, "AUC", columns)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_pipe_is_read_twice(tmp_path: Path, ending: str) -> None:
    path, pipe = tmp_path / f"data.{ending}", tmp_path / "pipe"
    getattr(numbers(), f"write_{ending}")(path)
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()))
    writer.start()
    found = regression_in_parts(pipe, "RMSE R2", NUMBERS)
    writer.join()
    whole = assay.regression(path, "RMSE R2", truth="y", predicted="yhat", interval=None)
    assert list(found.results) == list(whole.results)


def test_standard_input_is_read_twice(tmp_path: Path) -> None:
    text = numbers().write_csv()
    words = ["regression", "-", "--truth", "y", "--predicted", "yhat", "--engine", "streaming"]
    result = CliRunner().invoke(application, [*words, "-m", "R2"], input=text)
    assert result.exit_code == 0, result.stderr
    assert "R2" in result.stdout


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_that_changes_between_two_readings_is_refused(tmp_path: Path, ending: str) -> None:
    path, table = tmp_path / f"data.{ending}", numbers()
    getattr(table, f"write_{ending}")(path)
    kept = regression_in_parts(path, "RMSE R2", NUMBERS)
    assert kept.conventions["inputs"] == {"values": digest(path)}
    read_once = sum_parts(path, NUMBERS)
    getattr(table.with_columns(pl.col("yhat").reverse()), f"write_{ending}")(path)
    with pytest.raises(assay.AssayError, match=r"data\.\w+: the file changed between two readings"):
        read_once.scores("R2", interval=None)


@pytest.mark.parametrize("task", ["regression", "classification"])
@pytest.mark.parametrize("option", ["predicted", "truth", "sample_weight", "by", "item"])
@pytest.mark.parametrize("array", [np.ones(3), pl.Series([1.0, 2.0]), [1.0, 2.0]])
def test_arrays_are_refused(tmp_path: Path, task: str, option: str, array: Any) -> None:
    path = tmp_path / "data.csv"
    numbers(20).write_csv(path)
    named = {"truth": "y"} if task == "regression" else {"truth": "y", "predicted": "yhat"}
    with pytest.raises(assay.AssayError, match="reads the columns of a file: `"):
        getattr(assay, task)(path, **{**named, option: array}, engine="streaming")


@pytest.mark.parametrize("task", ["regression", "classification"])
@pytest.mark.parametrize("option", ["split", "splits", "fold"])
def test_splits_are_refused(tmp_path: Path, task: str, option: str) -> None:
    path = tmp_path / "data.csv"
    numbers(20).write_csv(path)
    given: Any = pl.DataFrame({"item": ["1"], "split": ["test"]}) if option == "splits" else "test"
    named = {"truth": "y", "predicted": "yhat", option: given}
    with pytest.raises(assay.AssayError, match=f"cannot be read with {option}; leave it out"):
        getattr(assay, task)(path, **named, engine="streaming")
