"""Parameters that name files, so that no command overwrites what it reads.

Arguments name inputs unless they are declared as outputs; options are declared as the one or the
other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click


class InputFile(click.types.StringParamType):
    """A file that is read; it may also be written as NAME=FILE, or be the name of something."""

    name = "file"


INPUT_FILE = InputFile()


class OutputParameter(click.Parameter):
    """A file that is written: refused before any work if it is an input or cannot be written."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Check the file against everything else that was given, then proceed as click does."""
        given = opts.get(str(self.name))
        if isinstance(given, str) and not ctx.resilient_parsing:
            from assay.core.output_files import refuse_input, refuse_unwritable

            refuse_input(given, _input_files(ctx.command, opts))
            refuse_unwritable(given)
        return super().handle_parse_result(ctx, opts, args)


class OutputOption(OutputParameter, click.Option):
    """An option that names a file to write."""


class OutputArgument(OutputParameter, click.Argument):
    """An argument that names a file to write."""


def _input_files(command: click.Command, opts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that a command was given to read."""
    for param in command.params:
        argument = isinstance(param, click.Argument) and not isinstance(param, OutputParameter)
        if not argument and not isinstance(param.type, InputFile):
            continue
        given = opts.get(str(param.name))
        for each in given if isinstance(given, list | tuple) else [given]:
            if isinstance(each, str):
                yield each
                yield from each.partition("=")[2:]
