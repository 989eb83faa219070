"""The commands classification, confusion, threshold and regression, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from tests.cli import terminal

from assay.cli.application import application, main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    random = np.random.default_rng(1)
    size = 120
    truth = random.choice(["cat", "dog", "fox"], size)
    odds = random.random((size, 3))
    odds[np.arange(size), [["cat", "dog", "fox"].index(each) for each in truth]] += 1
    odds /= odds.sum(axis=1, keepdims=True)
    sick = np.where(random.random(size) < 0.4, "yes", "no")
    pl.DataFrame(
        {
            "label": truth,
            "guess_0": np.where(random.random(size) < 0.8, truth, "cat"),
            "guess_50": np.where(random.random(size) < 0.5, truth, "cat"),
            "segment": random.choice(["A", "B"], size),
            "p_cat": odds[:, 0],
            "p_dog": odds[:, 1],
            "p_fox": odds[:, 2],
            "sick": sick,
            "glucose": random.normal(size=size) + (sick == "yes"),
            "y": random.normal(size=size),
            "yhat": random.normal(size=size),
        }
    ).write_csv(tmp_path / "data.csv")
    (tmp_path / "tags.jsonl").write_text('{"tags": ["a", "b"], "guessed": ["a"]}\n' * 3)
    spans = '{"truth": [[0, 3, "x"]], "predicted": [[0, 3, "x"], [5, 6, "y"]]}\n'
    (tmp_path / "spans.jsonl").write_text(spans * 3)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments: str) -> str:
    done = CliRunner().invoke(application, list(arguments))
    assert done.exit_code == 0, done.output
    return done.output


FAST = ("--resamples", "50")


def test_decisions_with_slices_and_probabilities(folder: Path) -> None:
    columns = ("--truth", "label", "--predicted", "guess_0", "--by", "segment")
    shown = call("classification", "data.csv", *columns, "--probabilities", "p_*", *FAST)
    for part in ("ACC", "LogLoss", "segment=A", "largest gaps", "majority class", "confusions"):
        assert part in shown, part
    content = json.loads(call("classification", "data.csv", *columns, "--format", "json", *FAST))
    assert {each["slice"] for each in content["summary"]} == {"all", "segment=A", "segment=B"}


def test_a_score_a_cluster_and_the_profile(folder: Path) -> None:
    assert "AUC" in call("classification", "data.csv", "--truth", "sick", "--score", "glucose")
    columns = ("--truth", "label", "--predicted", "guess_0", *FAST)
    assert "predicted →" in call("classification", "data.csv", *columns, "--cluster")
    shown = call("classification", "data.csv", *columns, "--profile", "sklearn", "-m", "P MCC")
    assert "PPV(undefined=0)" in shown


def test_robustness_sets_and_spans(folder: Path) -> None:
    shown = call("classification", "data.csv", "--truth", "label", "--robustness", "guess_*", *FAST)
    assert "lost" in shown.splitlines()[0]
    shown = call(
        "classification", "tags.jsonl", "--truth", "tags", "--predicted", "guessed", "--sets", *FAST
    )
    assert "Hamming" in shown
    assert "0.5000" in call("classification", "spans.jsonl", "--spans", "-m", "P(average=micro)")


def test_threshold_in_every_form(folder: Path) -> None:
    columns = ("data.csv", "--truth", "sick", "--score", "glucose", *FAST)
    assert "youden" in call("threshold", *columns)
    chosen = json.loads(call("threshold", *columns, "--goal", "f:2", "--format", "json"))["chosen"]
    assert chosen[0]["low"] <= chosen[0]["threshold"] <= chosen[0]["high"]
    table = call("threshold", *columns, "--table", "--format", "csv")
    assert table.splitlines()[0].startswith("threshold,TP,FP,FN,TN,TPR,FPR")
    assert len(table.splitlines()) == 121


def test_probabilities_alone_tell_accuracy_and_area_too(folder: Path) -> None:
    own = ("classification", "data.csv", "--truth", "label", "--probabilities", "p_*", *FAST)

    def measures(*more: str) -> list[str]:
        found = json.loads(call(*own, *more, "--format", "json"))
        return [each["measure"] for each in found["summary"]]

    assert measures() == ["ACC", "Brier", "F", "LogLoss", "MCC", "PPV", "TNR", "TPR", "AUC_OvR"]
    assert measures("-m", "Brier") == ["Brier"]
    assert [each for each in measures("--predicted", "guess_0") if each in ("top", "AUC_OvR")] == [
        "AUC_OvR"
    ]


def test_several_predictors_stand_side_by_side(folder: Path) -> None:
    columns = ("--truth", "y", "--predicted", "yhat", "--predicted", "glucose")
    shown = call("regression", "data.csv", *columns, "-m", "MAE", "--residuals", "--by", "segment")
    alone = call("regression", "data.csv", *columns[:2], "--predicted", "glucose", "-m", "MAE")
    value = alone.splitlines()[1].split()[1]
    assert shown.splitlines()[2].startswith(f"glucose  {value} [")
    assert "residuals" in shown
    beside = call("compare", "regression", "data.csv", *columns, "-m", "MAE")
    assert {line.split()[0] for line in beside.splitlines()[2:4]} == {"yhat", "glucose"}
    gaps = shown.partition("largest gaps")[2].splitlines()
    assert {line.split()[0] for line in gaps[2:4]} == {"yhat", "glucose"}


def test_regression_and_histograms(folder: Path) -> None:
    columns = ("--truth", "y", "--predicted", "yhat", *FAST)
    shown = call("regression", "data.csv", *columns, "--residuals", "--by", "segment")
    for part in ("RMSE", "first quartile", "segment=B"):
        assert part in shown
    shown = call(
        "regression", "data.csv", "--truth", "y", "--held-out", "data.csv", "--bins", "2,4"
    )
    assert "likeliest with 4 bins" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("classification", "data.csv", "--truth", "label"), 2, "name the column"),
        (
            ("classification", "data.csv", "--truth", "label", "--predicted", "guess"),
            2,
            "Did you mean guess_0",
        ),
        (
            ("classification", "data.csv", "--truth", "sick", "--score", "glucose", "-m", "ACC"),
            2,
            "ACC needs predicted classes",
        ),
        (("confusion", "data.csv"), 2, "say which classes are in the rows"),
        (("confusion", "data.csv", "--rows", "actual"), 1, "are not the same"),
        (
            ("threshold", "data.csv", "--truth", "sick", "--score", "glucose", "--goal", "best"),
            2,
            "there is no goal 'best'",
        ),
        (
            ("threshold", "data.csv", "--truth", "label", "--score", "glucose"),
            2,
            "needs scores and a positive class",
        ),
        (("regression", "data.csv", "--truth", "y", "--predicted", "label"), 1, "is not a number"),
        (
            ("regression", "data.csv", "--truth", "y", "--held-out", "data.csv", "--bins", "x"),
            2,
            "whole",
        ),
    ],
)
def test_mistakes_end_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture, arguments: tuple, code: int, message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    said = capsys.readouterr().err
    assert stopped.value.code == code, said
    assert message in said
    assert "Traceback" not in said


DECISIONS = ("confusion", "guesses.csv", "--truth", "truth", "--predicted", "guess")


@pytest.fixture
def _guesses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("guesses.csv").write_text("truth,guess\nyes,yes\nyes,no\nno,no\nyes,yes\n")


@pytest.mark.usefixtures("_guesses")
@pytest.mark.parametrize(
    ("format", "shown"),
    [
        ("csv", "actual,no,yes\nno,1,0\nyes,1,2\n"),
        ("latex", "no & 1 & 0 \\\\\nyes & 1 & 2 \\\\\n"),
        ("markdown", "| actual | no | yes |"),
        ("table", "actual  no  yes\nno       1    0\nyes      1    2\n"),
    ],
)
def test_the_matrix_alone_in_any_format(format: str, shown: str) -> None:
    assert shown in call(*DECISIONS, "--matrix", "--format", format)


@pytest.mark.usefixtures("_guesses")
def test_a_matrix_that_was_written_is_read_again() -> None:
    written = call(*DECISIONS, "--matrix", "--format", "csv", "--show", "predicted")
    Path("matrix.csv").write_text(written)
    again = call("confusion", "matrix.csv", "--rows", "predicted", "--show", "actual")
    assert again == call(*DECISIONS)


@pytest.mark.usefixtures("_guesses")
def test_the_matrix_stands_before_its_measures() -> None:
    shown = call(*DECISIONS)
    assert shown.startswith("actual ↓ predicted →")
    assert shown.index("actual ↓") < shown.index("MCC") < shown.index("reading of")


@pytest.mark.parametrize(
    ("head", "yes", "no"),
    [
        (",positive,negative", "true,20,180", "false,10,1820"),
        (",negative,positive", "true,180,20", "false,1820,10"),
        (",yes,no", "T,20,180", "F,10,1820"),
    ],
)
def test_both_sides_of_a_matrix_may_have_their_own_words_for_yes_and_no(
    head: str, yes: str, no: str, tmp_path: Path
) -> None:
    (tmp_path / "cancer.csv").write_text("\n".join([head, yes, no]))
    shown = terminal.call(
        "confusion", str(tmp_path / "cancer.csv"), "--rows", "predicted", "--overview"
    ).out
    assert "TP = 20" in shown
    assert "FN = 10" in shown
    for head, no in ((",ill,well", "false"), (",1,3", "2")):
        (tmp_path / "words.csv").write_text(f"{head}\n1,20,180\n{no},10,1820\n")
        refused = terminal.call("confusion", str(tmp_path / "words.csv"), "--rows", "predicted").err
        assert "are not the same" in refused
