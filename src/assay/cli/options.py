"""Options that mean the same in every command, and the notes beside a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from assay.reports.formats import Writers

Function = TypeVar("Function", bound=Callable[..., Any])


def format_option(writers: Writers) -> Callable[[Function], Function]:
    """``--format``: any that the result has a writer for; the first unless told."""
    names = list(writers)
    return click.option("--format", type=click.Choice(names), default=names[0], show_default=True)


def digits_option(function: Function) -> Function:
    """``--digits``: of numbers that are shown to a reader."""
    return click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)(
        function
    )


def quiet_option(function: Function) -> Function:
    """``--quiet``: the result alone."""
    return click.option("--quiet", is_flag=True, help="No notes on standard error.")(function)


def accepted_quiet_option(function: Function) -> Function:
    """``--quiet`` where nothing is said beside the result: a script may give it everywhere."""
    return click.option(
        "--quiet", is_flag=True, expose_value=False, help="No notes on standard error."
    )(function)


def rel_option(function: Function) -> Function:
    """``--rel``: what counts as relevant."""
    help_text = "The least grade that counts as relevant. [default: 1]"
    return click.option("--rel", type=float, help=help_text)(function)


def profile_option(function: Function) -> Function:
    """``--profile``: whose conventions hold."""
    return click.option(
        "--profile", default="assay", show_default=True, help="The conventions to follow."
    )(function)


def seed_option(function: Function) -> Function:
    """``--seed``: for whatever is drawn."""
    return click.option(
        "--seed", type=int, default=1, show_default=True, help="For whatever is drawn."
    )(function)


def confidence_option(help_text: str = "Of the intervals.") -> Callable[[Function], Function]:
    """``--confidence``: between 0 and 1."""
    return click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help=help_text,
    )


BESIDE = ("table", "markdown")
"""The formats in which a second table may stand below the first."""


def cost_option(required: bool = False) -> Callable[[Function], Function]:
    """``--cost``: what the systems cost, from the runs or from a table."""
    return click.option(
        "--cost",
        metavar="COLUMN|FILE",
        required=required,
        help="A column of the runs (of TREC runs its number, from 7), or a table of system, cost"
        " and perhaps query; shown beside quality, with the Pareto front.",
    )


def say_notes(notes: Iterable[str], quiet: bool = False) -> None:
    """Notes on standard error, apart from the result."""
    for note in () if quiet else notes:
        click.echo(f"{click.style('note:', fg='yellow')} {note}", err=True)
