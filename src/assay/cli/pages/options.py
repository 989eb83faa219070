"""What every page asks for: where it goes, what it is called, how its intervals are made."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    Function,
    quiet_option,
    resamples_option,
    say_notes,
    seed_option,
)

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.statistics.intervals import Bootstrap


@dataclass(frozen=True)
class PageOutput:
    """How a user wants a page."""

    output: str
    title: str | None
    resamples: int
    seed: int
    quiet: bool

    def bootstrap(self) -> Bootstrap | None:
        """The intervals that the user wants; none with ``--resamples 0``."""
        from assay.statistics.intervals import Bootstrap

        return Bootstrap(resamples=self.resamples, seed=self.seed) if self.resamples else None

    def write(self, make: Callable[..., str], subject: Any, scores: Scores) -> None:
        """Make the page, say what to know of it, and where it is."""
        place = Path(self.output)
        page = make(subject, **({} if self.title is None else {"title": self.title}))
        place.write_text(page, encoding="utf-8")
        say_notes(scores.warnings, self.quiet)
        if not self.quiet:
            click.echo(f"The report is in {place}: open it in a browser.", err=True)


def _writable(ctx: click.Context, option: click.Parameter, path: str) -> str:
    """Refuse what cannot be written to, or is no page, before anything is computed."""
    from assay.core.errors import FormatError
    from assay.engine.scores import refuse_unwritable
    from assay.reports.pages.page import is_page

    refuse_unwritable(path)
    place = Path(path)
    if place.is_file() and place.stat().st_size and not is_page(place):
        raise FormatError(
            "this is not a page of Assay, and is not overwritten; name another file with -o", path
        )
    return path


_OPTIONS: list[Callable[[Any], Any]] = [
    click.option(
        "-o",
        "--output",
        default="report.html",
        show_default=True,
        metavar="FILE",
        callback=_writable,
        help="The page to write.",
    ),
    click.option("--title", help="The heading of the page."),
    resamples_option(),
    seed_option,
    quiet_option,
]


def page_options(function: Function) -> Function:
    """The options of a page; the command takes them as one ``page``."""

    def wrapped(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in PageOutput.__dataclass_fields__}
        return function(page=PageOutput(**chosen), **given)

    result: Any = functools.wraps(function)(wrapped)
    for option in reversed(_OPTIONS):
        result = option(result)
    return result
