"""Places in messages: the files of a command, and warnings without a place in code."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click

from assay.cli.output import clean_message
from assay.core.errors import PluginWarning

_PLACE = re.compile(r":\d+|\b(line|row) \d+")


def name_files(text: str, words: Sequence[str]) -> str:
    """Return a message about data with the input files in front, if it names no place yet."""
    files = [word for word in dict.fromkeys(words) if Path(word).is_file()]
    if not files or _PLACE.search(text) or any(_is_named(Path(each), text) for each in files):
        return text
    shown = ", ".join(files[:3]) + (" …" if len(files) > 3 else "")
    return f"{shown}: {text}"


def _is_named(file: Path, text: str) -> bool:
    """Return whether a message names a file, or in quotes or at its start a system of that name."""
    stem = re.escape(file.stem)
    return file.name in text or re.search(rf"^{stem}\b|'{stem}'", text) is not None


@cache
def show_plugin_warnings() -> None:
    """Show warnings about other distributions in a line of their own, without a place in code."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        """Print the warning like other messages."""
        if issubclass(category, PluginWarning):
            click.echo(f"warning: {clean_message(str(message))}", err=True)
        else:
            usual(message, category, *place, **more)

    warnings.showwarning = show
