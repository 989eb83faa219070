"""Where outputs go: what a name leads to, and which names are refused."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from assay.core.errors import OutputError, UsageError

STANDARD_STREAM = "-"
"""Standard output as the name of an output, standard input as that of an input."""


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
    written = status(output, sys.stdout)
    if written is None or not stat.S_ISREG(written.st_mode):
        return
    for each in inputs:
        read = [status(each, sys.stdin)]
        if read[0] is not None and stat.S_ISDIR(read[0].st_mode):
            read = [status(inner) for inner in Path(each, "qrels").glob("*")]  # as in BEIR
        if any(found is not None and os.path.samestat(written, found) for found in read):
            link = "" if str(each) == str(output) else f" ({each} is the same file)"
            raise UsageError(
                f"{output}: this file is an input{link} and would be overwritten; name another"
                " output"
            )


def status(path: str | Path, standard: IO[str] | None = None) -> os.stat_result | None:
    """Return the status of the file that a name leads to; None if there is none."""
    with suppress(OSError, ValueError):
        if str(path) == STANDARD_STREAM and standard is not None:
            return os.fstat(standard.fileno())
        return Path(path).stat()
    return None


def is_stream(path: str | Path) -> bool:
    """Return whether an output is a pipe, a device or an open descriptor."""
    if str(path) == STANDARD_STREAM or own_descriptor(path) is not None:
        return True
    with suppress(FileNotFoundError):
        return not stat.S_ISREG(Path(path).stat().st_mode)
    return False


def own_descriptor(path: str | Path) -> int | None:
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
