"""What next and fuse say beside their results, and what gdeval's profile knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments and two runs."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 a 1\n1 0 b 0\n")
    Path("x.run").write_text("1 Q0 a 1 2 x\n1 Q0 c 2 1 x\n")
    Path("y.run").write_text("1 Q0 c 1 2 y\n1 Q0 a 2 1 y\n")


def test_next_explains_its_columns_to_a_reader_only() -> None:
    asked = ("next", "qrels", "x.run", "y.run")
    assert "change: how much that would move" in call(*asked).out
    assert "change: how much" not in call(*asked, "--format", "csv").out


def test_fuse_says_what_it_wrote_unless_quiet() -> None:
    asked = ("fuse", "x.run", "y.run", "-o", "fused.run")
    told = call(*asked)
    assert told.err.strip() == "wrote fused.run: 2 documents for 1 queries, rrf of 2 runs"
    assert not told.out
    assert call(*asked, "--quiet").err == ""


def test_weights_that_let_no_run_count_are_refused() -> None:
    told = call("fuse", "x.run", "y.run", "--weights", "0,0")
    assert told.code == 2
    assert "all weights are 0" in told.err


@pytest.mark.parametrize("command", ["retrieval", "holes", "ties"])
def test_the_scale_of_gdeval_need_not_be_said(command: str) -> None:
    told = call(command, "qrels", "x.run", "-m", "ERR@20", "--profile", "gdeval")
    assert "ERR(gmax=4)@20" in told.out, told.err
    said = call(command, "qrels", "x.run", "-m", "ERR(gmax=3)@20", "--profile", "gdeval")
    assert "ERR(gmax=3)@20" in said.out
    plain = call(command, "qrels", "x.run", "-m", "ERR@20")
    assert plain.code == 2
    assert "needs gmax" in plain.err


def test_a_scale_that_is_optional_is_left_alone() -> None:
    told = call("retrieval", "qrels", "x.run", "-m", "RBP", "--profile", "gdeval")
    assert "gmax" not in told.out
