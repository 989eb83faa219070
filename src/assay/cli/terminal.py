"""The terminal: how wide it is, and how this program was called."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from assay.core.phrases import escape_controls

DEFAULT_WIDTH = 120
"""The width where nobody looks: in a file, or in a pipe."""


def terminal_width(elsewhere: int = DEFAULT_WIDTH) -> int:
    """The columns of the terminal, or as many as the variable COLUMNS says."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size((100, 24)).columns
    return elsewhere


def print_result(text: str, nl: bool = True) -> None:
    """Print a result; a terminal gets no control characters, a file or a pipe every byte."""
    click.echo(escape_controls(text) if sys.stdout.isatty() else text, nl=nl)


def open_closed_streams() -> None:
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


def program_name() -> str:
    """What a user types to call this program again."""
    if Path(sys.argv[0]).name == "__main__.py":
        return "python -m assay"
    return "assay" if shutil.which("assay") else sys.argv[0]
