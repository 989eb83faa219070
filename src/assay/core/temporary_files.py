"""Temporary files: where an output is written before it takes its name.

A writer holds a lock on its temporary file as long as it runs, however it ends. A temporary file
that can be locked is therefore one that a killed process left behind.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl

NAME = re.compile(r"\.assay-output-\d+-[0-9a-f]{12}\.tmp")
"""What a temporary file is called: the process, and a random number."""


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
        found = [each.path for each in entries if NAME.fullmatch(each.name) and _is_file(each)]
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
