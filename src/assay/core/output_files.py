"""Write outputs: a file is complete or not there, whatever happens meanwhile.

Every file that Assay writes is written here; a test keeps it so.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from assay.core.errors import OutputError
from assay.core.output_places import (
    STANDARD_STREAM,
    is_stream,
    own_descriptor,
    refuse_unwritable,
    status,
)
from assay.core.temporary_files import create_temporary, remove_abandoned

if TYPE_CHECKING:
    import polars as pl

_ADVICE = {
    errno.ENOSPC: "free some space, or write to another disk",
    errno.EDQUOT: "free some space, or write to another disk",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f)",
    errno.EACCES: "name a file and a folder that you may write to",
    errno.EPERM: "name a file and a folder that you may write to",
    errno.EROFS: "name a folder that can be written to",
}


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
        raise  # The reader of a pipe has ended, which is no error of the output.
    except OSError as failure:
        advice = _ADVICE.get(failure.errno or 0, "name another file")
        raise OutputError(
            f"{path}: the file cannot be written: {failure.strerror or failure}; {advice}"
        ) from failure


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file of bytes, completely or not at all."""
    with open_output(path) as handle:
        handle.write(content)


def write_text(path: str | Path, *parts: str) -> None:
    """Write a text as UTF-8 with its line ends as they are, completely or not at all."""
    with open_output(path) as handle:
        for part in parts:
            handle.write(part.encode("utf-8"))


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they do not exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        advice = "name another folder"
        raise OutputError(
            f"{path}: the folder cannot be made: {failure.strerror or failure}; {advice}"
        ) from failure


def parquet_bytes(frame: pl.DataFrame, metadata: Mapping[str, str] | None = None) -> bytes:
    """Return a frame as the content of a Parquet file."""
    content = io.BytesIO()
    frame.write_parquet(content, metadata=dict(metadata) if metadata else None)
    return content.getvalue()


@contextmanager
def _open_stream(path: str | Path) -> Iterator[BinaryIO]:
    sys.stdout.flush()  # What was printed comes first.
    if str(path) == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    number = own_descriptor(path)
    # A descriptor is shared, not opened again: that would start at the beginning of its file.
    with Path(path).open("wb") if number is None else os.fdopen(os.dup(number), "wb") as handle:
        yield handle


@contextmanager
def _open_temporary(path: str | Path) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces the file of that name when the block has ended."""
    target = Path(os.path.realpath(path))
    before = status(target)
    remove_abandoned(target.parent)
    temporary, handle = create_temporary(target.parent)
    try:
        if before is not None:
            _keep_owner_and_mode(handle, before)
        yield handle
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
