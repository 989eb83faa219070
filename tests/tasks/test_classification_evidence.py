"""One classifier or several: columns, files, tables by name, confusion matrices, degrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sklearn.metrics import accuracy_score, matthews_corrcoef
from tests.cli.terminal import call

import assay
from assay.core.errors import NeedsInput, UsageError
from assay.evidence.views.confusion import Confusion
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.confusion import ConfusionEvidence

TRUTH = ["a", "a", "b", "b", "c", "c"]
OLD = ["a", "b", "b", "b", "c", "a"]
NEW = ["a", "a", "b", "c", "c", "c"]
ITEMS = pl.DataFrame({"truth": TRUTH, "old": OLD, "new": NEW, "id": list("uvwxyz")})
MEASURES = "ACC MCC"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ITEMS.write_csv("items.csv")
    ITEMS.select("id", "truth", guess="old").write_csv("old.csv")
    ITEMS.select("id", "truth", guess="new").write_csv("new.csv")
    return tmp_path


def _expected(predicted: list[str]) -> list[float]:
    return [float(accuracy_score(TRUTH, predicted)), float(matthews_corrcoef(TRUTH, predicted))]


def _values(scores: assay.Scores) -> dict[str, list[float]]:
    return {
        system: [each.value for each in scores.results if each.system == system]
        for system in scores.systems
    }


@pytest.mark.parametrize(
    ("data", "predicted"),
    [
        ("items.csv", ["old", "new"]),
        ("items.csv", {"old": "old", "new": "new"}),
        (["old.csv", "new.csv"], "guess"),
        ({"old": "old.csv", "new": "new.csv"}, "guess"),
        ({"old": ITEMS.rename({"old": "g"}), "new": ITEMS.rename({"new": "g"})}, "g"),
    ],
)
def test_several_classifiers_in_every_way(folder: Path, data: object, predicted: object) -> None:
    scores = assay.classification(data, MEASURES, predicted=predicted, item="id")
    assert _values(scores) == {
        "old": pytest.approx(_expected(OLD)),
        "new": pytest.approx(_expected(NEW)),
    }


def test_a_classifier_scores_the_same_alone_and_beside_others(folder: Path) -> None:
    alone = assay.classification("items.csv", predicted="new")
    beside = assay.classification("items.csv", predicted=["old", "new"])
    for one, other in zip(alone.results, beside.results[len(alone.results) :], strict=True):
        assert (one.measure, one.value, one.low, one.high) == (
            other.measure,
            other.value,
            other.low,
            other.high,
        )


def test_the_same_on_the_command_line(folder: Path) -> None:
    files = call("classification", "old.csv", "new.csv", "--predicted", "guess", "--item", "id")
    columns = call("classification", "items.csv", "--predicted", "old", "--predicted", "new")
    for done in (files, columns):
        assert done.code == 0, done.err
        assert f"old     ACC      {_expected(OLD)[0]:.4f}" in done.out
        assert f"new     ACC      {_expected(NEW)[0]:.4f}" in done.out
        assert done.out.count("actual") >= 2  # a matrix for each


def test_each_system_has_the_standard_measures_that_its_scores_allow() -> None:
    data = {"truth": [1, 0, 1, 0], "p": [0.9, 0.2, 0.6, 0.7], "s": [9.0, 2.0, 6.0, 7.0]}
    scores = assay.classification(data, score=["p", "s"], interval=None)
    measured = {name: {r.measure for r in scores.results if r.system == name} for name in "ps"}
    assert "Brier" in measured["p"] - measured["s"]
    assert "AUC" in measured["p"] & measured["s"]
    with pytest.raises(NeedsInput, match="Brier needs probabilities"):
        assay.classification(data, "Brier", score=["p", "s"])


def test_patterns_of_probabilities_are_several_systems() -> None:
    columns = ClassificationColumns(probabilities=["p_*", "q_*"])
    half = {f"{name}_{label}": [0.5, 0.5] for name in "pq" for label in "ab"}
    evidence = ClassificationEvidence.read({"truth": ["a", "b"], **half}, columns)
    assert evidence.systems == ("p_*", "q_*")
    listed = ClassificationColumns(probabilities=["p_a", "p_b"])
    assert len(ClassificationEvidence.read({"truth": ["a", "b"], **half}, listed).systems) == 1


def test_unequal_numbers_of_columns_are_refused() -> None:
    data = {"truth": ["y", "n"], "g": ["y", "n"], "h": ["y", "n"], "s": [1.0, 0.0]}
    with pytest.raises(UsageError, match="2 × `predicted`, 1 × `score`"):
        assay.classification(data, predicted=["g", "h"], score="s")


def test_degrees_are_systems_that_can_be_compared() -> None:
    table = {"truth": TRUTH, "g_10": NEW, "g_2": OLD}
    scores = assay.robustness(table, "g_*", MEASURES)
    assert _values(scores) == {
        "2": pytest.approx(_expected(OLD)),
        "10": pytest.approx(_expected(NEW)),
    }
    assert "10" in str(assay.compare(scores, "MCC"))


def test_matrices_are_evidence(folder: Path) -> None:
    matrix = assay.confusion(ITEMS, truth="truth", predicted="new")
    alone = ConfusionEvidence.of({"one": matrix}).scores(MEASURES, interval=None)
    assert _values(alone) == {"one": pytest.approx(_expected(NEW))}
    read = ConfusionEvidence.read(ITEMS, truth="truth", predicted=["old", "new"])
    assert read.systems == ("old", "new")
    assert isinstance(read.first, Confusion)
    words = ("items.csv", "--truth", "truth", "--predicted", "old", "--predicted", "new")
    done = call("confusion", *words, "-m", "MCC")
    assert done.code == 0, done.err
    shown = done.out.partition("system")[2]
    assert [f"{_expected(each)[1]:.4f}" in shown for each in (OLD, NEW)] == [True, True]


def test_explain_and_plot_take_the_inputs_of_the_task(folder: Path) -> None:
    two = ("items.csv", "--predicted", "old", "--predicted", "new")
    done = call("explain", "classification", *two, "-m", "ACC")
    assert done.code == 0, done.err
    assert f"{_expected(NEW)[0] - _expected(OLD)[0]:+.4f}" in done.out
    done = call("plot", "confusion", *two, "-o", "x.svg")
    assert done.code == 0, done.err
    drawn = Path("x.svg").read_text()
    assert [f">{name}</text>" in drawn for name in ("old", "new")] == [True, True]
    scores = {"truth": TRUTH, "p": range(len(TRUTH)), "q": range(len(TRUTH))}
    with pytest.raises(assay.AssayError, match="shows one system, found 2: p, q"):
        assay.plot("densities", scores, score=["p", "q"], positive=TRUTH[0])


def test_a_report_of_saved_scores_shows_the_named_measures(folder: Path) -> None:
    assay.classification("items.csv", MEASURES, predicted=["old", "new"]).save("s.parquet")
    done = call("report", "s.parquet", "-m", "MCC", "-o", "r.html")
    assert done.code == 0, done.err
    page = Path("r.html").read_text()
    assert "MCC" in page
    assert ">ACC<" not in page


FOUR = {
    "truth": ["y", "n", "y", "n"],
    "one": ["y", "n", "n", "n"],
    "two": ["y", "y", "y", "n"],
}


@pytest.mark.parametrize("columns", ["one", ["one", "two"]])
def test_row_numbers_of_different_tables_do_not_pair_items(columns: Any) -> None:
    tables = [pl.DataFrame(FOUR), pl.DataFrame(FOUR)]
    for data in (tables, {"a": tables[0], "b": tables[1]}):
        scores = assay.classification(data, "ACC", predicted=columns, interval=None)
        with pytest.raises(assay.AssayError, match="the items have no names"):
            assay.compare(scores)


def test_systems_with_different_positive_classes_are_noted() -> None:
    items = FOUR | {"three": ["y", "n", "z", "n"]}
    scores = assay.classification(items, "ACC", predicted=["one", "three"], interval=None)
    assert "the systems have different conventions: positive is y and None" in scores.warnings


def test_a_score_is_a_probability_on_all_slices_or_on_none() -> None:
    items = FOUR | {"p": [0.5, 0.4, 7.0, 0.1], "part": ["a", "a", "b", "b"]}
    scores = assay.classification(items, score="p", positive="y", by=["part"], interval=None)
    assert not [each for each in scores.results if each.measure == "Brier"]


def test_a_note_names_its_system_unless_all_systems_share_it() -> None:
    data = {"truth": ["a", "A", "b"], "one": ["a", None, "b"], "two": ["a", "A", "b"]}
    scores = assay.classification(data, predicted=["one", "two"], missing="drop", interval=None)
    assert "one: items without a prediction: 1, left out" in scores.warnings
    assert not any("two: items" in note for note in scores.warnings)
    shared = assay.classification(data | {"one": data["two"]}, predicted=["one", "two"])
    assert not any(note.startswith(("one", "two")) for note in shared.warnings)
    assert any("differ only by case" in note for note in shared.warnings)
