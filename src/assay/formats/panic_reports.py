"""Standard error without the reports that Polars writes there when it panics over a file."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_STANDARD_ERROR = 2
_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def hide_panic_reports() -> Iterator[None]:
    """Drop what is written to standard error if the block fails, and pass it on if not.

    Polars reports a panic from compiled code, before Python can catch the exception; so the file
    descriptor is redirected while a file is decoded.
    """
    with _ONE_AT_A_TIME, tempfile.TemporaryFile() as kept:
        try:
            original = os.dup(_STANDARD_ERROR)
        except OSError:  # closed: nothing can be reported
            yield
            return
        os.dup2(kept.fileno(), _STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(original, _STANDARD_ERROR)
            os.close(original)
        kept.seek(0)
        while piece := kept.read(1 << 16):
            os.write(_STANDARD_ERROR, piece)
