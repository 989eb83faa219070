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
