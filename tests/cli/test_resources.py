"""Limits on lines, unpacked files and memory: a message, and nothing else."""

from __future__ import annotations

import bz2
import gzip
import lzma
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import call

from assay.formats import input_files


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    Path("qrels.txt").write_text("1 0 d1 1\n2 0 d2 1\n")
    Path("one.run").write_text("1 Q0 d1 1 2 one\n2 Q0 d1 1 2 one\n")


@pytest.mark.parametrize("pack", [None, gzip.compress])
def test_a_line_without_end_is_refused(pack: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "LONGEST_LINE", 1 << 20)
    content = b"1 0 d1 1\n" + b"x" * (input_files.PIECE + (2 << 20))
    Path("long.txt").write_bytes(content if pack is None else gzip.compress(content, 1))
    done = call("retrieval", "long.txt", "one.run")
    assert (done.code, done.out) == (1, "")
    assert "long.txt" in done.err
    assert "a line is longer than 1,048,576 bytes" in done.err


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_that_unpacks_to_far_more_is_refused(
    pack: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(pack)
    Path("bomb.txt").write_bytes(pack(b"1 0 d1 1\n" * 500_000))
    monkeypatch.setenv("ASSAY_MAX_UNPACKED", "1000000")
    done = call("retrieval", "bomb.txt", "one.run")
    assert done.code == 1
    assert "bomb.txt: the compressed file unpacks to more than 1,000,000 bytes" in done.err
    assert "ASSAY_MAX_UNPACKED" in done.err


def test_lack_of_memory_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(input_files.Input, "content", exhausted)
    Path("qrels.json").write_text('{"1": {"d1": 1}}')
    done = call("retrieval", "qrels.json", "one.run")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("assay: the memory is not sufficient for this; ")
    assert done.err.count("\n") == 1


def test_junit_stays_well_formed_whatever_a_name_holds() -> None:
    from xml.etree import ElementTree

    for name, tag in (("a", "a\x1b[31m\x07"), ("b", "b<&'\"]]>")):
        Path(f"{name}.run").write_text(f"1 Q0 d1 1 2 {tag}\n2 Q0 d2 1 2 {tag}\n")
    gate = ("gate", "retrieval", "qrels.txt", "a.run", "--baseline", "b.run", "-m", "AP")
    done = call(*gate, "--margin", "0.1", "--format", "junit")
    assert done.code in (0, 3), done.err
    root = ElementTree.fromstring(done.out)
    assert root.tag == "testsuites"
    assert "\x1b" not in done.out


def _run_with_limit(megabytes: int) -> subprocess.CompletedProcess[str]:
    """Run the installed command with so much address space."""
    start = "from assay.cli import start; start()"
    return subprocess.run(
        [sys.executable, "-c", start, "retrieval", "qrels.txt", "one.run", "-m", "AP"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("megabytes", [100, 250, 350])
def test_a_library_that_aborts_for_lack_of_memory_leaves_a_message(megabytes: int) -> None:
    done = _run_with_limit(megabytes)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("assay: the memory is not sufficient for this; ")
    assert done.stderr.endswith("MB (ulimit -v)\n")
    assert done.stderr.count("\n") == 1


def test_messages_without_end_are_ended() -> None:
    """Polars' allocator may repeat one message for ever when it cannot start a thread."""
    program = (
        "import os, sys\n"
        "from assay.cli.limited_memory import run_limited\n"
        "def repeat():\n"
        "    while True:\n"
        "        os.write(2, b'thread creation failed\\n' * 4096)\n"
        "sys.exit(run_limited(repeat, 350_000_000))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("assay: the memory is not sufficient for this; ")
    assert done.stderr.count("\n") == 1


def test_a_limit_that_suffices_changes_nothing() -> None:
    done = _run_with_limit(64_000)
    assert done.returncode == 0, done.stderr
    free = call("retrieval", "qrels.txt", "one.run", "-m", "AP")
    assert (done.stdout, done.stderr) == (free.out, free.err)
