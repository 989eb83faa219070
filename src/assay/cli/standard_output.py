"""Results on standard output: no terminal ever gets a control character of an id."""

from __future__ import annotations

import sys

import click

from assay.core.errors import DataError
from assay.core.phrases import escape_controls, find_control, shorten


def print_result(text: str, nl: bool = True, every_byte: bool = False) -> None:
    """Print a result; a terminal gets control characters as escapes.

    Elsewhere they are refused, since a terminal may be behind the pipe and an escape would be
    another id; ``every_byte`` is for those who name standard output as the file.
    """
    if sys.stdout.isatty():
        text = escape_controls(text)
    elif not every_byte:
        _refuse_controls(text)
    # Without a color of its own click would remove escape sequences from what is not a terminal.
    click.echo(text, nl=nl, color=True)


def _refuse_controls(text: str) -> None:
    found = find_control(text)
    if found is None:
        return
    context = click.get_current_context(silent=True)
    options = {param.name: param for param in context.command.params} if context else {}
    ways = ["use --format json, which escapes it"] if "format" in options else []
    if "output" in options:
        ways.append("write to a file with -o (-o - is standard output)")
    start = text.rfind("\n", 0, found) + 1
    line = text[start:].partition("\n")[0]
    raise DataError(
        f"line {text.count(chr(10), 0, found) + 1} of the output, '{shorten(line, 120)}', has a"
        f" control character, which a terminal would obey; {', or '.join(ways) or 'rename it'}"
    )
