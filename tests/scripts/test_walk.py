"""scripts/walk.py: what it counts and what it leaves out."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.conftest import ROOT

from assay.core.conventions import Conventions

SCRIPT = ROOT / "scripts/walk.py"


@pytest.fixture(scope="module")
def walk() -> ModuleType:
    found = importlib.util.spec_from_file_location("walk", SCRIPT)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_a_command_is_followed(walk: ModuleType, tmp_path: Path) -> None:
    walk.write_inputs(tmp_path)
    words = ["retrieval", "qrels.txt", "one.run", "-m", "P@5", "--resamples", "0"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "assay/cli/application.py\n    main\n" in done.stdout
    assert "\n    precision\n" in done.stdout
    assert "<module>" not in done.stdout
    assert "\n    define\n" not in done.stdout, "decorators run at import"
    counts = dict(line.split(": ") for line in done.stdout.split("\n\n")[1].splitlines())
    files, functions, switches, calls, modules = (int(counts[name]) for name in walk.COLUMNS)
    assert 1 < files < functions
    assert files - 1 <= switches < functions
    assert switches <= calls
    assert modules > files


def test_functions_below_a_module_body_are_left_out(
    walk: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours.py").write_text(
        "def imported(): pass\n"
        "imported()\n"
        "def entered(): return [each for each in (1, 2)], nested()\n"
        "def nested():\n"
        "    class Local: pass\n"
    )
    monkeypatch.setattr(walk, "SOURCE", tmp_path)
    monkeypatch.setattr(walk, "PACKAGE", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    record = walk.Walk()
    sys.setprofile(record)
    try:
        import ours  # type: ignore[import-not-found]

        ours.entered()
    finally:
        sys.setprofile(None)
    assert record.steps() == [("ours.py", "entered"), ("ours.py", "nested")]


def test_methods_that_nobody_wrote_are_left_out(walk: ModuleType) -> None:
    conventions: Any = Conventions
    assert walk.is_function(conventions.change.__code__)
    assert not walk.is_function(conventions.__setattr__.__code__)
    assert not walk.is_function(conventions.__hash__.__code__)


def test_switches(walk: ModuleType) -> None:
    assert walk.count_switches(["a", "a", "b", "a"]) == 2
    assert walk.count_switches([]) == 0


def test_lines_of_code(walk: ModuleType) -> None:
    documented = '"""Module."""\n\n# why\nX = (\n    1,  # one\n)\n"""About X,\nat length."""\n'
    assert walk.count_lines(documented) == 3
    assert walk.count_lines(documented + '\nY = """a\nb"""\n') == 5


def test_lines_by_part(
    walk: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("behavior/logs/read.py", "core/names.py", "benchmark/votes.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("X = 1\nY = 2\n")
    (tmp_path / "benchmark/pools").mkdir()
    (tmp_path / "benchmark/pools/pool.py").write_text("Z = 3\n")
    monkeypatch.setattr(walk, "PACKAGE", tmp_path)
    walk.print_lines()
    rows = capsys.readouterr().out.splitlines()[2:]
    assert rows == [
        "| behavior | 0 | 2 |",
        "| benchmark | 2 | 1 |",
        "| core | 2 | 0 |",
        "| all | 4 | 3 |",
    ]


LIMITS = {
    "retrieval": (39, 75),
    "classification": (46, 110),
    "compare retrieval": (55, 118),
    "report retrieval": (70, 162),
    "holes": (42, 79),
}
"""Files and switches of each command at most; scripts/walk-baseline.md has the figures before."""


@pytest.mark.slow
@pytest.mark.parametrize("name", LIMITS)
def test_a_command_goes_through_few_files(walk: ModuleType, tmp_path: Path, name: str) -> None:
    walk.write_inputs(tmp_path)
    files, _, switches, *_ = walk.figures(walk.follow_apart(walk.STANDARD[name].split(), tmp_path))
    most_files, most_switches = LIMITS[name]
    assert files <= most_files
    assert switches <= most_switches
