"""``kill -9`` while a command runs: each file is the complete old one or the complete new one.

A process runs a command again and again, with two sets of inputs in turn, and is killed at random
moments. It is forked from one that has imported the command line, to start quickly. Since a command
writes for a short part of its time, the writer that all commands use (a test of the architecture
keeps it so) is killed by itself as well.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT
from tests.outputs.commands import WRITERS, write_inputs

from assay.core.output_files import TEMPORARY_NAME

Kill = Callable[[float | Callable[[], bool]], float]

KILLS = 20
"""At least, for each kind of output: while commands run, and again while the writer runs."""
MOST_KILLS = 2_000
"""Kills until one comes while the writer has a file open, which takes a small part of its time."""
LONGEST = 300.0
"""Seconds that a command may take on a busy machine."""

FORKS = """
import json, os, sys
from pathlib import Path
from assay.cli.application import main
from assay.core.output_files import open_output

def run_commands(output, versions):
    sys.stdout = sys.stderr = open(os.devnull, "w")
    while True:
        for words in versions:
            try:
                main(words)
            except SystemExit:
                pass

def write_outputs(output, versions):
    contents = [Path(each).read_bytes() for each in versions]
    while True:
        for content in contents:
            with open_output(output) as handle:
                for start in range(0, len(content), 1000):
                    handle.write(content[start : start + 1000])

task, output, versions = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
for _ in sys.stdin:
    child = os.fork()
    if not child:
        globals()[task](output, versions)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
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

    def look() -> int:
        assert output.read_bytes() in complete
        assert len(_temporary(tmp_path)) <= 2  # of this process, and of one before it
        return len(_temporary(tmp_path))

    draw = random.Random(kind)
    with _forks("run_commands", writer.output, [writer.call("one"), writer.call("two")]) as kill:
        seconds = kill(lambda: output.read_bytes() == complete[0])
        for _ in range(KILLS):
            kill(draw.uniform(0, 2 * seconds))
            look()
    versions = ["one/complete", "two/complete"]
    with _forks("write_outputs", writer.output, versions) as kill:
        left = kills = 0
        while kills < KILLS or (not left and kills < MOST_KILLS):
            kill(draw.uniform(0, 0.05))
            left += look()
            kills += 1
    assert left, "no kill came while a file was written"
    assert call(*writer.call("one")).code == 0
    assert output.read_bytes() == complete[0]
    assert _temporary(tmp_path) == []


@pytest.mark.slow
def test_the_demo_killed_at_random_moments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    words = ["demo", "--folder", "demo"]
    assert call(*words).code == 0
    files = [each for each in Path("demo").rglob("*") if each.is_file()]
    complete = {file: file.read_bytes() for file in files}
    draw = random.Random("demo")
    last = max(files, key=lambda file: file.stat().st_mtime_ns)
    with _forks("run_commands", "demo", [words]) as kill:
        last.write_bytes(b"earlier")
        seconds = kill(lambda: last.read_bytes() == complete[last])
        for _ in range(KILLS):
            for file in files:
                file.write_bytes(b"earlier")
            kill(draw.uniform(0, seconds))
            assert all(file.read_bytes() in (b"earlier", complete[file]) for file in files)
    assert call(*words).code == 0
    assert {file: file.read_bytes() for file in files} == complete
    assert _temporary(Path("demo")) == _temporary(Path("demo/runs")) == []


@contextmanager
def _forks(task: str, output: str, versions: list[list[str]] | list[str]) -> Iterator[Kill]:
    """Start a process that forks; yield what starts a fork and kills it.

    It is killed after some seconds, or when a condition holds; how long it ran is returned.
    """
    words = [sys.executable, "-c", FORKS, task, output, json.dumps(versions)]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    ) as process:

        def kill(until: float | Callable[[], bool]) -> float:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("again\n")
            process.stdin.flush()
            child = int(process.stdout.readline())
            started = time.perf_counter()
            try:
                if callable(until):
                    while not until() and time.perf_counter() < started + LONGEST:
                        time.sleep(0.01)
                    assert until(), "the command did not come to its end"
                else:
                    time.sleep(until)
            finally:  # A child that still runs would keep the process, and the test, from ending.
                os.kill(child, signal.SIGKILL)
            assert int(process.stdout.readline()) == -signal.SIGKILL
            return time.perf_counter() - started

        yield kill


def _temporary(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if TEMPORARY_NAME.fullmatch(each.name)]
