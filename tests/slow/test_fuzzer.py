"""Damaged files of every kind: the fuzzer, where it is installed beside the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUZZER = ROOT.parent / "shared" / "tools" / "fuzz.py"


@pytest.mark.slow
@pytest.mark.skipif(not FUZZER.exists(), reason="the fuzzer shared/tools/fuzz.py is not there")
def test_every_damaged_file_ends_in_a_short_message_with_its_place() -> None:
    command = [sys.executable, str(FUZZER), "--count", "1000", "--seed", "slow"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert " 0 tracebacks, 0 wrong exit codes, 0 slow, 0 crashes" in done.stdout, done.stdout
    assert "also: nothing" in done.stdout, done.stdout  # no place, long, warnings of Python
