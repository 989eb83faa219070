"""The command ``assay``; its commands are the files of ``commands``."""

from __future__ import annotations

import gc
import importlib
import io
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from assay.cli.interruptions import describe_interruption
from assay.cli.limited_memory import NOT_ENOUGH
from assay.cli.output import clean_message, print_notes, use_option_names
from assay.cli.parameters import RenamedOption
from assay.core.errors import (
    AssayError,
    DataError,
    NeedsInput,
    PluginWarning,
    UsageError,
)
from assay.version import VERSION

HELP_OPTIONS = ["-h", "--help"]


class _OutputClosed(Exception):
    """The reader of our output is gone: not an error, but click would exit with 1."""


class _Interrupted(Exception):
    """Ctrl-C or the end of standard input, after which click would print an empty line."""


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turn what click would answer with an empty line or an exit code into errors of our own."""
    try:
        yield
    except BrokenPipeError:
        raise _OutputClosed from None
    except (KeyboardInterrupt, EOFError):
        raise _Interrupted from None


GROUPS = (
    *("start", "evaluate", "decide", "inspect", "present", "files"),
    *("benchmarks", "assessors", "users", "models"),
)
"""The groups of commands, in the order of the help."""
COMMANDS = "assay.cli.commands"
_PLACE = re.compile(r"[^\s\d]:\d+|\b(line|row) \d+")  # but no table of gains such as {1:3}
_METHOD = re.compile(r"[a-z-]+: ")  # such as ips: it names no place


def command_names() -> list[str]:
    """Return the names of all commands: those of their files."""
    folder = importlib.import_module(COMMANDS)
    return sorted(each.name for each in pkgutil.iter_modules(folder.__path__))


def command_module(name: str) -> ModuleType | None:
    """Return the module of a command, or None if there is no such command."""
    place = f"{COMMANDS}.{name}"
    return importlib.import_module(place) if name.isidentifier() and find_spec(place) else None


class CommandFolder(click.Group):
    """Finds a command by its file, and imports it only when it is needed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; ``assay help retrieval`` is ``assay retrieval --help``."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def make_context(self, *given: Any, **extra: Any) -> click.Context:
        """Parse the words; Ctrl-C ends in one line, as it does in the command."""
        with _interruptible():
            return super().make_context(*given, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a closed pipe is not an error, and errors name options."""
        with _interruptible():
            return self._invoke_called(ctx)

    def _invoke_called(self, ctx: click.Context) -> object:
        """Run the command with the new names of its options; errors name them."""
        words = [*ctx._protected_args, *ctx.args]
        called = self._find_called_command(ctx, words)
        words = use_new_names(called, words)
        ctx._protected_args, ctx.args = words[:1], words[1:]
        refuse_repeated_options(called, list(words))
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as mistake:
            hint = option_of_other_tools(mistake.option_name, called)
            if not hint:
                raise
            said = f"No such option '{mistake.option_name}'.{hint}"
            raise click.NoSuchOption(mistake.option_name, said, ctx=mistake.ctx) from None
        except AssayError as mistake:
            text = use_option_names(str(mistake), called)
            if isinstance(mistake, DataError | NeedsInput):
                text = name_files(text, words)
            mistake.args = (text,)
            raise

    def _find_called_command(self, ctx: click.Context, words: list[str]) -> click.Command:
        """Return the command that the words lead to, through commands that take a task."""
        found: click.Command = self
        for word in words:
            inner = found.get_command(ctx, word) if isinstance(found, click.Group) else None
            if inner is None:
                break
            found = inner
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the files."""
        return command_names()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of that file."""
        module = command_module(name)
        return None if module is None else module.command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by group, one line each; the module of a command names its group."""
        lines: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for name in command_names():
            module = importlib.import_module(f"{COMMANDS}.{name}")
            lines[module.GROUP].append((name.ljust(14), module.command.get_short_help_str(200)))
        for group, commands in lines.items():
            if commands:
                with formatter.section(group.capitalize()):
                    formatter.write_dl(commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one gets the nearest names."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from assay.cli.task_detection import command_hint, misplaced_file_hint

            said = f"there is no command '{args[0]}'.{command_hint(args[0], command_names())}"
            ctx.fail(misplaced_file_hint(args) or said)
        return super().resolve_command(ctx, args)


def use_new_names(command: click.Command, words: list[str]) -> list[str]:
    """Return the words with the new names of renamed options, and print notes on them."""
    renamed = {
        each.before: max(each.opts, key=len)
        for each in command.params
        if isinstance(each, RenamedOption)
    }
    used = {word: word.partition("=")[0] for word in words if word.partition("=")[0] in renamed}
    notes = dict.fromkeys(f"{name} is now called {renamed[name]}" for name in used.values())
    if notes:
        print_notes(notes, "--quiet" in words)
    return [
        word.replace(used[word], renamed[used[word]], 1) if word in used else word for word in words
    ]


def option_of_other_tools(option: str, command: click.Command) -> str:
    """Return what to write for an option of other tools: a measure, or an argument."""
    word = option.lstrip("-").casefold().rstrip("s")
    if word in ("metric", "measure"):
        return " Measures are named with -m."
    for param in command.params:
        if isinstance(param, click.Argument) and word == (param.name or "").rstrip("s"):
            return f" It goes without an option: {param.make_metavar(click.Context(command))}."
    return ""


def refuse_repeated_options(command: click.Command, words: list[str]) -> None:
    """Refuse an option that is given twice but taken once: the first would be lost."""
    if isinstance(command, click.Group):
        return
    try:
        context = click.Context(command, help_option_names=HELP_OPTIONS)
        order = command.make_parser(context).parse_args(args=words)[2]
    except click.UsageError:
        return  # Reported when the words are parsed in earnest.
    for option in dict.fromkeys(order):
        once = isinstance(option, click.Option) and not (
            option.multiple or option.is_flag or option.count
        )
        if once and order.count(option) > 1:
            name = max(option.opts, key=len)
            raise UsageError(f"{name} is given {order.count(option)} times, but taken once")


def name_files(text: str, words: Sequence[str]) -> str:
    """Return a message about data with the input files in front, if it names no place yet."""
    files = [word for word in dict.fromkeys(words) if _is_file(word)]
    named = any(_is_named(Path(each), text) for each in files)
    begins = text.partition(": ")[0] in {"standard input", *words} and not _METHOD.match(text)
    if not files or named or begins or _PLACE.search(text):
        return text
    shown = ", ".join(files[:3]) + (" …" if len(files) > 3 else "")
    return f"{shown}: {text}"


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except OSError:  # too long for the name of a file
        return False


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


@click.group(
    cls=CommandFolder,
    context_settings={
        "help_option_names": HELP_OPTIONS,
        "max_content_width": 100,
        "show_default": True,
    },
    epilog="""\b
First steps with your own files:
  assay report retrieval qrels.txt one.run two.run -o report.html
  assay report classification predictions.csv --truth label --predicted guess
Without files: assay demo writes real data (needs  pip install "assay-eval[demo]").""",
)
@click.version_option(VERSION, "--version", prog_name="assay")
def application() -> None:
    """Test the quality of anything that ranks, classifies, predicts or groups."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user error ends in one line and an exit code."""
    show_plugin_warnings()
    gc.set_threshold(100_000)  # starting makes many objects and no garbage
    try:
        code = application.main(arguments, prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, _Interrupted) as ended:
        said, code = describe_interruption(ended.__context__)
        click.echo(f"assay: {said}", err=True)
        sys.exit(code)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
        sys.exit(2)
    except click.ClickException as mistake:
        text = io.StringIO()
        mistake.show(text)
        click.echo(clean_message(text.getvalue().rstrip("\n")), err=True)
        sys.exit(mistake.exit_code)
    except AssayError as mistake:
        click.echo(f"{click.style('assay:', fg='red')} {clean_message(str(mistake))}", err=True)
        sys.exit(mistake.exit_code)
    except (_OutputClosed, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        click.echo(NOT_ENOUGH, err=True)
        sys.exit(1)
    except OSError as failure:
        said = f"{failure.strerror or failure}: {failure.filename or 'output'}"
        click.echo(f"assay: {clean_message(said)}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)
