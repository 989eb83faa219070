"""``assay agreement``."""

from __future__ import annotations

import click

from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "agreement",
    epilog="""\b
Example:
  assay agreement ratings.csv --item doc --assessor who --label grade""",
)
@click.argument("data", metavar="FILE")
@click.option("--item", required=True, metavar="COLUMN", help="The things that are rated.")
@click.option("--assessor", required=True, metavar="COLUMN", help="Who rates.")
@click.option("--label", required=True, metavar="COLUMN", help="What they say.")
@measure_option
@output_options
def command(
    data: str, item: str, assessor: str, label: str, measures: tuple[str, ...], output: Output
) -> None:
    """Measure how far assessors agree."""
    from assay.tasks.agreement import agreement

    scores = agreement(
        data,
        asked(measures),
        item=item,
        assessor=assessor,
        label=label,
        bootstrap=output.bootstrap(),
    )
    output.show(scores)
