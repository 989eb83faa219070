"""Standard error without the reports that Polars writes there when it panics over a file."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_STANDARD_ERROR = 2
_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def hide_panic_reports() -> Iterator[None]:
    """Silence standard error while a file is decoded.

    Polars reports a panic from compiled code, before Python can catch the exception; so the file
    descriptor is redirected.
    """
    with _ONE_AT_A_TIME:
        try:
            original = os.dup(_STANDARD_ERROR)
        except OSError:  # closed: nothing can be reported
            yield
            return
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, _STANDARD_ERROR)
        os.close(nothing)
        try:
            yield
        finally:
            os.dup2(original, _STANDARD_ERROR)
            os.close(original)
