"""Progress of long work: a line that is shown in notebooks and on terminals, and then removed."""

from __future__ import annotations

import functools
import importlib
import sys
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from assay.core.errors import UsageError

WAIT, EVERY = 1.5, 0.2
"""Seconds before the line is first shown, and between two texts."""
WIDTH = 79
Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")


def no_progress(*_given: Any) -> None:
    """Show nothing."""


def with_progress(function: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Give a function its argument ``progress`` in notebooks and on terminals, if none is given.

    Nothing is shown where standard error is a pipe or a file, and of work below 1.5 seconds.
    ``progress=False`` shows nothing anywhere, ``True`` also in pipes; a function is called itself.
    """

    @functools.wraps(function)
    def call(*args: Parameters.args, **keywords: Parameters.kwargs) -> Found:
        """Call the function with a line that is removed at the end."""
        given = keywords.pop("progress", None)
        if callable(given):
            keywords["progress"] = given
            return function(*args, **keywords)
        if not isinstance(given, bool | None):
            raise UsageError(
                f"`progress` is {given!r}: give False for no line of progress, or a function that"
                " receives it"
            )
        notebook = _display()
        if given is False or not (given or notebook or sys.stderr.isatty()):
            return function(*args, **keywords)
        line = ProgressLine(function.__name__.replace("_", " "), notebook)
        keywords["progress"] = line.update
        try:
            return function(*args, **keywords)
        finally:
            line.remove()

    return call


_AT_WORK: ContextVar[Callable[..., None] | None] = ContextVar("line of progress", default=None)
"""What shows the progress of the function that is at work; None where nothing is shown."""


def report_progress(*given: Any) -> None:
    """Show how far the work is, if a function that ``shows_progress`` is at work."""
    if (update := _AT_WORK.get()) is not None:
        update(*given)


def shows_progress(function: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Show what the work of a function reports, in notebooks and on terminals."""

    @functools.wraps(function)
    def call(*args: Parameters.args, **keywords: Parameters.kwargs) -> Found:
        """Call the function with a line that is removed at the end."""
        notebook = _display()
        if not (notebook or sys.stderr.isatty()):
            return function(*args, **keywords)
        line = ProgressLine(function.__name__.replace("_", " "), notebook)
        before = _AT_WORK.set(line.update)
        try:
            return function(*args, **keywords)
        finally:
            _AT_WORK.reset(before)
            line.remove()

    return call


class ProgressLine:
    """One line that says what is at work: a text, a share, or a number of so many."""

    def __init__(self, label: str, display: Callable[..., Any] | None = None) -> None:
        self.label, self.display = label, display
        self.shown_at = time.monotonic() + WAIT - EVERY
        self.handle: Any = None
        self.visible = False

    def update(self, *given: Any) -> None:
        """Show the text, at most five times a second."""
        now = time.monotonic()
        if now - self.shown_at < EVERY:
            return
        self.shown_at = now
        self._write(f"{self.label}: {_describe(*given)} …")

    def remove(self) -> None:
        """Remove the line, if it is shown."""
        if self.visible:
            self._write("")

    def _write(self, text: str) -> None:
        self.visible = bool(text)
        if self.display is None:
            sys.stderr.write(f"\r{text[:WIDTH]:{WIDTH}}\r{text[:WIDTH]}")
            sys.stderr.flush()
        elif self.handle is None:
            self.handle = self.display({"text/plain": text}, raw=True, display_id=True)
        else:
            self.handle.update({"text/plain": text}, raw=True)


def _describe(first: Any = "", of: Any = None) -> str:
    if isinstance(first, str):
        return " ".join(first.split())
    share = float(first) if of is None else first / max(of, 1)
    return f"{share:.0%}"


def _display() -> Callable[..., Any] | None:
    """Return IPython's function that shows things, in a notebook; else None."""
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell is not None else None
    if current is None or not hasattr(current, "kernel"):
        return None
    shown: Callable[..., Any] = importlib.import_module("IPython.display").display
    return shown
