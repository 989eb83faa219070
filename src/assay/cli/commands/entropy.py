"""``assay entropy``."""

from __future__ import annotations

import math
from typing import Any

import click

from assay.cli.options import column_option, decimal_comma_option
from assay.cli.output import TableOutput, result_options

GROUP = "evaluate"


@click.command(
    "entropy",
    epilog="""\b
Examples:
  assay entropy forecasts.csv --true "p_*" --probabilities "q_*"
  assay entropy forecasts.csv --truth label --probabilities "q_*" --base 2""",
)
@click.argument("data", metavar="FILE")
@column_option(
    "--probabilities", required=True, metavar="PATTERN", help='Columns of the forecast: "q_*".'
)
@column_option("--true", metavar="PATTERN", help='Columns of the true distribution: "p_*".')
@column_option("--truth", help="Column of the true class, where it is certain.")
@click.option(
    "--base",
    type=float,
    default=math.e,
    show_default=False,
    help="Base of the logarithm.  [default: e]",
)
@click.option("--clip", type=float, default=1e-15, help="Smallest distance from 0 and 1.")
@decimal_comma_option
@result_options("CrossEntropy")
def command(data: str, output: TableOutput, **options: Any) -> None:
    """Compute the cross-entropy of forecasts and true distributions."""
    from assay.tasks.classification.cross_entropy import entropy

    output.show_result(entropy(data, **options))
