"""Names that a spreadsheet would take for formulas: ``--format spreadsheet`` shows them as text."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from tests.cli.hostile_files import hostile_commands, write_hostile_files
from tests.cli.terminal import call

WITHOUT_FORMAT = ("explain", "interleave")
COMMANDS = [words for words in hostile_commands("=1") if words[0] not in WITHOUT_FORMAT]
SIGNS = tuple("=+-@\t\r\n")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_hostile_files("=", "")


def _formulas(text: str) -> list[str]:
    """Return the cells that a spreadsheet would compute, numbers left out."""
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    return [cell for cell in cells if cell.startswith(SIGNS) and not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2] + words[4:6]))
def test_no_cell_is_a_formula(words: tuple[str, ...]) -> None:
    done = call(*words, "--format", "spreadsheet")
    assert done.code in (0, 3), done.err
    assert done.out
    assert not _formulas(done.out)


def test_csv_keeps_names_as_they_are() -> None:
    done = call("aggregate", "ratings.csv", "--format", "csv")
    assert "=i0" in _formulas(done.out)
    assert "'=i0" in call("aggregate", "ratings.csv", "--format", "spreadsheet").out
