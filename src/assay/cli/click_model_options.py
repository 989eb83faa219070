"""The options of commands that fit click models, and how they show what is at work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from assay.cli.options import count_option


def _prior(ctx: click.Context, option: click.Parameter, text: str | None) -> Any:
    """Return the hits and misses of a prior such as 1,1."""
    if text is None:
        return None
    try:
        hits, misses = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"'{text}' is not two numbers such as 1,1") from None
    return hits, misses


def fixed_parameters(ctx: click.Context, option: click.Parameter, words: Any) -> dict[str, float]:
    """Return the value of each fixed parameter."""
    fixed = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            fixed[name] = float(value)
        except ValueError:
            raise click.BadParameter(f"'{word}' is not NAME=VALUE") from None
    return fixed


prior_option = click.option(
    "--prior",
    metavar="HITS,MISSES",
    callback=_prior,
    help="Observations added to every parameter; 0,0 is plain maximum likelihood."
    " [default: two in all]",
)
list_depth_option = count_option("--depth", help="Cut the lists at this rank.")


@contextmanager
def show_progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows what is at work on a terminal; the text is removed at the end."""
    if quiet or not sys.stderr.isatty():
        yield lambda text: None
        return

    def show(text: str) -> None:
        """Show a text in place of the one before."""
        click.echo(f"\r\033[K{text} …", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\033[K", nl=False, err=True)
