"""Ctrl-C and the end of standard input: one line, at any moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

AT_IMPORT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from assay.cli import start
start()
"""
HEAVY = ("typing", "re", "importlib.util", "pathlib", "click")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("1 0 d1 1\n2 0 d2 1\n")
    Path("one.run").write_text("1 Q0 d1 1 2 one\n2 Q0 d1 1 2 one\n")


def _run(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        check=False,
        input="",
        timeout=120,
    )


@pytest.mark.parametrize(
    "module",
    [
        "assay.cli.limited_memory",
        "click",
        "assay.cli.output",
        "assay.cli.commands.retrieval",
        "numpy",
        "polars",
        "assay.engine.local",
    ],
)
def test_ctrl_c_during_an_import_ends_in_one_line(module: str) -> None:
    done = _run(AT_IMPORT.format(module=module), "retrieval", "qrels.txt", "one.run", "-m", "AP")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "assay: interrupted\n")


def test_nothing_heavy_is_imported_before_ctrl_c_is_handled() -> None:
    script = f"import sys; from assay.cli import start; print(*(set({HEAVY}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stdout.split()


def test_the_end_of_standard_input_is_not_an_interruption() -> None:
    done = _run(
        "from assay.cli import start; start()",
        *("pool", "make", "one.run", "--method", "mtf", "--size", "1", "--ask", "-o", "pool.csv"),
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == [
        "assay: standard input ended where an answer was expected"
    ]
    assert not Path("pool.csv").exists()
