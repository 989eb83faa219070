"""``assay agreement``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import rating_options, scale_option
from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "agreement",
    epilog="""\b
Examples:
  assay agreement ratings.csv --item doc --assessor who --label grade
  assay agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay agreement ratings.csv --item doc --assessor who --label grade \\
    -m "kappa(weights=quadratic) kappa_rest" --per-unit
  assay agreement ratings.csv --item doc --assessor who --label grade --topic query
  assay agreement wide.csv --item doc --assessors "ann,ben,cem" """,
)
@click.argument("data", metavar="FILE")
@rating_options
@click.option("--topic", metavar="COLUMN", help="A row for each topic as well.")
@scale_option
@measure_option
@output_options
def command(data: str, measures: tuple[str, ...], output: Output, **columns: Any) -> None:
    """Measure how far assessors agree."""
    from assay.tasks.agreement import agreement

    scores = agreement(data, asked(measures), bootstrap=output.bootstrap(), **columns)
    if len(scores.systems) > 1 and output.sort is None:
        output = output.sorted_by("given")
    output.show(scores)
