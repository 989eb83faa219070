"""``assay clustering``."""

from __future__ import annotations

import click

from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "clustering",
    epilog="""\b
Examples:
  assay clustering clusters.csv --cluster c --class topic
  assay clustering clusters.csv --cluster c --class topic -m "purity NMI(mean=max)" """,
)
@click.argument("data", metavar="FILE")
@click.option("--cluster", required=True, metavar="COLUMN", help="The cluster of each item.")
@click.option("--class", "classes", required=True, metavar="COLUMN", help="The true class.")
@click.option("--item", metavar="COLUMN", help="The name of each item, to find repetitions.")
@measure_option
@output_options
def command(
    data: str,
    cluster: str,
    classes: str,
    item: str | None,
    measures: tuple[str, ...],
    output: Output,
) -> None:
    """Evaluate a grouping of items against their true classes."""
    from assay.tasks.clustering import clustering

    scores = clustering(
        data,
        asked(measures),
        cluster=cluster,
        classes=classes,
        item=item,
        bootstrap=output.bootstrap(),
    )
    output.show(scores)
