"""What is said to be the same everywhere is the same everywhere."""

from __future__ import annotations

import importlib
from pathlib import Path

import click
import pytest
from tests.cli.terminal import call
from tests.reports.evidence import write_retrieval

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


def leaves(command: click.Command) -> list[click.Command]:
    """The commands that do something themselves."""
    if not isinstance(command, click.Group):
        return [command]
    context = click.Context(command)
    inner = [command.get_command(context, name) for name in command.list_commands(context)]
    return [leaf for each in inner if each is not None for leaf in leaves(each)]


ONE_MEANING = {
    "--weight": "How much each item counts.",
    "--positive": "The class that the question is about.",
    "--seed": "For whatever is drawn.",
    "--rel": "The least grade that counts as relevant. [default: 1]",
    "--quiet": "No notes on standard error.",
}


EXCEPTIONS = {
    "… and how much the item counts.",
    "Errors only.",
    "For the intervals.",
    "Least relevant grade.",
}


@pytest.mark.parametrize("word", ONE_MEANING)
def test_a_word_means_one_thing(word: str) -> None:
    """Over all commands, an option that is written alike says alike what it does."""
    from assay.cli.application import application

    said = {
        each.help
        for command in leaves(application)
        for each in command.params
        if isinstance(each, click.Option) and word in each.opts
    }
    others = {text for text in said if text not in (None, ONE_MEANING[word])}
    assert others <= EXCEPTIONS


@pytest.mark.parametrize(
    ("command", "before", "now"),
    [
        ("confusion", "--cluster", "--arrange"),
        ("classification", "--cluster", "--arrange"),
        ("correlation", "--by", "--order-by"),
    ],
)
def test_words_of_before_are_understood_but_not_shown(command: str, before: str, now: str) -> None:
    found = importlib.import_module(f"assay.cli.commands.{command}").command
    assert now in words(command)
    assert before not in words(command)
    context = click.Context(found)
    assert before in found.make_parser(context)._long_opt
    assert f" {before} " not in found.get_help(context)


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
