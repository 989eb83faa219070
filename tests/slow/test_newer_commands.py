"""Damaged files and odd options of the commands for benchmarks, users and experiments."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUZZER = ROOT.parent / "shared" / "tools" / "fuzz.py"


@pytest.mark.slow
@pytest.mark.skipif(not FUZZER.exists(), reason="the fuzzer shared/tools/fuzz.py is not there")
@pytest.mark.parametrize("more", [(), ("--options",)], ids=["files", "options"])
def test_every_case_ends_as_it_should(more: tuple[str, ...]) -> None:
    pytest.importorskip("sqlalchemy")
    command = [sys.executable, "tests/slow/newer_commands.py", str(FUZZER), "--count", "400"]
    done = subprocess.run(
        [*command, "--seed", "slow", *more],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
