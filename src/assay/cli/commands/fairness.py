"""``assay fairness``: gaps of rates between slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands.classification import classification_inputs
from assay.cli.options import count_option, slices_option
from assay.cli.output import TableOutput, table_options

if TYPE_CHECKING:
    from assay.tasks.classification.classification import ClassificationEvidence

GROUP = "evaluate"
INPUTS = classification_inputs(
    slices_option,
    click.option("--threshold", type=float, help="Predict positive at or above this score."),
)


@click.command(
    "fairness",
    epilog="""\b
Examples:
  assay fairness predictions.csv --truth sick --score p --by segment --min-size 2
  assay fairness predictions.csv --truth sick --score p --by segment --min-size 2 --rate TPR""",
)
@INPUTS.values
@click.option(
    "--rate",
    type=click.Choice(["predicted_prevalence", "TPR", "FPR", "PPV", "ACC"]),
    default="ACC",
    help="Rate by which the worst slices are searched.",
)
@count_option("--min-size", default=20, help="Leave out slices with fewer items.")
@table_options
def command(inputs: dict[str, Any], rate: str, min_size: int, output: TableOutput) -> None:
    """Compare the rates of decisions between slices.

    Demographic parity, equal opportunity and equalized odds.
    """
    from assay.tasks.classification.fairness import fairness_report

    evidence: ClassificationEvidence = INPUTS.read(**inputs)  # type: ignore[assignment]
    output.show_result(fairness_report(evidence, rate, min_size))
