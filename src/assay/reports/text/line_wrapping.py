"""Sentences below and beside tables: broken into lines, as long as the terminal has room for."""

from __future__ import annotations

import textwrap

from assay.reports.text.table_text import UNBOUNDED

NARROW = 80
"""The width where nobody says how wide it is: in a file, or in a pipe."""


def wrap_sentence(said: str, width: int = UNBOUNDED, first: str = "") -> str:
    """The sentence in lines of at most that width; what follows the first is indented."""
    room = NARROW if width >= UNBOUNDED else max(width, 20)
    return textwrap.fill(
        said,
        room,
        initial_indent=first,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
