"""Data in parts gives what the whole gives: counts to the last bit, moments to 1e-12."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

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
from assay.tasks.chunked_evaluation import classification_in_parts, regression_in_parts
from assay.tasks.classification.classification_columns import ClassificationColumns


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


def test_moments_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    frame().write_parquet(path)
    names = "RMSE R2 EV Pearson CCC"
    one = assay.regression(path, names, truth="y", predicted="yhat", interval=None)
    parts = regression_in_parts(path, names, truth="y", predicted="yhat", rows=300)
    for expected, found in zip(one.results, parts.results, strict=True):
        assert found.value == pytest.approx(expected.value, rel=1e-12, abs=1e-12)


def test_what_cannot_be_summed_up_is_refused(tmp_path: Path) -> None:
    tables = [frame(50), frame(60)]
    with pytest.raises(
        assay.AssayError, match="MedAE needs all true and predicted numbers at once"
    ):
        regression_in_parts(tables, "MedAE", truth="y", predicted="yhat")
    with pytest.raises(assay.AssayError, match="name the positive class"):
        classification_in_parts(tables, columns=ClassificationColumns(score="score"))
    with pytest.raises(assay.AssayError, match="cannot be read with by"):
        classification_in_parts(tables, None, ClassificationColumns(predicted="guess", by=["y"]))
    columns = ClassificationColumns(predicted="guess")
    with pytest.raises(assay.AssayError, match=r"nope.csv: there is no such file"):
        classification_in_parts(tmp_path / "nope.csv", columns=columns)


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
    with pytest.raises(assay.AssayError, match=r"data\.csv:2502: there is no prediction"):
        classification_in_parts(path, "ACC", columns, rows=700)
