"""How judgments and runs are read and joined: the options of every command that takes both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from assay.cli.messages import wrap_message
from assay.cli.options import COST_SIDE_OPTIONS

Function = TypeVar("Function", bound=Callable[..., Any])


order_option = click.option(
    "--order",
    type=click.Choice(["score", "rank", "file"]),
    help="Order of the documents. [default: that of the profile; score]",
)
"""``--order``: what makes a list."""

depth_option = click.option(
    "--depth", type=click.IntRange(1), help="Evaluate only so many documents of a ranking."
)
"""``--depth``: the lists no longer than that."""

judged_only_option = click.option(
    "--judged-only", is_flag=True, help="Remove unjudged documents from the rankings."
)
"""``--judged-only``: rankings without unjudged documents."""

corpus_option = click.option(
    "--corpus", type=click.IntRange(1), help="Number of documents in the collection."
)
"""``--corpus``: the size of the collection."""

policy_option = click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME=CHOICE",
    callback=lambda context, option, given: _policy_choices(given),
    help="Another convention, such as duplicates=first or nan_scores=drop; may be repeated.",
)
"""``--policy``: conventions other than those of the profile, handed over as a dict."""


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


def print_system_files(sources: Mapping[str, str], format: str = "table") -> None:
    """Print below a table which file each system came from, where its name does not show it."""
    from assay.reports.text.score_notes import system_file_notes

    for note in system_file_notes({"sources": sources}) if format in COST_SIDE_OPTIONS else []:
        click.echo("\n" + wrap_message(note))
