"""Numbers without sense, and inputs of the wrong kind, end in a message."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.run").write_text("1 Q0 a 1 2.0 a\n1 Q0 b 2 1.0 a\n")
    Path("b.run").write_text("1 Q0 b 1 2.0 b\n1 Q0 a 2 1.0 b\n")
    Path("m.csv").write_text("actual,x,y\nx,3,1\ny,1,4\n")
    Path("sets.jsonl").write_text('{"truth": ["x"], "predicted": ["x"]}\n')
    Path("tiangong.jsonl").write_text("null\n")


@pytest.mark.parametrize(
    "command",
    [
        "experiment plan --baseline 0.19 --detect 0.01 --users-per-day 1e-300",
        "experiment plan --baseline 0.19 --detect 0.01 --users-per-day inf",
        "interleave plan --preference 0.05 --ties 0.6 --per-user inf",
        "interleave plan --preference 0.05 --ties 0.6 --per-user nan",
        "interleave make a.run b.run -o lists.csv --lists 999999999999",
        "pool make a.run b.run -o pool.csv --hours 1e308",
        "pool plan --topics 50 --depth 20 --topic-minutes 1e308",
        "pool plan --topics 50 --depth 20 --topic-minutes nan",
        "confusion m.csv --rows actual --pairs",
        "classification sets.jsonl --sets --ranked predicted",
        "behavior check tiangong.jsonl --log-format tiangong",
    ],
)
def test_a_message_and_no_traceback(command: str) -> None:
    done = call(*command.split())
    assert done.code in (1, 2)
    assert done.err.startswith(("assay: ", "Usage: "))


def test_a_curve_without_points_is_drawn() -> None:
    Path("p.csv").write_text("sick,p\nyes,0.5\n")
    columns = "--truth sick --score p --positive yes -o roc.svg"
    done = call("plot", "roc", "p.csv", *columns.split())
    assert done.code in (0, 1)
    assert "Traceback" not in done.err
