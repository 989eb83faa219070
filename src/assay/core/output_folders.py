"""Folders of outputs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.core.errors import OutputError, UsageError


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they do not exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        problem = f"the folder cannot be made: {failure.strerror or failure}"
        raise OutputError(f"{path}: {problem}; name another folder") from failure


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Make a folder for several outputs, and remove it with an error; an empty one may be there."""
    if path.exists() and any(path.iterdir() if path.is_dir() else [path]):
        raise UsageError(f"{path}: the folder is not empty; name a new one")
    existed = path.exists()
    make_folder(path)
    try:
        yield
    except BaseException:
        if not existed:
            shutil.rmtree(path)
        raise
