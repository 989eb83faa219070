"""The terminal: how wide it is, and how this program was called."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

DEFAULT_WIDTH = 120
"""The width where nobody looks: in a file, or in a pipe."""


def terminal_width(elsewhere: int = DEFAULT_WIDTH) -> int:
    """The columns of the terminal, or as many as the variable COLUMNS says."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size((100, 24)).columns
    return elsewhere


def program_name() -> str:
    """What a user types to call this program again."""
    if Path(sys.argv[0]).name == "__main__.py":
        return "python -m assay"
    return "assay" if shutil.which("assay") else sys.argv[0]
