"""``assay report``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.online_report import online
from assay.cli.options import output_option, quiet_option, resamples_option, seed_option
from assay.cli.output import print_notes
from assay.cli.task_inputs import ScoreSource, scored_command

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap
    from assay.tasks.evidence import TaskEvidence

GROUP = "present"

EPILOG = """\b
Examples:
  assay report retrieval qrels.txt bm25.run dense.run -o report.html
  assay report retrieval qrels.txt runs/*.run --topics topics.tsv --documents docs.jsonl
  assay report retrieval qrels.txt bm25.run dense.run --cost seconds.csv
  assay report classification predictions.csv --truth label --score p -o report.html
  assay report classification predictions.parquet --truth label --probabilities "p_*"
  assay report classification predictions.csv --truth label --predicted old --predicted new
  assay report classification old.csv new.csv --truth label --predicted guess --item id
  assay report clustering clusters.csv --cluster c --classes topic
  assay report clustering points.csv --cluster c --features "x*"
  assay report regression predictions.csv --truth y --predicted yhat
  assay report agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay report correlation leaderboard1.csv leaderboard2.csv
  assay report online --baseline old --system new --lists lists.csv --log clicks.csv
  assay report scores.parquet
  assay report base.parquet new.parquet -o report.html"""
DEFAULT_PAGE = Path("report.html")
"""The file of a page by default."""


@dataclass(frozen=True)
class PageOutput:
    """Where a page is written, its title, and its intervals."""

    output: str | None
    """A file that the user names; None for the default, or a free name if that exists."""
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
        from assay.core.phrases import escape_controls
        from assay.reports.pages.report import render_report

        place = _free_place() if self.output is None else Path(self.output)
        before = _overwrite_note(place, self.output is not None)
        write_text(place, render_report(evidence, scores, self.title))
        print_notes(scores.warnings, self.quiet)
        if not self.quiet:
            click.echo(
                f"The report is in {escape_controls(str(place))}{before}: open it in a browser.",
                err=True,
            )


def _overwrite_note(place: Path, named: bool) -> str:
    """Return which page is replaced, or which one was kept since its name was not given."""
    if _has_content(place):
        return " in place of the one before"
    if named or place == DEFAULT_PAGE:
        return ""
    return f" ({DEFAULT_PAGE} was there before and is kept; -o {DEFAULT_PAGE} replaces it)"


def _has_content(place: Path) -> bool:
    """Whether a file exists and is not empty."""
    return place.is_file() and place.stat().st_size > 0


def _free_place() -> Path:
    """Return the default name of a page, numbered if that exists."""
    place, number = DEFAULT_PAGE, 2
    while _has_content(place):
        place, number = DEFAULT_PAGE.with_stem(f"{DEFAULT_PAGE.stem}-{number}"), number + 1
    return place


PAGE_OPTIONS = [
    output_option(
        "-o",
        "--output",
        help=f"File to write. [default: {DEFAULT_PAGE}, or a free name if it exists]",
    ),
    click.option("--title", help="Heading of the page."),
    resamples_option(),
    seed_option,
    quiet_option,
]


@scored_command("report", PAGE_OPTIONS, EPILOG)
def command(source: ScoreSource, **given: Any) -> None:
    """Write one self-contained page that shows an evaluation."""
    from assay.reports.pages.report import refuse_foreign_file

    page = PageOutput(**given)
    interval = page.bootstrap()
    if page.output is not None:  # before anything is computed
        refuse_foreign_file(page.output)
    if source.saved:
        page.write(None, _select_measures(source.scores(), source.measures))
    else:
        evidence = source.evidence()
        page.write(evidence, evidence.scores(source.measures, interval=interval))


command.add_command(online)


def _select_measures(scores: Scores, names: list[str] | None) -> Scores:
    """Return saved scores with the named measures alone; all of them by default."""
    if names is None:
        return scores
    from assay.core.name_search import split_names

    kept = {
        each.measure for word in names for name in split_names(word) for each in scores.of(name)
    }
    return replace(scores, results=tuple(each for each in scores.results if each.measure in kept))
