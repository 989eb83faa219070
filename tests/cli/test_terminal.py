"""What the command line does with a narrow terminal, and what it calls itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.reports.report_inputs import write_retrieval

from assay.cli.commands.demo import program_name
from assay.reports.text.table_text import align_columns


@pytest.mark.parametrize("columns", [80, 100])
def test_the_list_of_measures_fits_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = call("measures")
    *listed, _, _ = done.out.splitlines()
    assert max(map(len, listed)) <= columns
    assert any(line.startswith("  nDCG") for line in listed)


def test_columns_without_room_follow_below() -> None:
    rows = [["system", "one", "two", "three"], ["a", "1.00", "2.00", "3.00"]]
    assert align_columns(rows, width=18) == (
        "system   one   two\na       1.00  2.00\n\nsystem  three\na        3.00"
    )
    assert align_columns(rows).count("\n") == 1


COMPARED = ("compare", "retrieval", "qrels.txt", "runs/system0.run", "runs/system1.run", "-m", "AP")


@pytest.mark.parametrize(
    "asked",
    [
        ("retrieval", "qrels.txt", "runs/system0.run", "runs/system1.run"),
        (
            "retrieval",
            "qrels.txt",
            "runs/system0.run",
            "-m",
            "AP RR nDCG P@5 P@10 R@5",
            "--per-query",
        ),
        COMPARED,
        (*COMPARED, "--baseline", "system0", "--margin", "0.01"),
        (*COMPARED, "--show", "gains"),
        ("power", *COMPARED[1:]),
        ("holes", "qrels.txt", "runs/system0.run", "-m", "AP P@10"),
    ],
    ids=lambda asked: " ".join(asked[:1] + asked[7:]),
)
def test_tables_fit_eighty_columns(
    asked: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_retrieval(tmp_path, queries=24)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    done = call(*asked)
    assert done.code == 0, done.err
    table, _, _ = done.out.rpartition("\n\n")  # notes, which are prose, stand below
    assert max(map(len, table.splitlines() or done.out.splitlines())) <= 80


def test_a_module_calls_itself_as_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/assay/__main__.py", "demo"])
    assert program_name() == "python -m assay"
    monkeypatch.setattr(sys, "argv", ["/bin/assay", "demo"])
    assert program_name() in ("assay", "/bin/assay")


@pytest.mark.parametrize("command", ["retrieval", "correlation", "agreement"])
def test_every_command_has_the_short_help_option(command: str) -> None:
    words = [sys.executable, "-m", "assay", command, "-h"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"Usage: python -m assay {command}") or command in done.stdout
