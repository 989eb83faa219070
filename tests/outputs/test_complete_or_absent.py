"""A file is complete or not there: limits, full disks, interrupts, failures."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.terminal import call
from tests.outputs.commands import OTHER_WRITERS, WRITERS, write_inputs

from assay.core.errors import DataError, OutputError
from assay.core.output_files import (
    TEMPORARY_NAME,
    create_temporary,
    open_output,
    write_bytes,
    write_text,
)
from assay.core.output_folders import new_folder

OLD = b"the earlier content\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def inputs(folder: Path) -> Path:
    write_inputs(folder, "one")
    return folder


def temporary_files(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if TEMPORARY_NAME.fullmatch(each.name)]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("kind", [*WRITERS, *OTHER_WRITERS])
def test_a_limit_on_the_size_of_files(inputs: Path, kind: str) -> None:
    writer = (WRITERS | OTHER_WRITERS)[kind]
    out = inputs / writer.output
    done = call(*writer.call("one"))
    assert done.code == 0, done.err
    complete = out.read_bytes()
    for limit in (0, 1, len(complete) // 2, len(complete) - 1):
        with largest_file(limit):
            done = call(*writer.call("one"))
        assert done.code == 1
        assert f"{writer.output}: the file cannot be written: File too large" in done.err
        assert out.read_bytes() == complete
        assert temporary_files(inputs) == []
    out.unlink()
    with largest_file(len(complete) - 1):
        assert call(*writer.call("one")).code == 1
    assert not out.exists()
    with largest_file(len(complete)):
        assert call(*writer.call("one")).code == 0
    assert out.read_bytes() == complete


def test_the_demo_keeps_its_files_under_a_limit(folder: Path) -> None:
    pytest.importorskip("sklearn")
    (folder / "demo").mkdir()
    (folder / "demo/qrels.txt").write_bytes(OLD)
    with largest_file(10_000):
        done = call("demo", "--folder", "demo")
    assert done.code == 1
    assert "demo/qrels.txt: the file cannot be written: File too large" in done.err
    assert [each.name for each in (folder / "demo").iterdir() if each.is_file()] == ["qrels.txt"]
    assert (folder / "demo/qrels.txt").read_bytes() == OLD


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_device_is_named(inputs: Path) -> None:
    done = call("fuse", "one/a.run", "one/b.run", "-o", "/dev/full")
    assert done.code == 1
    assert "/dev/full: the file cannot be written: No space left on device" in done.err


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError, SystemExit])
def test_a_failure_leaves_the_earlier_file(folder: Path, failure: type[BaseException]) -> None:
    out = folder / "out"
    out.write_bytes(OLD)

    def write() -> None:
        with open_output(out) as handle:
            handle.write(b"x" * 100_000)
            raise failure

    with pytest.raises(failure):
        write()
    assert out.read_bytes() == OLD
    assert temporary_files(folder) == []


def test_ctrl_c_while_a_file_is_written(inputs: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from assay.cli.application import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGINT)\n"
        "main(['fuse', 'one/a.run', 'one/b.run', '-o', 'out.run'])\n"
    )
    (inputs / "out.run").write_bytes(OLD)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 130
    assert b"Traceback" not in done.stderr
    assert (inputs / "out.run").read_bytes() == OLD
    assert temporary_files(inputs) == []


def test_a_conversion_that_fails_leaves_the_earlier_file(folder: Path) -> None:
    (folder / "bad.run").write_text("q1 Q0 d1 1 2.5 a\nq1 Q0 d2\n")
    (folder / "out.parquet").write_bytes(OLD)
    assert call("convert", "bad.run", "out.parquet").code == 1
    assert (folder / "out.parquet").read_bytes() == OLD


def test_mode_and_links_are_kept(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    target = folder / "elsewhere/target"
    target.write_bytes(OLD)
    target.chmod(0o640)
    link = folder / "link"
    link.symlink_to("elsewhere/target")
    write_text(link, "new\n")
    assert link.is_symlink()
    assert target.read_text() == "new\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list((folder / "elsewhere").iterdir()) == [target]


def test_a_link_to_a_file_that_is_not_there_yet(folder: Path) -> None:
    (folder / "link").symlink_to("later")
    write_bytes(folder / "link", b"new")
    assert (folder / "link").is_symlink()
    assert (folder / "later").read_bytes() == b"new"


def test_a_new_file_has_the_mode_that_others_have(folder: Path) -> None:
    write_bytes(folder / "new", b"")
    (folder / "plain").touch()
    assert (folder / "new").stat().st_mode == (folder / "plain").stat().st_mode


def test_a_hard_link_keeps_the_earlier_content(folder: Path) -> None:
    (folder / "one").write_bytes(OLD)
    (folder / "other").hardlink_to(folder / "one")
    write_bytes(folder / "one", b"new")
    assert (folder / "other").read_bytes() == OLD


def test_a_named_pipe_is_written_through(folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_bytes(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"])
def test_standard_output_is_written_through(inputs: Path, name: str) -> None:
    """Also where it is a file, which keeps what was in it before."""
    words = ["convert", "one/a.run", name, "--output-format", "trec"]
    with (inputs / "all.txt").open("wb") as shared:
        shared.write(b"before\n")
        shared.flush()
        subprocess.run([sys.executable, "-m", "assay", *words], stdout=shared, check=True)
        shared.seek(0, os.SEEK_END)
        shared.write(b"after\n")
    content = (inputs / "all.txt").read_bytes()
    assert call("convert", "one/a.run", "alone.run").code == 0
    assert content == b"before\n" + (inputs / "alone.run").read_bytes() + b"after\n"


@pytest.mark.parametrize("kind", ["save", "fuse", "gate", "aggregate", "report", "plot svg"])
def test_every_command_writes_through_to_standard_output(inputs: Path, kind: str) -> None:
    """The bytes of the file and nothing else, so that another command can read them."""
    writer = WRITERS[kind]
    assert call(*writer.call("one")).code == 0
    words = [*writer.call("one")[:-1], "/dev/stdout"]
    done = subprocess.run([sys.executable, "-m", "assay", *words], capture_output=True, check=True)
    assert done.stdout == (inputs / writer.output).read_bytes()


def test_scores_are_saved_to_a_named_pipe(inputs: Path) -> None:
    os.mkfifo(inputs / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((inputs / "pipe").read_bytes()))
    reader.start()
    assert call(*WRITERS["save"].call("one")[:-1], "pipe").code == 0
    reader.join(10)
    assert call(*WRITERS["save"].call("one")).code == 0
    assert read == [(inputs / "out.parquet").read_bytes()]


def test_the_name_that_is_proposed_keeps_the_folder(inputs: Path) -> None:
    done = call(*WRITERS["save"].call("one")[:-1], "one/scores.csv")
    assert done.code == 2
    assert "name it one/scores.parquet" in done.err


def test_a_descriptor_of_the_shell(folder: Path) -> None:
    read, write = os.pipe()
    write_bytes(f"/dev/fd/{write}", b"through")
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read() == b"through"


def test_temporary_files_of_killed_processes_are_removed(folder: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from assay.core.output_files import open_output\n"
        "with open_output('out') as handle:\n"
        "    handle.write(b'x' * 100_000)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (folder / "out").exists()
    assert len(temporary_files(folder)) == 1
    running, handle = create_temporary(folder)
    (folder / ".assay-output-notes.tmp").write_bytes(b"of the user")
    write_bytes(folder / "other", b"new")
    assert temporary_files(folder) == [running.name]
    assert (folder / ".assay-output-notes.tmp").exists()
    handle.close()
    write_bytes(folder / "other", b"new")
    assert temporary_files(folder) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_only_be_read(folder: Path) -> None:
    (folder / "out").write_bytes(OLD)
    (folder / "out").chmod(0o444)
    with pytest.raises(OutputError, match="you may not write to this file"):
        write_bytes(folder / "out", b"new")


def test_the_same_gzip_whatever_the_name(inputs: Path) -> None:
    for name in ("x.run.gz", "y.run.gz"):
        assert call("convert", "one/a.run", name).code == 0
    assert (inputs / "x.run.gz").read_bytes() == (inputs / "y.run.gz").read_bytes()


def test_a_folder_that_was_there_keeps_what_is_in_it(tmp_path: Path) -> None:
    empty, new = tmp_path / "empty", tmp_path / "new"
    empty.mkdir()

    def fail(folder: Path) -> None:
        with new_folder(folder):
            (folder / "file").write_text("of somebody")
            raise DataError("failed")

    for folder in (empty, new):
        with pytest.raises(DataError, match="failed"):
            fail(folder)
    assert (empty / "file").exists()
    assert not new.exists()
