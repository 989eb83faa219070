"""The command line: one file is one command, thin over the library."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # That of typing would be imported before Ctrl-C is handled.

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main", "start"]
INTERRUPTED = 130
"""The exit code after Ctrl-C, as of a shell."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user error ends in one line and an exit code."""
    from assay.cli.application import main

    main(arguments)


def start() -> NoReturn:
    """Run the installed command, and exit without cleanup, which takes a tenth of a second.

    Ctrl-C ends it in one line at any moment, so nothing is imported before.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # waiting threads take a core at the start
    try:
        from assay.cli.limited_memory import memory_limit, run_limited

        limit = memory_limit()
        code = _run() if limit is None else run_limited(_run, limit)
    except KeyboardInterrupt:
        code = INTERRUPTED
        if sys.stderr is not None:
            os.write(2, b"assay: interrupted\n")
    os._exit(code)


def _run() -> int:
    import contextlib

    _open_closed_streams()
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
    return 0


def _open_closed_streams() -> None:
    """Connect the standard streams that the caller has closed to the null device.

    Otherwise the next file that is opened would take the place of such a stream.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))
