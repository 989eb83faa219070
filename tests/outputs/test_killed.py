"""``kill -9`` while an output is written: the file is the complete old one or the complete new one.

The outputs are those of the commands; a process writes two of them in turn with the writer that
all commands use (a test of the architecture keeps it so), and is killed at random moments.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT
from tests.outputs.commands import WRITERS, write_inputs

from assay.core.temporary_files import NAME

KILLS = 20
"""For each of the eleven kinds of output: 220 in all."""
LONGEST = 0.05
"""Seconds: time to write the file several times."""

PROGRAM = """
import os, sys
from pathlib import Path
from assay.core.output_files import open_output

output, *versions = sys.argv[1:]
contents = [Path(each).read_bytes() for each in versions]
for _ in sys.stdin:
    writer = os.fork()
    if not writer:
        while True:
            for content in contents:
                with open_output(output) as handle:
                    for start in range(0, len(content), 1000):
                        handle.write(content[start : start + 1000])
    print(writer, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(writer, 0)[1]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_killed_at_random_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    writer = WRITERS[kind]
    output = tmp_path / writer.output
    complete = []
    for version in ("one", "two"):
        write_inputs(tmp_path, version)
        assert call(*writer.call(version)).code == 0
        complete.append(output.read_bytes())
        (tmp_path / version / "complete").write_bytes(complete[-1])
    assert complete[0] != complete[1]
    left = _kill_often(output, random.Random(kind))
    assert left, "no kill came while a file was written"
    assert call(*writer.call("one")).code == 0
    assert output.read_bytes() == complete[0]
    assert _temporary(tmp_path) == []


def _kill_often(output: Path, draw: random.Random) -> int:
    """Kill a process that writes, and look; return how often it left a temporary file."""
    folder = output.parent
    complete = [(folder / version / "complete").read_bytes() for version in ("one", "two")]
    words = [sys.executable, "-c", PROGRAM, output.name, "one/complete", "two/complete"]
    left = 0
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(KILLS):
            process.stdin.write("again\n")
            process.stdin.flush()
            started = int(process.stdout.readline())
            time.sleep(draw.uniform(0, LONGEST))
            os.kill(started, signal.SIGKILL)
            assert int(process.stdout.readline()) == -signal.SIGKILL
            assert output.read_bytes() in complete
            left += bool(_temporary(folder))
            assert len(_temporary(folder)) <= 2  # of this process, and of one before it
    return left


def _temporary(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if NAME.fullmatch(each.name)]
