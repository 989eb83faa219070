"""Parameters of commands: what they do when a command is called.

No command overwrites what it reads: arguments name inputs unless they are declared as outputs, and
options that name files are declared as the one or the other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

from assay.core.output_files import is_stream, refuse_input, refuse_unwritable
from assay.reports.text.result_text import format_names

Decorator: TypeAlias = Callable[[Any], Any]
"""An argument or an option, as click declares them."""


class InputFile(click.types.StringParamType):
    """A file that is read; it may also be written as NAME=FILE, or be the name of something."""

    name = "file"


INPUT_FILE = InputFile()


class OutputFile(click.Parameter):
    """A file that is written: refused before any work if it is an input or cannot be written."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Check the file against everything else that was given, then proceed as click does."""
        path = opts.get(str(self.name))
        if isinstance(path, str) and not ctx.resilient_parsing:
            refuse_input(path, list(_input_files(ctx.command, opts)))
            refuse_unwritable(path)
        return super().handle_parse_result(ctx, opts, args)


class OutputOption(OutputFile, click.Option):
    """An option that names a file to write."""


RESULT_FILE = "assay.result_file"
"""Where the context of a command has the file that its output goes to."""


class ResultOption(OutputOption):
    """``-o``: what the command prints goes to a file, whose extension sets the format."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Check the file, and remember it until the command runs."""
        path = opts.get(str(self.name))
        found = super().handle_parse_result(ctx, opts, args)
        if isinstance(path, str) and not ctx.resilient_parsing and path != "-":
            from assay.cli.result_file import choose_format

            if choose_format(ctx, opts, path):
                ctx.meta[RESULT_FILE] = path
        return found


class OutputArgument(OutputFile, click.Argument):
    """An argument that names a file to write."""


def _input_files(command: click.Command, opts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that a command was given to read."""
    for param in command.params:
        argument = isinstance(param, click.Argument) and not isinstance(param, OutputFile)
        if not argument and not isinstance(param.type, InputFile):
            continue
        value = opts.get(str(param.name))
        for path in value if isinstance(value, list | tuple) else [value]:
            if isinstance(path, str):
                yield path
                yield from path.partition("=")[2:]


class RenamedOption(click.Option):
    """An option that is still understood under its former name, which help does not show."""

    def __init__(self, *args: Any, before: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = before


def combine_options(*options: Decorator) -> Decorator:
    """Return several options as one decorator."""

    def decorate(function: Any) -> Any:
        """Add the options to a command."""
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def parameters(options: Sequence[Decorator]) -> list[click.Parameter]:
    """Return arguments and options as click has them."""
    decorated = combine_options(*options)(lambda: None)
    return list(reversed(decorated.__click_params__))


def one_argument(name: str, make: Callable[..., Any], options: Sequence[Decorator]) -> Decorator:
    """Return options as one decorator; the command takes what ``make`` returns for their values."""
    params = parameters(options)
    names = [str(param.name) for param in params if param.expose_value]
    prints = any(isinstance(param, ResultOption) for param in params)

    def decorate(function: Callable[..., Any]) -> Any:
        """Add the options to a command."""

        @functools.wraps(function)
        def called(**given: Any) -> Any:
            """Call the command with one argument in place of the options."""
            values = {each: given.pop(each) for each in names}
            path = click.get_current_context().meta.get(RESULT_FILE) if prints else None
            if path is None:
                return function(**{name: make(**values)}, **given)
            from assay.cli.result_file import printed_to

            with printed_to(path, values["quiet"]):
                return function(**{name: make(**values)}, **given)

        return combine_options(*options)(called)

    return decorate


def measure_names(
    ctx: click.Context, option: click.Parameter, names: tuple[str, ...]
) -> list[str] | None:
    """Return the measures that were named; None for the standard ones."""
    return list(names) or None


def policy_choices(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, str]:
    """Return the choice of each policy."""
    choices: dict[str, str] = {}
    for word in words:
        name, equals, choice = word.partition("=")
        if not equals:
            raise click.BadParameter(f"'{word}' is not NAME=CHOICE")
        if choices.get(name, choice) != choice:
            raise click.BadParameter(f"{name} is {choices[name]} and {choice}; say it once")
        choices[name] = choice
    return choices


def _format_hint(path: str) -> str:
    """Return how to print a file with that extension; a table of all units can be read back."""
    ending = Path(path).suffix.removeprefix(".").casefold()
    named = {"md": "markdown", "tex": "latex", "txt": "table"}.get(ending, ending)
    if named not in format_names("Scores"):
        return ""
    units = "--per-unit " if named in ("csv", "tsv") else ""
    return f"; or print with {units}--format {named} > {path}"


def parquet_file(ctx: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse an extension other than that of a Parquet file; a pipe or device needs none."""
    if path is None or Path(path).suffix.casefold() == ".parquet" or is_stream(path):
        return path
    raise click.BadParameter(
        f"'{path}': --save writes a Parquet file, which other commands read: name it"
        f" {Path(path).with_suffix('.parquet')}{_format_hint(path)}"
    )
