"""The command ``assay``: its commands are the files of the folder ``commands``."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pkgutil
import sys
from typing import NoReturn

import click

from assay.cli.messages import option_of_other_tools, use_option_names
from assay.core.errors import AssayError, UsageError
from assay.version import VERSION


class _OutputClosed(Exception):
    """Who reads our output has gone: no mistake, but click would end with 1."""


FIRST_COMMANDS = ("demo", "retrieval", "classification", "compare", "report")
"""The commands that a newcomer needs; the others are listed below them."""


class CommandFolder(click.Group):
    """Finds a command by its file; nothing is imported before it is asked for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, but ``assay help retrieval`` is ``assay retrieval --help``."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """As click does, but a closed pipe is not an error, and a mistake is told in options."""
        called = self._find_called_command(ctx)
        refuse_repeated_options(called, [*ctx._protected_args, *ctx.args])
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _OutputClosed from None
        except click.NoSuchOption as mistake:
            hint = option_of_other_tools(mistake.option_name, called)
            if not hint:
                raise
            said = f"No such option '{mistake.option_name}'.{hint}"
            raise click.NoSuchOption(mistake.option_name, said, ctx=mistake.ctx) from None
        except AssayError as mistake:
            mistake.args = (use_option_names(str(mistake), called),)
            raise

    def _find_called_command(self, ctx: click.Context) -> click.Command:
        """The command that the words lead to, through commands that take a task."""
        found: click.Command = self
        for word in [*ctx._protected_args, *ctx.args]:
            inner = found.get_command(ctx, word) if isinstance(found, click.Group) else None
            if inner is None:
                break
            found = inner
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the files."""
        package = importlib.import_module("assay.cli.commands")
        return sorted(each.name for each in pkgutil.iter_modules(package.__path__))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, if there is such a file."""
        if name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"assay.cli.commands.{name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What to begin with, what else can be evaluated, and what helps with it."""
        from assay.cli.output import is_task

        found = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        tasks = {name for name, each in found.items() if is_task(each)}
        others = [name for name in found if name not in FIRST_COMMANDS]
        sections = {
            "Begin with": FIRST_COMMANDS,
            "Evaluate": [name for name in others if name in tasks],
            "Look closer": [name for name in others if name not in tasks],
        }
        for title, names in sections.items():
            told = [(name, each.get_short_help_str(200)) for name in names if (each := found[name])]
            with formatter.section(title):
                formatter.write_dl(told, col_max=16)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but an unknown command gets the nearest ones."""
        from assay.cli.task_hints import misplaced_file_hint
        from assay.core.errors import did_you_mean

        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            hint = did_you_mean(args[0], known) or f" There are {', '.join(known)}."
            said = f"there is no command '{args[0]}'.{hint}"
            ctx.fail(misplaced_file_hint(args) or said)
        return super().resolve_command(ctx, args)


def refuse_repeated_options(command: click.Command, words: list[str]) -> None:
    """Complain about an option that is given twice but taken once: the first would be lost."""
    if isinstance(command, click.Group):
        return
    try:
        order = command.make_parser(click.Context(command)).parse_args(args=words)[2]
    except click.UsageError:
        return  # Said when the words are read in earnest.
    for option in dict.fromkeys(order):
        once = isinstance(option, click.Option) and not (
            option.multiple or option.is_flag or option.count
        )
        if once and order.count(option) > 1:
            name = max(option.opts, key=len)
            raise UsageError(f"{name} is given {order.count(option)} times, but taken once")


@click.group(
    cls=CommandFolder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
First steps with files of your own:
  assay report retrieval qrels.txt one.run two.run -o report.html
  assay report classification predictions.csv --truth label --predicted guess
Without any: assay demo makes real data (it needs  pip install "assay-eval[demo]").""",
)
@click.version_option(VERSION, "--version", prog_name="assay")
def application() -> None:
    """Test the quality of anything that ranks, classifies, predicts or groups."""


def start() -> NoReturn:
    """The command as installed: it ends at once, for taking all down costs a tenth of a second."""
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake ends in one line and an exit code."""
    gc.set_threshold(100_000)  # starting makes many objects and no garbage
    try:
        code = application.main(arguments, prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
        sys.exit(2)
    except click.ClickException as mistake:
        mistake.show()
        sys.exit(mistake.exit_code)
    except AssayError as mistake:
        click.echo(f"{click.style('assay:', fg='red')} {mistake}", err=True)
        sys.exit(mistake.exit_code)
    except (_OutputClosed, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as failure:
        click.echo(
            f"assay: {failure.strerror or failure}: {failure.filename or 'output'}", err=True
        )
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)
