"""``assay power``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    confidence_option,
    digits_option,
    format_option,
    missing_units_option,
    quiet_option,
    say_notes,
    seed_option,
)
from assay.cli.scored import Options, scored_command
from assay.cli.source import ScoreSource, measures_asked
from assay.cli.terminal import width
from assay.reports.formats import FRAMES

EPILOG = """\b
Examples:
  assay power scores.parquet
  assay power scores.parquet --detect 0.02 -m nDCG@10
  assay power retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP RR" --show measures
  assay power scores.parquet --show units --format csv"""


def options() -> Options:
    """The options; what can be shown is what the library has."""
    from assay.tasks.power import TABLES

    fraction = click.FloatRange(0, 1, min_open=True, max_open=True)
    return [
        click.option("--detect", type=float, help="A difference that matters."),
        click.option(
            "--power",
            type=fraction,
            default=0.8,
            show_default=True,
            help="The chance with which it is to be found.",
        ),
        confidence_option("Of the test."),
        click.option(
            "--show",
            type=click.Choice(list(TABLES)),
            default="design",
            show_default=True,
            help="Units needed; G-study; how measures, and units, tell systems apart; stability.",
        ),
        missing_units_option,
        seed_option,
        format_option(FRAMES),
        digits_option,
        quiet_option,
    ]


@scored_command("power", options, EPILOG)
def command(
    source: ScoreSource,
    show: str,
    confidence: float,
    format: str,
    digits: int,
    quiet: bool,
    missing_units: Any,
    **given: Any,
) -> None:
    """Tell what the units at hand can show, and how many are needed."""
    from assay.reports.frames import UNBOUNDED
    from assay.reports.power import written
    from assay.tasks.power import power

    scores, _ = source.scores_with()
    found = power(
        scores,
        measures_asked(source),
        level=round(1 - confidence, 12),
        missing=missing_units,
        **given,
    )
    say_notes(found.warnings, quiet)
    click.echo(written(found, show, format, digits, width(UNBOUNDED)))
