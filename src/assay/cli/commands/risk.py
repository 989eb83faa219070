"""``assay risk``: wins, losses and risk against a baseline."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.frames import format_options, show_frames
from assay.cli.options import quiet_option, say_notes
from assay.cli.output import asked, measure_option_or
from assay.cli.reading import Evidence, reading_options
from assay.cli.wording import wrapped


@click.command(
    epilog="""\b
Examples:
  assay risk qrels.txt baseline.run new.run
  assay risk qrels.txt baseline.run new.run other.run -m "AP nDCG@10" --alpha 5
"""
)
@click.argument("qrels", metavar="QRELS")
@click.argument("baseline", metavar="BASELINE")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--alpha", type=float, default=1.0, show_default=True, help="The weight of losses.")
@reading_options()
@measure_option_or("nDCG@10")
@format_options
@quiet_option
def command(
    qrels: str,
    baseline: str,
    runs: tuple[str, ...],
    alpha: float,
    reading: dict[str, Any],
    measures: tuple[str, ...],
    format: str,
    digits: int,
    quiet: bool,
) -> None:
    """Compare runs with a BASELINE query by query, losses counting 1 + alpha times."""
    from assay.tasks.risk import risk

    notes: list[str] = []
    read = Evidence.read(qrels, (baseline, *runs), reading)
    found = risk(
        read.judgments,
        read.runs[0],
        read.runs[1:],
        asked(measures) or "nDCG@10",
        alpha=alpha,
        tell=notes.append,
        **read.settings,
    )
    say_notes(notes, quiet)
    show_frames({"risk": found}, format, digits)
    read.show_files(format)
    if format == "table":
        click.echo("\n" + "\n".join(wrapped(line) for line in _legend(read.runs[0].name, alpha)))


def _legend(baseline: str, alpha: float) -> list[str]:
    """How to read each column."""
    return [
        "wins, ties, losses: queries on which the run is better than the baseline, like it, worse;"
        f" the baseline is {baseline}",
        f"difference: the mean over queries; URisk: with losses counted {1 + alpha:g} times",
        "tail: the mean difference over the tenth of the queries that lose most",
        "GeoRisk: 0 to 1, more is better: quality and evenness beside the runs of this table; it is"
        " not to be compared with that of other tables",
    ]
