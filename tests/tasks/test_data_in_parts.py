"""Data in parts gives what the whole gives, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import assay
from assay.cli.application import application
from assay.core.catalogue import catalogue
from assay.core.names import declared_variants
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.threshold_table import ThresholdTable
from assay.tasks.classification.classes_in_parts import classification_in_parts
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.regression.predictions import RegressionColumns
from assay.tasks.regression.values_in_parts import regression_in_parts


def frame(size: int = 5000) -> pl.DataFrame:
    random = np.random.default_rng(1)
    truth = random.random(size) < 0.2
    score = np.round(random.normal(size=size) + truth, 2)
    names = np.asarray(["no", "yes"])
    return pl.DataFrame(
        {
            "truth": names[truth.astype(int)],
            "guess": names[(score > 0.7).astype(int)],
            "score": score,
            "y": 1e6 + random.normal(size=size),
            "yhat": 1e6 + random.normal(size=size),
        }
    ).sort("truth")  # So that the first parts know one class only.


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_in_parts_is_the_whole(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"data.{ending}"
    whole = frame()
    getattr(whole, f"write_{ending}")(path)
    columns = {"predicted": "guess", "score": "score", "positive": "yes"}
    names = "ACC MCC F PPV(average=macro) kappa AUC AP KS AUC(max_fpr=0.2)"
    one = assay.classification(path, names, **columns)
    parts = classification_in_parts(path, names, ClassificationColumns(**columns), rows=700)
    for expected, found in zip(one.results, parts.results, strict=True):
        assert expected.value == found.value, expected.measure
        assert (expected.low, expected.high) == (found.low, found.high), expected.measure


COUNTED = [
    each.name
    for definition in catalogue().values()
    if definition.view in (Confusion, ThresholdTable)
    for each in declared_variants(definition)
]


@pytest.mark.parametrize("pieces", [1, 2, 7, 1000])
def test_the_whole_catalogue_of_counts_in_pieces(pieces: int) -> None:
    whole = frame()
    columns = {"predicted": "guess", "score": "score", "positive": "yes"}
    one = assay.classification(whole, COUNTED, interval=None, **columns)
    cuts = np.linspace(0, whole.height, pieces + 1).astype(int).tolist()
    parts = [whole[a:b] for a, b in pairwise(cuts)]
    assert len(parts) == pieces
    how = ClassificationColumns(**columns)
    found = classification_in_parts(parts, COUNTED, how, interval=None)
    for expected, result in zip(one.results, found.results, strict=True):
        assert result == expected, expected.measure
        assert result.values.tobytes() == expected.values.tobytes(), expected.measure


NUMBERS = RegressionColumns(truth="y", predicted="yhat")
OF_MOMENTS = "RMSE R2 EV Pearson CCC"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("size", [5000, 120_000])
def test_moments_of_a_file_in_parts(tmp_path: Path, ending: str, size: int) -> None:
    path = tmp_path / f"data.{ending}"
    getattr(frame(size), f"write_{ending}")(path)
    one = assay.regression(path, OF_MOMENTS, truth="y", predicted="yhat", interval=None)
    streamed = assay.regression(path, OF_MOMENTS, truth="y", predicted="yhat", engine="streaming")
    parts = regression_in_parts(path, OF_MOMENTS, NUMBERS, rows=300)
    for expected, *found in zip(one.results, parts.results, streamed.results, strict=True):
        assert found == [expected, expected]
    assert streamed.conventions["interval"] is None


def test_the_file_is_read_twice_only_for_sums_around_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assay.tasks.inputs import data_in_parts

    path, read = tmp_path / "data.parquet", list[Any]()
    frame(120_000).write_parquet(path)
    real = data_in_parts._read_chunks

    def count(*given: Any) -> Any:
        read.append(given)
        return real(*given)

    monkeypatch.setattr(data_in_parts, "_read_chunks", count)
    regression_in_parts(path, "RMSE", NUMBERS)
    assert len(read) == 1
    regression_in_parts(path, OF_MOMENTS, NUMBERS)
    assert len(read) == 3


def test_what_cannot_be_summed_up_is_refused(tmp_path: Path) -> None:
    tables = [frame(50), frame(60)]
    with pytest.raises(
        assay.AssayError, match="MedAE needs all true and predicted numbers at once"
    ):
        regression_in_parts(tables, "MedAE", NUMBERS)
    with pytest.raises(assay.AssayError, match="cannot be read with weight; leave it out"):
        regression_in_parts(tables, "R2", replace(NUMBERS, weight="score"))
    with pytest.raises(assay.AssayError, match="read twice: give a list, not an iterator"):
        regression_in_parts(iter(tables), "R2", NUMBERS)
    with pytest.raises(assay.AssayError, match="there are no rows"):
        regression_in_parts([], "R2", NUMBERS)
    with pytest.raises(assay.AssayError, match="scaled by the largest before they are squared"):
        regression_in_parts([frame(120_000).with_columns(pl.col("y") * 1e300)], "R2", NUMBERS)
    with pytest.raises(assay.AssayError, match="scaled by the largest before they are squared"):
        regression_in_parts([frame(120_000).with_columns(pl.col("y") * 1e-300)], "R2", NUMBERS)
    with pytest.raises(assay.AssayError, match="evaluates one system, whose column is named"):
        regression_in_parts(tables, "R2", replace(NUMBERS, predicted=["yhat", "score"]))
    with pytest.raises(assay.AssayError, match="name the positive class"):
        classification_in_parts(tables, columns=ClassificationColumns(score="score"))
    with pytest.raises(assay.AssayError, match="cannot be read with by"):
        classification_in_parts(tables, None, ClassificationColumns(predicted="guess", by=["y"]))
    columns = ClassificationColumns(predicted="guess")
    with pytest.raises(assay.AssayError, match=r"nope.csv: there is no such file"):
        classification_in_parts(tmp_path / "nope.csv", columns=columns)


def test_few_extreme_numbers_in_parts() -> None:
    huge = frame(500).with_columns(pl.col("y") * 1e300)
    parts = regression_in_parts([huge[:200], huge[200:]], "RMSE R2", NUMBERS)
    whole = assay.regression(huge, "RMSE R2", truth="y", predicted="yhat", interval=None)
    assert list(parts.results) == list(whole.results)


def test_a_file_that_grows_between_two_readings_is_refused() -> None:
    class Growing(list[pl.DataFrame]):
        """Tables of which there is one more each time."""

        def __iter__(self) -> Iterator[pl.DataFrame]:
            self.append(self[0])
            return super().__iter__()

    with pytest.raises(assay.AssayError, match="240,000 rows when it was read first, and 360,000"):
        regression_in_parts(Growing([frame(120_000)]), "R2", NUMBERS)


@pytest.mark.parametrize("task", ["regression", "classification"])
def test_engines_in_python(task: str, tmp_path: Path) -> None:
    function, path = getattr(assay, task), tmp_path / "data.csv"
    frame(300).write_csv(path)
    names = {"truth": "y", "predicted": "yhat"} if task == "regression" else {"predicted": "guess"}
    measures = "R2 RMSE" if task == "regression" else "ACC MCC"
    whole, parts = (
        function(path, measures, **names, engine=engine, interval=None)
        for engine in ("local", "streaming")
    )
    assert list(whole.results) == list(parts.results)
    with pytest.raises(assay.AssayError, match="`engine` is 'spork'; 'local' or 'streaming'"):
        function(path, **names, engine="spork")
    with pytest.raises(assay.AssayError, match="reads a file in parts, not a DataFrame: give its"):
        function(frame(300), **names, engine="streaming")
    with pytest.raises(assay.AssayError, match="with decimal commas is read at once"):
        function(path, **names, engine="streaming", decimal_comma=True)


def test_regression_in_parts_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    frame(130_000).write_csv(path)
    names = [str(path), "--truth", "y", "--predicted", "yhat"]
    words = ["regression", *names, "--format", "csv", "-m", OF_MOMENTS, "--interval", "none"]
    whole, parts = (
        CliRunner().invoke(application, [*words, "--engine", engine])
        for engine in ("local", "streaming")
    )
    assert whole.exit_code == parts.exit_code == 0
    assert parts.stdout == whole.stdout
    assert "--engine streaming) and its items are not kept" in " ".join(parts.stderr.split())
    gate = ["gate", "regression", *names, "--engine", "streaming", "--floor", "R2=0.5"]
    assert CliRunner().invoke(application, [*gate, "-m", "R2"]).exit_code == 3
    refused = CliRunner().invoke(application, [*words, "--engine", "streaming", "--residuals"])
    assert "--residuals needs all items" in refused.stderr


def test_streaming_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    frame(30_000).write_csv(path)
    words = ["classification", str(path), "--predicted", "guess", "--score", "score"]
    words += ["--positive", "yes", "--format", "csv", "-m", "ACC kappa AUC AP"]
    whole, parts = (
        CliRunner().invoke(application, [*words, "--engine", engine])
        for engine in ("local", "streaming")
    )
    assert whole.exit_code == parts.exit_code == 0
    assert parts.stdout == whole.stdout
    assert "measures of probabilities" in " ".join(parts.stderr.split())


def test_errors_of_parts_name_the_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    scores = pl.when(pl.int_range(3000) != 2500).then(0.5)
    frame(3000).with_columns(score=scores).write_csv(path)
    columns = ClassificationColumns(predicted="guess", score="score", positive="yes")
    where = r"data\.csv:2502: there is no prediction \(1 of 700 items of this part of the data has"
    where += r" none\); `missing=drop` without `engine=streaming` leaves such items out"
    with pytest.raises(assay.AssayError, match=where):
        classification_in_parts(path, "ACC", columns, rows=700)
