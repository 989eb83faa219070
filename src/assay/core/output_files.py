"""Writing outputs: a file is complete or absent, whatever happens meanwhile.

Every file that Assay writes is written here; a test keeps it so. An output is written to a
temporary file before it takes its name. A writer holds a lock on that as long as it runs, however
it ends. A temporary file that can be locked is therefore one that a killed process left behind.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO

from assay.core.errors import OutputError, UsageError
from assay.core.phrases import escape_controls

if sys.platform != "win32":
    import fcntl

STANDARD_STREAM = "-"
"""Standard output as the name of an output, standard input as that of an input."""
TEMPORARY_NAME = re.compile(r"\.assay-output-\d+-[0-9a-f]{12}\.tmp")
"""What a temporary file is called: the process, and a random number."""
_ADVICE = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or write to another disk"),
    errno.EFBIG: "raise the limit on the size of files (ulimit -f)",
    **dict.fromkeys((errno.EACCES, errno.EPERM), "name a file and a folder that you may write to"),
    errno.EROFS: "name a folder that can be written to",
}


def refuse_unwritable(path: str | Path) -> None:
    """Refuse a place where no file can be written, before anything is computed for it."""
    if str(path) == STANDARD_STREAM:
        return
    if Path(path).is_dir():
        raise OutputError(f"{path}: this is a folder; name a file in it")
    if Path(path).exists() and not os.access(path, os.W_OK):
        raise OutputError(f"{path}: you may not write to this file; name another one")
    if is_stream(path):
        return
    folder = Path(os.path.realpath(path)).parent  # A new file is written beside the earlier one.
    if not folder.is_dir():
        raise OutputError(f"{path}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{path}: you may not write to the folder {folder}; name another one")


def refuse_input(output: str | Path, inputs: Iterable[str | Path]) -> None:
    """Refuse an output that is the file of an input, under whatever name."""
    written = _status(output, sys.stdout)
    if written is None or not stat.S_ISREG(written.st_mode):
        return
    for each in inputs:
        read = [_status(each, sys.stdin)]
        if read[0] is not None and stat.S_ISDIR(read[0].st_mode):
            read = [_status(inner) for inner in Path(each, "qrels").glob("*")]  # as in BEIR
        if any(found is not None and os.path.samestat(written, found) for found in read):
            link = "" if str(each) == str(output) else f" ({each} is the same file)"
            raise UsageError(
                f"{output}: this file is an input{link} and would be overwritten; name another"
                " output"
            )


def _status(path: str | Path, standard: IO[str] | None = None) -> os.stat_result | None:
    """Return the status of the file that a name leads to; None if there is none."""
    with suppress(OSError, ValueError):
        if str(path) == STANDARD_STREAM and standard is not None:
            return os.fstat(standard.fileno())
        return Path(path).stat()
    return None


def is_stream(path: str | Path) -> bool:
    """Return whether an output is a pipe, a device or an open descriptor."""
    if str(path) == STANDARD_STREAM or _own_descriptor(path) is not None:
        return True
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError as failure:
        raise _write_error(path, failure) from failure


def _write_error(path: str | Path, failure: OSError) -> OutputError:
    advice = _ADVICE.get(failure.errno or 0, "name another file")
    return OutputError(
        f"{path}: the file cannot be written: {failure.strerror or failure}; {advice}"
    )


def is_standard_output(path: str | Path) -> bool:
    """Return whether an output is standard output, as ``-`` or by its descriptor."""
    return str(path) == STANDARD_STREAM or _own_descriptor(path) == 1


def _own_descriptor(path: str | Path) -> int | None:
    """Return the open descriptor that a path such as ``/dev/stdout`` stands for.

    It may lead to a file, which the shell has opened for more than this command.
    """
    own = re.compile(rf"/dev/fd|/proc/{os.getpid()}(/task/\d+)?/fd")
    place = Path(path).absolute()
    for _ in range(40):  # as many links as Linux follows
        folder = os.path.realpath(place.parent)
        if own.fullmatch(folder) and place.name.isdecimal():
            return int(place.name)
        place = Path(folder, place.name)
        if not place.is_symlink():
            return None
        place = Path(folder, place.readlink())
    return None


@contextmanager
def open_output(path: str | Path) -> Iterator[BinaryIO]:
    """Open an output for bytes; the file takes its name when the block ends without an error.

    Until then the bytes are in a temporary file of the same folder, and an earlier file of that
    name is unchanged. A link stays a link, and an earlier file keeps its mode. What is not a file
    (``-``, ``/dev/stdout``, ``/dev/fd/3``, a named pipe) is written to directly.
    """
    refuse_unwritable(path)
    try:
        opened = _open_stream if is_stream(path) else _open_temporary
        with opened(path) as handle:
            yield handle
    except BrokenPipeError:
        raise  # The reader of a pipe has ended, which is not an error of the output.
    except OSError as failure:
        raise _write_error(path, failure) from failure


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file of bytes, completely or not at all."""
    with open_output(path) as handle:
        handle.write(content)


def write_text(path: str | Path, *parts: str) -> None:
    """Write a text as UTF-8 with its line ends as they are, completely or not at all."""
    write_bytes(path, "".join(parts).encode("utf-8"))


@contextmanager
def _open_stream(path: str | Path) -> Iterator[BinaryIO]:
    sys.stdout.flush()  # What was printed comes first.
    if str(path) == STANDARD_STREAM:
        yield (held := io.BytesIO() if sys.stdout.isatty() else sys.stdout.buffer)
        if isinstance(held, io.BytesIO):  # A terminal gets no control characters.
            sys.stdout.write(escape_controls(held.getvalue().decode("utf-8", "replace")))
        sys.stdout.flush()
        return
    number = _own_descriptor(path)
    # A descriptor is shared, not opened again: that would start at the beginning of its file.
    with Path(path).open("wb") if number is None else os.fdopen(os.dup(number), "wb") as handle:
        yield handle


@contextmanager
def _open_temporary(path: str | Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces the file of that name when the block has ended."""
    with _temporary_file(path) as (_, handle):
        yield handle


@contextmanager
def new_output(path: str | Path) -> Iterator[Path]:
    """Yield the name of an empty file for others to fill; it is renamed when the block ends.

    With an error the file is removed; a file that exists under the name is not replaced.
    """
    if Path(path).exists():
        raise UsageError(f"{path}: this file exists already; name a new one")
    refuse_unwritable(path)
    with _temporary_file(path) as (temporary, _):
        yield temporary
        if Path(path).exists():
            raise UsageError(f"{path}: this file was made meanwhile; name a new one")


@contextmanager
def _temporary_file(path: str | Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Yield a temporary file that takes the name when the block has ended, and its handle."""
    target = Path(os.path.realpath(path))
    before = _status(target)
    remove_abandoned(target.parent)
    temporary, handle = create_temporary(target.parent)
    try:
        if before is not None:
            _keep_owner_and_mode(handle, before)
        yield temporary, handle
        handle.flush()
        os.fsync(handle.fileno())
        if sys.platform == "win32":
            handle.close()
        temporary.replace(target)  # while it is locked, so that nobody removes it
        handle.close()
    except BaseException:
        with suppress(OSError):
            handle.close()
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _keep_owner_and_mode(handle: BinaryIO, before: os.stat_result) -> None:
    if sys.platform == "win32":
        return
    now = os.fstat(handle.fileno())
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):  # Only root gives files away.
            os.fchown(handle.fileno(), before.st_uid, before.st_gid)
    os.fchmod(handle.fileno(), stat.S_IMODE(before.st_mode))


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk; the file is complete under either name if that fails."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def create_temporary(folder: Path) -> tuple[Path, BinaryIO]:
    """Return a new locked file of the folder, and the handle to write to it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        place = folder / f".assay-output-{os.getpid()}-{os.urandom(6).hex()}.tmp"
        with suppress(FileExistsError):
            descriptor = os.open(place, flags, 0o666)
            if _take(place, descriptor):
                return place, os.fdopen(descriptor, "wb")
            os.close(descriptor)


def remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of processes that no longer run."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        found = [
            each.path for each in entries if TEMPORARY_NAME.fullmatch(each.name) and _is_file(each)
        ]
    for path in found:
        with suppress(OSError):  # locked, removed by another process, or not ours to remove
            _remove_unlocked(path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False)


def _take(place: Path, descriptor: int) -> bool:
    """Lock a new file; False if another process took it for an abandoned one before that."""
    try:
        _lock(descriptor)
    except BlockingIOError:
        return False
    except OSError:
        return True  # A file system without locks: nobody else can lock, and so remove, the file.
    try:
        return os.path.samestat(place.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


if sys.platform == "win32":

    def _lock(descriptor: int) -> None:
        """Do nothing: a file that is open cannot be removed."""

    def _remove_unlocked(path: str) -> None:
        Path(path).unlink()

else:

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _remove_unlocked(path: str) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            _lock(descriptor)
            Path(path).unlink()
        finally:
            os.close(descriptor)
