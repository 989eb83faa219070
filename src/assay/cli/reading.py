"""How judgments and runs are read and joined: the options of every command that takes both."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.cli.options import BESIDE, file_format_options, profile_option, rel_option
from assay.cli.wording import wrapped
from assay.core.conventions import with_choices

if TYPE_CHECKING:
    from assay.core.tables import Judgments, Run

Function = TypeVar("Function", bound=Callable[..., Any])


def order_option(function: Function) -> Function:
    """``--order``: what makes a list."""
    return click.option(
        "--order",
        type=click.Choice(["score", "rank", "file"]),
        help="What documents are ordered by. [default: as the profile says; score]",
    )(function)


def depth_option(function: Function) -> Function:
    """``--depth``: the lists no longer than that."""
    return click.option(
        "--depth", type=click.IntRange(1), help="Look at so many documents of a list."
    )(function)


def policy_option(function: Function) -> Function:
    """``--policy``: conventions other than those of the profile, handed over as a dict."""
    return click.option(
        "--policy",
        "policies",
        multiple=True,
        metavar="NAME=CHOICE",
        callback=lambda context, option, given: _choices(given),
        help="Another convention, such as duplicates=first or nan_scores=drop; may be repeated.",
    )(function)


def _choices(given: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in given:
        name, equals, choice = each.partition("=")
        if not equals:
            raise click.BadParameter(f"'{each}' is not NAME=CHOICE")
        if found.get(name, choice) != choice:
            raise click.BadParameter(f"{name} is {found[name]} and {choice}; say it once")
        found[name] = choice
    return found


_TAKEN = ("rel", "profile", "policies", "input_format", "qrels_format")
"""What the functions of the tasks take."""


def reading_options(depth: bool = True) -> Callable[[Function], Any]:
    """All of them; the command takes them as one ``reading``, the arguments of its task.

    There order and depth are policies. Without ``depth`` the command has its own way with depths.
    """
    lists = {"order": order_option} | ({"depth": depth_option} if depth else {})
    options: list[Callable[[Any], Any]] = [rel_option, profile_option, *lists.values()]
    options += [policy_option, file_format_options]

    def decorated(function: Function) -> Any:
        @functools.wraps(function)
        def called(**given: Any) -> Any:
            reading = {name: given.pop(name) for name in _TAKEN}
            said = {name: given.pop(name) for name in lists}
            reading["policies"] = with_choices(reading["policies"], **said)
            return function(reading=reading, **given)

        result: Any = called
        for option in reversed(options):
            result = option(result)
        return result

    return decorated


@dataclass(frozen=True)
class Evidence:
    """Judgments and runs as they were read, each run under a name of its own."""

    judgments: Judgments
    runs: list[Run]
    settings: dict[str, Any]
    """The arguments of the task that are left."""

    @classmethod
    def read(cls, qrels: str, runs: Sequence[str], reading: dict[str, Any]) -> Evidence:
        """The files, with the formats that ``reading_options`` took."""
        from assay.formats import containers

        formats = ("input_format", "qrels_format")
        run_format, qrels_format = (reading[name] for name in formats)
        judgments = containers.judgments(qrels, qrels_format or run_format)
        settings = {name: each for name, each in reading.items() if name not in formats}
        return cls(judgments, containers.runs(list(runs), run_format), settings)

    def show_files(self, format: str = "table") -> None:
        """Below a table, which file a run came from where its name does not say so."""
        show_files({run.name: run.source.name for run in self.runs}, format)


def show_files(sources: Mapping[str, str], format: str = "table") -> None:
    """Below a table, which file each system came from where its name does not say so."""
    from assay.reports.system_files import file_notes

    for note in file_notes({"sources": sources}) if format in BESIDE else []:
        click.echo("\n" + wrapped(note))
