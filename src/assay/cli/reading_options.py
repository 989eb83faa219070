"""How judgments and runs are read and joined: the options of every command that takes both."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

import click

from assay.cli.messages import wrap_message
from assay.cli.options import COST_SIDE_OPTIONS, file_format_options, profile_option, rel_option

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


def judged_only_option(function: Function) -> Function:
    """``--judged-only``: rankings without unjudged documents."""
    return click.option(
        "--judged-only", is_flag=True, help="Remove unjudged documents from the rankings."
    )(function)


def corpus_option(function: Function) -> Function:
    """``--corpus``: the size of the collection."""
    return click.option(
        "--corpus", type=click.IntRange(1), help="Number of documents in the collection."
    )(function)


def policy_option(function: Function) -> Function:
    """``--policy``: conventions other than those of the profile, handed over as a dict."""
    return click.option(
        "--policy",
        "policies",
        multiple=True,
        metavar="NAME=CHOICE",
        callback=lambda context, option, given: _policy_choices(given),
        help="Another convention, such as duplicates=first or nan_scores=drop; may be repeated.",
    )(function)


def _policy_choices(given: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in given:
        name, equals, choice = each.partition("=")
        if not equals:
            raise click.BadParameter(f"'{each}' is not NAME=CHOICE")
        if found.get(name, choice) != choice:
            raise click.BadParameter(f"{name} is {found[name]} and {choice}; say it once")
        found[name] = choice
    return found


def reading_options(cut: bool = True) -> Callable[[Function], Any]:
    """All of them; the command takes them as one ``settings``.

    Without ``cut`` the rankings stay whole: the command searches them itself.
    """
    options: list[Callable[[Any], Any]] = [rel_option, profile_option, order_option]
    options += [depth_option, judged_only_option, corpus_option] if cut else []
    options += [policy_option, file_format_options]

    def decorated(function: Function) -> Any:
        @functools.wraps(function)
        def called(**given: Any) -> Any:
            from assay.tasks.retrieval.run_settings import ReadingOptions, RunOptions, RunSettings

            names = get_type_hints(RunOptions if cut else ReadingOptions)
            taken: Any = {name: given.pop(name) for name in names}
            return function(settings=RunSettings.from_options(taken), **given)

        result: Any = called
        for option in reversed(options):
            result = option(result)
        return result

    return decorated


def print_system_files(sources: Mapping[str, str], format: str = "table") -> None:
    """Print below a table which file each system came from, where its name does not show it."""
    from assay.reports.text.score_notes import system_file_notes

    for note in system_file_notes({"sources": sources}) if format in COST_SIDE_OPTIONS else []:
        click.echo("\n" + wrap_message(note))
