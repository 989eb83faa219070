"""The options of commands that read click logs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import digits_option, files_argument, format_option, quiet_option
from assay.cli.output import TableOutput
from assay.cli.parameters import Decorator, combine_options, one_argument

if TYPE_CHECKING:
    from assay.behavior.logs.click_log import ClickLog


def _columns(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, str]:
    """Return the column for each declared name."""
    columns = {}
    for word in words:
        name, equals, column = word.partition("=")
        if not equals:
            raise click.BadParameter(f"'{word}' is not NAME=COLUMN")
        columns[name] = column
    return columns


beside_file_options = one_argument(
    "output", TableOutput, [format_option("DataFrame"), digits_option, quiet_option]
)
"""The options of commands that show tables, and whose ``-o`` names a file of another kind."""
LOG_OPTIONS = combine_options(
    click.option(
        "--log-format",
        metavar="NAME",
        help="Format of the log: impressions, lists, ubi, yandex, clickmodels, tiangong or blocks"
        " (detected by default).",
    ),
    click.option(
        "--base",
        type=click.IntRange(0, 1),
        help="Rank of the first result in the log. [default: detected]",
    ),
    click.option(
        "--column",
        "columns",
        multiple=True,
        metavar="NAME=COLUMN",
        callback=_columns,
        help="What a column of the log is called, such as doc=url; may be repeated.",
    ),
    click.option(
        "--click-action",
        "click_actions",
        multiple=True,
        metavar="NAME",
        help="UBI action that is a click; may be repeated. "
        "[default: click, click_through, item_click]",
    ),
)


def log_argument(metavar: str = "LOG...") -> Decorator:
    """Return the log as an argument and its options; the command takes them as one ``log``."""

    def decorate(function: Callable[..., Any]) -> Any:
        """Add the argument and its options to a command."""

        @functools.wraps(function)
        def called(files: tuple[str, ...], **given: Any) -> Any:
            """Open the log and call the command."""
            log = open_with_options(list(files), given)
            return function(log=log, **given)

        return combine_options(files_argument("files", metavar), LOG_OPTIONS)(called)

    return decorate


def open_with_options(files: list[str], given: dict[str, Any]) -> ClickLog:
    """Return the log of the files; its options are removed from the given ones."""
    from assay.behavior.logs.click_log import open_log
    from assay.behavior.logs.log_format import LogSettings

    actions = given.pop("click_actions") or LogSettings().click_actions
    form, base, columns = (given.pop(name) for name in ("log_format", "base", "columns"))
    return open_log(files, LogSettings(form, base, columns, actions))
