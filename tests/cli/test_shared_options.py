"""What is said to be the same everywhere is the same everywhere."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import click
import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import write_retrieval

from assay.cli.application import CommandFolder, application, use_new_names
from assay.core.conventions import RunSettings
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

QUIET = ("aggregate", "cost", "fuse", "holes", "next", "retrieval", "risk", "threshold", "ties")
COMMANDS = {
    "cost": ("qrels.txt", "runs/system0.run", "--cost", "costs.csv", "-m", "AP"),
    "next": ("qrels.txt", "runs/system0.run", "runs/system1.run", "-m", "AP"),
    "risk": ("qrels.txt", "runs/system0.run", "runs/system1.run", "-m", "AP"),
    "ties": ("qrels.txt", "runs/system0.run", "-m", "AP"),
}


def words(name: str) -> set[str]:
    """The options of a command."""
    command: click.Command = importlib.import_module(f"assay.cli.commands.{name}").command
    return {word for each in command.params for word in each.opts}


@pytest.mark.parametrize("name", QUIET)
def test_quiet_is_everywhere(name: str) -> None:
    assert "--quiet" in words(name)


def test_no_interval_is_a_method_and_zero_resamples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_retrieval(tmp_path, queries=12)
    monkeypatch.chdir(tmp_path)
    asked = ("retrieval", "qrels.txt", "runs/system0.run", "-m", "AP", "--format", "csv")
    without = call(*asked, "--interval", "none")
    assert without.code == 0, without.err
    assert without.out == call(*asked, "--resamples", "0").out != call(*asked).out


@pytest.mark.parametrize("name", COMMANDS)
def test_rel_sets_what_is_relevant(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_retrieval(tmp_path, queries=12)
    (tmp_path / "costs.csv").write_text("system,cost\nsystem0,1\nsystem1,2\n")
    monkeypatch.chdir(tmp_path)
    asked = (name, *COMMANDS[name], "--quiet", "--format", "csv")
    once, again = call(*asked), call(*asked, "--rel", "2")
    assert (once.code, again.code) == (0, 0), again.err
    assert once.out != again.out


def leaves(command: click.Command, path: str = "assay") -> Iterator[tuple[str, click.Command]]:
    """The commands that do something themselves, by what is typed for them."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            yield from leaves(inner, f"{path} {name}")


COMMANDS_BY_PATH = dict(leaves(application))
ONE_MEANING = (
    *("--weight", "--positive", "--seed", "--rel", "--quiet", "--format", "--digits", "--scale"),
    *("--policy", "--order", "--qrels-format", "--interval", "--missing-units", "--permutations"),
)
"""Options that say alike what they do, wherever they are."""
OTHERWISE = {("assay check", "--quiet")}
"""Its notes and warnings are the result itself."""


@pytest.mark.parametrize("word", ONE_MEANING)
def test_a_word_means_one_thing(word: str) -> None:
    said = {
        each.help: path
        for path, command in COMMANDS_BY_PATH.items()
        for each in command.params
        if isinstance(each, click.Option) and word in each.opts and (path, word) not in OTHERWISE
    }
    assert len(said) == 1, said


@pytest.mark.parametrize("path", COMMANDS_BY_PATH)
def test_every_option_says_what_it_does(path: str) -> None:
    silent = [
        each.opts
        for each in COMMANDS_BY_PATH[path].params
        if isinstance(each, click.Option) and not each.hidden and not each.help
    ]
    assert silent == []


@pytest.mark.parametrize("path", COMMANDS_BY_PATH)
def test_several_examples_are_called_so(path: str) -> None:
    lines = [line.strip() for line in (COMMANDS_BY_PATH[path].epilog or "").splitlines()]
    for number, line in enumerate(lines):
        if line in ("Example:", "Examples:"):
            below = list(takewhile(lambda each: each != "\b", lines[number + 1 :]))
            calls = sum("assay " in each for each in below)
            assert (line == "Examples:") == (calls > 1), path


@pytest.mark.parametrize(
    ("command", "before", "now"),
    [
        ("confusion", "--cluster", "--arrange"),
        ("classification", "--cluster", "--arrange"),
        ("clustering", "--class", "--classes"),
        ("preferences", "--input-format", "--form"),
        ("split items", "--share", "--shares"),
        ("split queries", "--by", "--stratum"),
        ("correlation", "--by", "--order-by"),
        ("compare retrieval", "--slice-by", "--by"),
        ("compare scores.csv", "--slice-by=type", "--by=type"),
    ],
)
def test_former_names_are_understood_with_a_note(
    command: str, before: str, now: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(application, CommandFolder)
    called = application._find_called_command(click.Context(application), command.split())
    assert before.partition("=")[0] not in {word for each in called.params for word in each.opts}
    assert use_new_names(called, ["file", before]) == ["file", now]
    old, new = (name.partition("=")[0] for name in (before, now))
    assert capsys.readouterr().err == f"note: {old} is now called {new}\n"
    assert use_new_names(called, ["file", before, "--quiet"]) == ["file", now, "--quiet"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("retrieval", "[default: the standard ones; 'assay measures' marks them *]"),
        ("compare retrieval", "[default: the standard ones; 'assay measures' marks them *]"),
        ("risk", "[default: nDCG@10]"),
        ("plot per-query", "[default: nDCG@10]"),
        ("cost", "[default: nDCG@10]"),
        ("compare", "[default: all that were measured]"),
    ],
)
def test_help_says_which_measures_are_taken_where_none_is_named(words: str, taken: str) -> None:
    shown = " ".join(call(*words.split(), "--help").out.split())
    assert taken in shown.partition("-m, --measure")[2]


def test_measures_marks_those_that_are_taken_where_none_is_named() -> None:
    lines = [line.split() for line in call("measures", "retrieval").out.splitlines()]
    marked = {words[0] for words in lines if len(words) > 1 and words[1].startswith("*")}
    assert marked == {"AP", "RR", "nDCG"}


def test_the_columns_of_risk_and_holes_are_explained_below_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    qrels, one, two = "qrels.txt", "one.run", "two.run"
    Path(qrels).write_text("q 0 a 1\n")
    Path(one).write_text("q Q0 a 1 3 one\nq Q0 b 2 2 one\n")
    Path(two).write_text("q Q0 b 1 3 two\nq Q0 a 2 2 two\n")
    risk = call("risk", qrels, one, two, "--alpha", "4")
    assert "URisk: with losses counted 5 times" in risk.out
    assert "tail: the mean difference over the tenth" in risk.out
    assert "GeoRisk: 0 to 1, more is better" in risk.out
    assert "GeoRisk: 0 to 1" not in call("risk", qrels, one, two, "--format", "csv").out
    # Were b relevant, the best list would have two of them: the one found is half of R.
    deep = call("holes", qrels, one, "-m", "AP@1")
    assert "low can lie below value: an unjudged document far down" in deep.out
    assert "low can lie below value" not in call("holes", qrels, one, "-m", "P@1").out


def test_scales_are_a_choice_everywhere() -> None:
    for command in ("agreement", "explain agreement", "report agreement"):
        done = call(*command.split(), "ratings.csv", "--scale", "ordnial")
        assert done.code == 2
        assert "ordnial" in done.err


def test_a_grade_of_0_can_count_as_relevant(tmp_path: Path) -> None:
    write_retrieval(tmp_path, queries=3)
    evidence = RetrievalEvidence.read(
        str(tmp_path / "qrels.txt"), [str(tmp_path / "runs/system0.run")], RunSettings(rel=0)
    )
    assert evidence.rel == 0


def test_the_positive_class_is_explained_alike() -> None:
    shown = {
        option.help
        for name in ("classification", "confusion", "threshold")
        for option in importlib.import_module(f"assay.cli.commands.{name}").command.params
        if "--positive" in option.opts
    }
    learn = importlib.import_module("assay.cli.commands.learn").command
    own = [each.help for each in learn.commands["outliers"].params if "--positive" in each.opts]
    assert [*shown] == own == ["The positive class."]
