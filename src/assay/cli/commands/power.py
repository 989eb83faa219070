"""``assay power``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.scored import Options, Source, measures_asked, scored_command

EPILOG = """\b
Examples:
  assay power scores.parquet
  assay power scores.parquet --detect 0.02 -m nDCG@10
  assay power retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP RR" --show measures
  assay power scores.parquet --show units --format csv"""


def options() -> Options:
    """The options; what can be shown is what the library has."""
    from assay.reports.power import FORMATS
    from assay.statistics.pairing import MISSING
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
        click.option(
            "--level", type=fraction, default=0.05, show_default=True, help="Of the test."
        ),
        click.option(
            "--show",
            type=click.Choice(list(TABLES)),
            default="design",
            show_default=True,
            help="Units needed; G-study; how measures, and units, tell systems apart; stability.",
        ),
        click.option(
            "--missing-units",
            type=click.Choice(MISSING),
            default="drop",
            show_default=True,
            help="What becomes of units that a system lacks.",
        ),
        click.option("--seed", type=int, default=1, show_default=True),
        click.option(
            "--format", type=click.Choice(list(FORMATS)), default="table", show_default=True
        ),
        click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True),
        click.option("--quiet", is_flag=True, help="No notes on standard error."),
    ]


@scored_command("power", options, EPILOG)
def command(
    source: Source,
    show: str,
    format: str,
    digits: int,
    quiet: bool,
    missing_units: Any,
    **given: Any,
) -> None:
    """Tell what the units at hand can show, and how many are needed."""
    from assay.reports.power import FORMATS
    from assay.reports.tables import Layout
    from assay.tasks.power import power

    scores, _ = source.scores_with()
    found = power(scores, measures_asked(source), missing=missing_units, **given)
    if not quiet:
        for warning in found.warnings:
            click.echo(f"{click.style('note:', fg='yellow')} {warning}", err=True)
    click.echo(FORMATS[format](found, show, Layout(digits)))
