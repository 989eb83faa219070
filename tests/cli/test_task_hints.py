"""The first words of a command line: what was meant where they are not a command or a task."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay
from assay.cli.task_detection import PYTHON_NAMES

LINES = "q1 Q0 {} 1 2.0 {}\nq1 Q0 {} 2 1.0 {}\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("q1 0 a 1\nq1 0 b 0\n")
    Path("one.run").write_text(LINES.format("a", "one", "b", "one"))
    Path("two.run").write_text(LINES.format("b", "two", "a", "two"))
    Path("guesses.csv").write_text("truth,predicted\nyes,no\n")
    Path("ratings.csv").write_text("item,assessor,label\n1,ann,yes\n")
    Path("any.csv").write_text("label,year\n1,2\n")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ([], "Usage: assay [OPTIONS]"),
        (["retrieval"], "Usage: assay retrieval [OPTIONS]"),
        (["plot", "pr"], "Usage: assay plot pr [OPTIONS]"),
    ],
)
def test_help_is_a_word_too(words: list[str], shown: str) -> None:
    assert call("help", *words).out.startswith(shown)
    assert call("help", *words).out == call(*words, "--help").out


def test_help_within_a_command_that_takes_a_task() -> None:
    assert call("plot", "help").out == call("plot", "--help").out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("plot rok", "'rok' is not a figure. Did you mean roc? There are calibration, confusion,"),
        ("explain foo", "'foo' is not a task. There are agreement, classification,"),
        (
            "report retreival",
            "'retreival' is neither a task nor a scores file. Did you mean retrieval?",
        ),
        ("help retreival", "there is no command 'retreival'. Did you mean retrieval"),
        ("labelsets tags.csv", "no command 'labelsets'. Write assay classification --sets."),
        ("top-k ranked.csv", "Write assay classification --ranked."),
        ("qrels.txt one.run", "name the task before it: assay retrieval qrels.txt one.run"),
        (
            "explain qrels.txt one.run -m AP --query q1",
            "name the task before it: assay explain retrieval qrels.txt one.run -m AP --query q1",
        ),
        ("report guesses.csv", "its files: assay report classification guesses.csv"),
        ("explain ratings.csv -m alpha", "assay explain agreement ratings.csv -m alpha"),
        ("explain any.csv -m AP", "assay explain TASK any.csv -m AP"),
    ],
)
def test_a_word_in_the_wrong_place_is_answered_with_what_to_write(words: str, hint: str) -> None:
    done = call(*words.split())
    assert done.code == 2
    assert hint in done.err


def test_commands_of_functions_of_python_exist() -> None:
    for name, command in PYTHON_NAMES.items():
        words = command.split()
        assert callable(getattr(assay, name))
        assert all(word in call(words[0], "--help").out for word in words)


def test_a_page_of_scores_in_a_plain_table() -> None:
    Path("scores.csv").write_text("query,system,AP\n1,a,.5\n2,a,.6\n1,b,.4\n2,b,.7\n")
    assert call("report", "scores.csv", "-o", "page.html").code == 0
    assert "AP" in Path("page.html").read_text()


EXPLAIN = ("explain", "retrieval", "qrels.txt", "one.run", "two.run", "-m", "RR", "--query", "q1")


def test_two_runs_are_explained_beside_each_other() -> None:
    lines = call(*EXPLAIN).out.splitlines()
    assert lines[0] == "RR, query q1"
    assert [line.split() for line in lines[3:6]] == [
        ["system", "RR", "difference"],
        ["one", "1.0000"],
        ["two", "0.5000", "-0.5000"],
    ]
    assert lines[7].split("    ")[0] == "one: RR = 1.0000"
    assert lines[7].endswith("two: RR = 0.5000")
    assert lines[9].split()[:5] == ["1", "a", "1", "1", "1"]
    assert lines[10].split() == ["2", "a", "1", "1", "0.5000"]
    assert "two: R = 1 relevant documents are known (grade 1 or more); retrieved: 1" in lines[-1]


def test_two_explanations_stand_below_each_other_where_the_terminal_is_narrow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = call(*EXPLAIN).out.splitlines()
    assert lines[7] == "one: RR = 1.0000"
    assert lines[11] == "two: RR = 0.5000"


def test_explained_runs_of_one_tag_are_told_apart() -> None:
    Path("two.run").write_text(LINES.format("b", "one", "a", "one"))
    assert "two: RR = 0.5000" in call(*EXPLAIN).out


def test_the_area_of_a_ranking_is_that_of_precision_and_recall() -> None:
    done = call("retrieval", "qrels.txt", "one.run", "-m", "AUC")
    assert "It is a measure of classification" in done.err
    assert "Of retrieval there is AUPRC." in done.err


@pytest.mark.parametrize("text", ["[]", "[1, 2]", '[{"a": 1}]', "[[1, 2]]"])
def test_a_json_list_in_place_of_scores_is_refused(text: str) -> None:
    Path("scores.csv").write_text(text)
    done = call("compare", "scores.csv")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("assay: scores.csv: ")
