"""What every page asks for: where it goes, what it is called, how its intervals are made."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from assay.cli.file_options import OutputOption
from assay.cli.options import Function, print_notes, quiet_option, resamples_option, seed_option

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap

DEFAULT_PAGE = Path("report.html")
"""What a page is called where nothing is said."""


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
        from assay.statistics.intervals.unit_intervals import Bootstrap

        return Bootstrap(resamples=self.resamples, seed=self.seed) if self.resamples else None

    def write(self, make: Callable[..., str], subject: Any, scores: Scores) -> None:
        """Make the page, say what to know of it, and where it is."""
        from assay.core.output_files import write_text

        place = Path(self.output)
        before = _overwrite_note(place)
        page = make(subject, **({} if self.title is None else {"title": self.title}))
        write_text(place, page)
        print_notes(scores.warnings, self.quiet)
        if not self.quiet:
            click.echo(f"The report is in {place}{before}: open it in a browser.", err=True)


def _overwrite_note(place: Path) -> str:
    """Which page is replaced, or was kept because nobody asked for its name."""
    if _has_content(place):
        return " in place of the one before"
    chosen = click.get_current_context().get_parameter_source("output")
    free = chosen is ParameterSource.DEFAULT and place != DEFAULT_PAGE
    return (
        f" ({DEFAULT_PAGE} was there before and is kept; -o {DEFAULT_PAGE} replaces it)"
        if free
        else ""
    )


def _has_content(place: Path) -> bool:
    """Whether there is something in a file already."""
    return place.is_file() and place.stat().st_size > 0


def _free_name() -> str:
    """The usual name of a page, or a numbered one if there is a page of that name."""
    place, number = DEFAULT_PAGE, 2
    while _has_content(place):
        place, number = DEFAULT_PAGE.with_stem(f"{DEFAULT_PAGE.stem}-{number}"), number + 1
    return str(place)


def _require_writable(ctx: click.Context, option: click.Parameter, given: str | None) -> str:
    """Refuse what cannot be written to, or is no page, before anything is computed."""
    from assay.reports.pages.report import refuse_foreign_file

    path = _free_name() if given is None else given
    refuse_foreign_file(path)
    return path


_OPTIONS: list[Callable[[Any], Any]] = [
    click.option(
        "-o",
        "--output",
        cls=OutputOption,
        metavar="FILE",
        callback=_require_writable,
        help=f"The page to write. [default: {DEFAULT_PAGE}, or a free name if it is there]",
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
