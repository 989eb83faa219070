"""Files that exist for a while: copies of stored contents for readers of files. Never outputs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_folder(contents: Mapping[str, bytes]) -> Iterator[Path]:
    """Yield a folder with these files by relative name; it is removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield Path(folder)


def remove_unfinished(*paths: Path) -> None:
    """Remove files that were begun and could not be finished."""
    for path in paths:
        path.unlink(missing_ok=True)
