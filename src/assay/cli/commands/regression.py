"""``assay regression``."""

from __future__ import annotations

import click

from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "regression",
    epilog="""\b
Example:
  assay regression predictions.csv --truth y --predicted yhat""",
)
@click.argument("data", metavar="FILE")
@click.option("--truth", required=True, metavar="COLUMN", help="The true number.")
@click.option("--predicted", required=True, metavar="COLUMN", help="The predicted number.")
@click.option("--item", metavar="COLUMN", help="The name of each item.")
@measure_option
@output_options
def command(
    data: str,
    truth: str,
    predicted: str,
    item: str | None,
    measures: tuple[str, ...],
    output: Output,
) -> None:
    """Evaluate predicted numbers."""
    from assay.tasks.regression import regression

    scores = regression(
        data,
        asked(measures),
        truth=truth,
        predicted=predicted,
        item=item,
        bootstrap=output.bootstrap(),
    )
    output.show(scores)
