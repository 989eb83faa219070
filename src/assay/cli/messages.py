"""What the command line prints: the terminal, notes, and messages that name options.

The library names an argument in backticks, as in `missing=drop`. Here it becomes the option of the
command that was called: --missing drop; or --policy nan_scores=drop where it is a policy.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.core.errors import AssayError
from assay.core.phrases import escape_controls, shorten
from assay.reports.text.result_text import Layout, write
from assay.reports.text.table_text import NARROW, UNBOUNDED, wrap_sentence

if TYPE_CHECKING:
    import polars as pl

DEFAULT_WIDTH = 120
"""The width of output into a file or a pipe."""
READER_FORMATS = ("table", "markdown")
"""Formats in which a second table may follow the first."""
_ARGUMENT = re.compile(r"`(\w+)(?:=([^`]*))?`")
_PLACE = re.compile(r":\d+|\b(line|row) \d+")
_DEPTH = re.compile(r"[._]\d[\d.]*$")


def terminal_width(elsewhere: int = DEFAULT_WIDTH) -> int:
    """Return the columns of the terminal, or of the variable COLUMNS."""
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
    """Return what a user types to call this program again."""
    if Path(sys.argv[0]).name == "__main__.py":
        return "python -m assay"
    return "assay" if shutil.which("assay") else sys.argv[0]


def use_option_names(text: str, command: click.Command | None = None) -> str:
    """Replace arguments by options: of this command, or of the one that is running."""
    if "`" not in text:
        return text
    context = click.get_current_context(silent=True)
    called = command or (context.command if context else None)
    params = {str(param.name): param for param in called.params} if called else {}
    return _ARGUMENT.sub(partial(_option_name, params), text)


def _option_name(params: dict[str, click.Parameter], found: re.Match[str]) -> str:
    name, choice = found.groups()
    if isinstance(param := params.get(name), click.Option):
        word = max(param.opts, key=len)
        # Three dots stand for a value that the user knows.
        quoted = choice if choice in (None, "…") else shlex.quote(choice)
        return word if quoted is None else f"{word} {quoted}"
    written = name if choice is None else f"{name}={choice}"
    policy = choice is not None and name not in params and "policies" in params
    return f"--policy {written}" if policy else written


def option_of_other_tools(option: str, command: click.Command) -> str:
    """Return what to write for an option of other tools: a measure, or an argument."""
    word = option.lstrip("-").casefold().rstrip("s")
    if word in ("metric", "measure"):
        return " Measures are named with -m."
    for param in command.params:
        if isinstance(param, click.Argument) and word == (param.name or "").rstrip("s"):
            return f" It goes without an option: {param.make_metavar(click.Context(command))}."
    return ""


def name_files(text: str, words: Sequence[str]) -> str:
    """Return a message about data with the input files in front, if it names no place yet."""
    files = [word for word in dict.fromkeys(words) if Path(word).is_file()]
    if not files or _PLACE.search(text) or any(Path(each).stem in text for each in files):
        return text
    shown = ", ".join(files[:3]) + (" …" if len(files) > 3 else "")
    return f"{shown}: {text}"


def clean_message(text: str) -> str:
    """Return a message that quotes data, at most 900 characters and without control characters."""
    return escape_controls(shorten(text))


def wrap_message(text: str, first: str = "") -> str:
    """Return prose in lines that fit the terminal."""
    return wrap_sentence(text, terminal_width(NARROW), first)


def print_notes(notes: Iterable[str], quiet: bool = False) -> None:
    """Print notes on standard error, apart from the result."""
    for note in () if quiet else notes:
        text = wrap_message(clean_message(use_option_names(note)), "note: ")
        click.echo(click.style("note:", fg="yellow") + text.removeprefix("note:"), err=True)


def print_system_files(sources: Mapping[str, str], format: str = "table") -> None:
    """Print below a table which file each system came from, where its name does not show it."""
    from assay.reports.text.score_notes import system_file_notes

    for note in system_file_notes({"sources": sources}) if format in READER_FORMATS else []:
        click.echo("\n" + wrap_message(note))


def show_frame(frame: pl.DataFrame, format: str, digits: int, signs: bool = False) -> None:
    """Print one table; numbers are rounded only in formats for readers."""
    layout = Layout(digits, terminal_width(UNBOUNDED), signs=signs)
    print_result(write(frame, format, layout))


def alias_note(words: Sequence[str], task: str) -> list[str]:
    """Return a note on measures that were named as other tools name them.

    Names that differ in form or case alone are not mentioned.
    """
    from assay.core.name_search import split_names
    from assay.core.names import measure

    replaced = {}
    for name in (each for word in words for each in split_names(word)):
        head = re.split(r"[@(:]", name.rpartition(f"{task}.")[2], maxsplit=1)[0]
        try:
            known = measure(name, task)
        except AssayError:
            continue
        own = known.definition.name.casefold()
        if own not in (head.casefold(), _DEPTH.sub("", head).casefold()):
            replaced[name] = f"{name} is {known.name}"
    return [f"{', '.join(replaced.values())} here"] if replaced else []
