"""``assay classification``."""

from __future__ import annotations

import click

from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "classification",
    epilog="""\b
Examples:
  assay classification predictions.csv --truth label --predicted guess
  assay classification predictions.csv --truth sick --score p --positive yes
  assay classification predictions.csv --truth label --predicted guess -m "MCC ACC" """,
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true class.")
@click.option("--predicted", metavar="COLUMN", help="The predicted class.")
@click.option("--score", metavar="COLUMN", help="A number that is higher for the positive class.")
@click.option("--weight", metavar="COLUMN", help="How much each item counts.")
@click.option("--positive", metavar="CLASS", help="The class that the question is about.")
@measure_option
@output_options
def command(
    data: str,
    truth: str,
    predicted: str | None,
    score: str | None,
    weight: str | None,
    positive: str | None,
    measures: tuple[str, ...],
    output: Output,
) -> None:
    """Evaluate a classifier: its decisions, its scores, or both."""
    from assay.tasks.classification import classification

    scores = classification(
        data,
        asked(measures),
        truth=truth,
        predicted=predicted,
        score=score,
        weight=weight,
        positive=positive,
        bootstrap=output.bootstrap(),
    )
    output.show(scores)
