"""Messages in the words of the command line: arguments as options, prose as wide as the terminal.

The library names an argument in backticks, as in `missing=drop`. Here it becomes the option of the
command that was called: --missing drop; or --policy nan_scores=drop where it is one of those.
"""

from __future__ import annotations

import re
import shlex
from functools import partial

import click

from assay.cli.terminal import terminal_width
from assay.core.phrases import escape_controls, shorten

_ARGUMENT = re.compile(r"`(\w+)(?:=([^`]*))?`")


def use_option_names(text: str, command: click.Command | None = None) -> str:
    """The text with options for arguments: of this command, or of the one that is running."""
    if "`" not in text:
        return text
    context = click.get_current_context(silent=True)
    called = command or (context.command if context else None)
    params = {str(each.name): each for each in called.params} if called else {}
    return _ARGUMENT.sub(partial(_option_name, params), text)


def _option_name(params: dict[str, click.Parameter], found: re.Match[str]) -> str:
    name, choice = found.groups()
    if isinstance(param := params.get(name), click.Option):
        word = max(param.opts, key=len)
        return word if choice is None else f"{word} {_quote_choice(choice)}"
    written = name if choice is None else f"{name}={choice}"
    policy = choice is not None and name not in params and "policies" in params
    return f"--policy {written}" if policy else written


def _quote_choice(choice: str) -> str:
    """A choice as a shell takes it; three dots stand for whatever is known."""
    return choice if choice == "…" else shlex.quote(choice)


def option_of_other_tools(option: str, command: click.Command) -> str:
    """What to write for an option of other tools: a measure, or an argument that has no option."""
    word = option.lstrip("-").casefold().rstrip("s")
    if word in ("metric", "measure"):
        return " Measures are named with -m."
    for each in command.params:
        if isinstance(each, click.Argument) and word == (each.name or "").rstrip("s"):
            return f" It goes without an option: {each.make_metavar(click.Context(command))}."
    return ""


def clean_message(text: str) -> str:
    """Return a message that quotes data, at most 900 characters and without control characters."""
    return escape_controls(shorten(text))


def wrap_message(text: str, first: str = "") -> str:
    """Prose in lines that fit the terminal; what is no longer than a line stays as it is."""
    from assay.reports.text.table_text import NARROW, wrap_sentence

    return wrap_sentence(text, terminal_width(NARROW), first)
