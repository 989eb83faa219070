"""``assay power``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    FRACTION,
    choice_option,
    confidence_option,
    missing_units_option,
    seed_option,
)
from assay.cli.output import TableOutput, result_options
from assay.cli.parameters import Decorator
from assay.cli.task_inputs import ScoreSource, scored_command

GROUP = "decide"

EPILOG = """\b
Examples:
  assay power scores.parquet
  assay power scores.parquet --detect 0.02 -m nDCG@10
  assay power retrieval qrels.txt bm25.run dense.run -m "nDCG@10 AP RR" --show measures
  assay power scores.parquet --show units --format csv"""


def options() -> list[Decorator]:
    """Return the options; what can be shown is what the library has."""
    from assay.tasks.power import TABLES

    return [
        click.option("--detect", type=float, help="A difference that matters."),
        click.option("--power", type=FRACTION, default=0.8, help="Probability of detecting it."),
        confidence_option("Confidence level of the test."),
        choice_option(
            "--show",
            list(TABLES),
            help="Units needed; G-study; how well measures and units discriminate; stability.",
        ),
        missing_units_option(),
        seed_option,
        result_options("Power"),
    ]


@scored_command("power", options, EPILOG)
def command(
    source: ScoreSource, show: str, missing_units: Any, output: TableOutput, **given: Any
) -> None:
    """Show what the units can detect, and how many are needed."""
    from assay.tasks.power import power

    found = power(source.scores(), source.measures, missing=missing_units, **given)
    output.show_result(found, found.warnings, show=show)
