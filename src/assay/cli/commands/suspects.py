"""``assay suspects``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    column_option,
    item_option,
    measure_option_with_default,
    positive_option,
    predicted_class_option,
)
from assay.cli.output import TableOutput, result_options

GROUP = "inspect"


@click.command(
    "suspects",
    epilog="""\b
Example:
  assay suspects predictions.csv --truth label --predicted old --predicted new --predicted guess""",
)
@click.argument("data", metavar="FILE")
@column_option("--truth", default="truth", help="Column of the label that may be wrong.")
@predicted_class_option
@item_option
@positive_option
@click.option("--share", type=float, default=0.5, help="Models that must agree. [more than 0.5]")
@measure_option_with_default("ACC")
@result_options("SuspectLabels")
def command(data: str, measures: Any, output: TableOutput, **options: Any) -> None:
    """List labels that most models contradict, and their effect."""
    from assay.tasks.classification.suspect_labels import suspects

    output.show_result(suspects(data, measures or "ACC", **options))
