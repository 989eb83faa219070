"""Files that exist for a while: copies of stored contents, and locks. Never outputs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def scratch_folder(contents: Mapping[str, bytes]) -> Iterator[Path]:
    """Yield a folder with these files by relative name; it is removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield Path(folder)


def unnamed_file() -> IO[bytes]:
    """Return an open file that is removed when it is closed."""
    return tempfile.TemporaryFile()


def scratch_place() -> str:
    """Return the folder that holds all scratch folders."""
    return tempfile.gettempdir()


@contextmanager
def wait_in_line(path: str) -> Iterator[None]:
    """Hold a lock file; who waits gets it about in the order of coming, across processes.

    The system frees it when a process ends, however it ends. Where there are no such locks, or the
    file cannot be made, nobody waits.
    """
    try:
        import fcntl

        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except (ImportError, OSError):
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
