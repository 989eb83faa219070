"""``assay correlation``."""

from __future__ import annotations

import click

from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "correlation",
    epilog="""\b
Example:
  assay correlation leaderboards.csv --item system --first ap --second ndcg""",
)
@click.argument("data", metavar="FILE")
@click.option("--item", required=True, metavar="COLUMN", help="The things that are ordered.")
@click.option("--first", required=True, metavar="COLUMN", help="Their numbers in one order.")
@click.option("--second", required=True, metavar="COLUMN", help="Their numbers in the other.")
@click.option("--group", metavar="COLUMN", help="Compare within each group.")
@measure_option
@output_options
def command(
    data: str,
    item: str,
    first: str,
    second: str,
    group: str | None,
    measures: tuple[str, ...],
    output: Output,
) -> None:
    """Compare two orders of the same things."""
    from assay.tasks.correlation import correlation

    scores = correlation(
        data,
        asked(measures),
        item=item,
        first=first,
        second=second,
        group=group,
        bootstrap=output.bootstrap(),
    )
    output.show(scores)
