"""What the command line does with a narrow terminal, and what it calls itself."""

from __future__ import annotations

import sys

import pytest
from tests.cli.terminal import call

from assay.cli.terminal import program


@pytest.mark.parametrize("columns", [80, 100])
def test_the_list_of_measures_fits_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = call("measures")
    *listed, _, _ = done.out.splitlines()
    assert max(map(len, listed)) <= columns
    assert any(line.startswith("  nDCG") for line in listed)


def test_a_module_calls_itself_as_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/assay/__main__.py", "demo"])
    assert program() == "python -m assay"
    monkeypatch.setattr(sys, "argv", ["/bin/assay", "demo"])
    assert program() in ("assay", "/bin/assay")
