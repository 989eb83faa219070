"""The options of a page: its file, its title, its intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from assay.cli.file_options import OutputOption
from assay.cli.options import print_notes, quiet_option, resamples_option, seed_option

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap
    from assay.tasks.evidence import TaskEvidence

DEFAULT_PAGE = Path("report.html")
"""The file of a page by default."""


@dataclass(frozen=True)
class PageOutput:
    """Where a page is written, its title, and its intervals."""

    output: str
    title: str | None
    resamples: int
    seed: int
    quiet: bool

    def bootstrap(self) -> Bootstrap | None:
        """Return the settings of the intervals; None with ``--resamples 0``."""
        from assay.statistics.intervals.unit_intervals import Bootstrap

        return Bootstrap(resamples=self.resamples, seed=self.seed) if self.resamples else None

    def write(self, evidence: TaskEvidence | None, scores: Scores) -> None:
        """Write the page, and print its warnings and where it is."""
        from assay.core.output_files import write_text
        from assay.reports.pages.report import render_report

        place = Path(self.output)
        before = _overwrite_note(place)
        write_text(place, render_report(evidence, scores, self.title))
        print_notes(scores.warnings, self.quiet)
        if not self.quiet:
            click.echo(f"The report is in {place}{before}: open it in a browser.", err=True)


def _overwrite_note(place: Path) -> str:
    """Return which page is replaced, or which one was kept since its name was not given."""
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
    """Whether a file exists and is not empty."""
    return place.is_file() and place.stat().st_size > 0


def _free_name() -> str:
    """Return the default name of a page, numbered if that exists."""
    place, number = DEFAULT_PAGE, 2
    while _has_content(place):
        place, number = DEFAULT_PAGE.with_stem(f"{DEFAULT_PAGE.stem}-{number}"), number + 1
    return str(place)


def _require_writable(ctx: click.Context, option: click.Parameter, given: str | None) -> str:
    """Refuse to overwrite a file that is not a page, before anything is computed."""
    from assay.reports.pages.report import refuse_foreign_file

    path = _free_name() if given is None else given
    refuse_foreign_file(path)
    return path


def page_options() -> list[Callable[[Any], Any]]:
    """Return the options of a page."""
    return [
        click.option(
            "-o",
            "--output",
            cls=OutputOption,
            metavar="FILE",
            callback=_require_writable,
            help=f"File to write. [default: {DEFAULT_PAGE}, or a free name if it exists]",
        ),
        click.option("--title", help="Heading of the page."),
        resamples_option(),
        seed_option,
        quiet_option,
    ]
