"""What comes through a pipe is read once, though it is evaluated and drawn."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import call

CASES = {
    "classification": ("y,g,p\na,a,.9\nb,a,.6\na,a,.8\nb,b,.2\n", "--truth y --predicted g"),
    "clustering": ("c,k\n1,a\n1,a\n2,b\n2,a\n", "--cluster c --classes k"),
    "regression": ("y,z\n1,1\n2,3\n3,3\n4,5\n", "--truth y --predicted z"),
}


@pytest.mark.parametrize("task", CASES)
def test_a_report_of_a_pipe(task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, options = CASES[task]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    page = tmp_path / "page.html"
    done = call("report", task, "-", *options.split(), "-o", str(page))
    assert done.code == 0, done.err
    assert "<table" in page.read_text(encoding="utf-8")
